"""What is noted while a text is read: what would happen, what is not known, and where the command may be."""

import posixpath
import re
from collections.abc import Iterable

from hub.contract.effects import Effect
from hub.screening.commands.limits import DOUBT_CHARS_MAX, EVIDENCE_CHARS_MAX, EVIDENCE_MAX
from hub.screening.commands.operands import is_secret_in, is_system
from hub.screening.commands.places import (
    ELSEWHERE,
    FOLDERS_MAX,
    GIT_TOP,
    SOME_FOLDER,
    WRITING,
    FilePlace,
    holds_rules,
    is_within,
    place_of,
    written_place,
)
from hub.screening.commands.reading import CommandReading
from hub.screening.commands.work_trees import GitCalls
from hub.screening.effects import HARMLESS, Certainty

_FOUND_AT = frozenset({FilePlace.INSIDE, FilePlace.TEMPORARY, FilePlace.OUTSIDE})
"""Where a file is whose path is known, so that somebody can look where it leads."""
_DATA_ENDING = re.compile(
    r"[^/.]\.(?:log|txt|md|csv|tsv|bak|orig|old|tmp|out|err|diff|patch|png|jpe?g|svg|pdf|html?|gz|tgz|zip|xz|zst|tar)$"
)
"""A file that ends so, whatever it is called, neither runs by itself nor says what an agent may do."""

_OF_PERSON = re.compile(r"\$\{?([A-Z][A-Z0-9_]*)\b\}?")
"""A variable that the text does not set holds what the person's settings say: `$DATABASE_URL`."""
_LATER = re.compile(r"[$`]")
_ANY_KEYS = "~/.ssh"
"""Stands for a folder that may be any, as one in which every file is a key."""


class Notes:
    """What was found so far."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.folders = [root]
        self.links: list[str] = []
        self.own: set[str] = set()
        """Variables that the text sets."""
        self.elsewhere: list[str] = []
        """Folders outside that the text goes to by name, and not only by leaving one too many."""
        self.exported: list[str] = []
        """Settings that are made for all that follows."""
        self.meant = root
        """The folder where the command is if each `cd` so far went where it should."""
        self._led: list[str] = []
        """Folders outside that `cd` may have led to, as far as the text names them: `~/.ssh`."""
        self._before: list[str] = []
        self._meant_before = root
        self._pushed: list[tuple[list[str], str]] = []
        self._entered: list[tuple[int, str, list[str], list[str], str]] = []
        self.found: dict[Effect, list[str]] = {}
        self.sure: set[Effect] = set()
        self.understood = True
        self.stays = True
        self.doubt = ""
        self.named: dict[str, None] = {}
        self.written_to: dict[str, None] = {}
        self.packed: set[str] = set()
        """Archives into which the text packed all of a folder."""
        self.is_open_ended = False
        self.git_calls = GitCalls()
        self.fetches = False
        """Whether anything was fetched from another machine."""

    def add(self, effects: Iterable[Effect], evidence: str, *, sure: bool = True) -> None:
        """Note what would happen, and the words that say so."""
        for effect in effects:
            self.found.setdefault(effect, []).append(" ".join(evidence.split())[:EVIDENCE_CHARS_MAX])
            if sure:
                self.sure.add(effect)

    def guess(self, verb: Effect | None, evidence: str) -> None:
        """Note what a name says of itself."""
        if verb:
            self.add([verb], evidence, sure=False)

    def doubts(self, word: str, *, likely: bool = False, stays: bool = False) -> None:
        """Note a word that is not known: what it does may be anything, but where its name makes a look likely.

        `stays`: it can name nothing that is elsewhere.
        """
        self.understood &= likely
        self.stays &= stays
        self.doubt = self.doubt or " ".join(word.split())[:DOUBT_CHARS_MAX]

    def unread(self, text: str) -> None:
        """Note that something is not read: it may be anything."""
        self.doubts(text)
        self.guess(Effect.RUNS_UNKNOWN_CODE, text)

    def place(self, path: str, *, noted: bool = True) -> FilePlace:
        """Return where a file is, and note if it is not surely inside, and its name unless that is not `noted`."""
        found = FilePlace.OUTSIDE if self._is_linked(path) else place_of(path, self.root, self.folders)
        self.stays &= found in {FilePlace.INSIDE, FilePlace.QUIET, FilePlace.RULES}
        if noted and found in _FOUND_AT and not path.startswith(("~", "$")):
            self.named |= dict.fromkeys(self.in_full(path))
        return found

    def link(self, target: str, name: str) -> None:
        """Note a link that leads out, or to what runs by itself: what is behind it is outside from now on."""
        if self.place(target) in {FilePlace.OUTSIDE, FilePlace.UNKNOWN, FilePlace.RULES}:
            self.links += self.in_full(name)

    def _is_linked(self, path: str) -> bool:
        return bool(self.links) and any(is_within(one, link) for one in self.in_full(path) for link in self.links)

    def in_full(self, path: str) -> list[str]:
        """Return where a file is, from each folder where the command may be."""
        return [posixpath.normpath(posixpath.join(folder, path)) for folder in self.folders]

    def writes(self, path: str, shown: str) -> None:
        """Note that a file is written."""
        if path.startswith(("|", "!")):
            self.add([Effect.RUNS_UNKNOWN_CODE], shown)
            return
        found = self.place(path)
        if found is FilePlace.INSIDE:
            found = written_place(path, self.root, self.folders)
        self.written_to |= dict.fromkeys(self.in_full(path) if found in _FOUND_AT else ())
        if "authorized_keys" in path or "sudoers" in path:
            self.add([Effect.CHANGES_PERMISSIONS], shown)
        elif re.match(r"/dev/(?!shm|fd)", path) and found is not FilePlace.QUIET:
            self.add([Effect.DELETES], shown)
        elif is_system(path) and found is not FilePlace.INSIDE and found is not FilePlace.RULES:
            self.add([Effect.CHANGES_SYSTEM], shown)
        elif found in WRITING:
            self.add([WRITING[found]], shown)
            if found is FilePlace.UNKNOWN:
                self.writes_somewhere(path)

    def writes_somewhere(self, path: str) -> None:
        """Note that a file is written whose name is only known when the command runs."""
        if not (_DATA_ENDING.search(path) and self.is_of_person(path)):
            self.doubts(path)

    def fills(self, folder: str, source: str, shown: str) -> None:
        """Note that names are written in a folder which only `source` knows: an archive, a patch, another folder.

        Where files lie that say what runs by itself, one of them may be among those.
        """
        if self.holds_rules(folder) or self.is_open(folder):
            self.doubts(source)
            self.is_open_ended = True
        self.writes(folder, shown)

    def holds_rules(self, folder: str) -> bool:
        """Return True if files that say what runs by itself lie in a folder where the command may be."""
        return any(holds_rules(path, self.root) for path in self.in_full(GIT_TOP.sub(".", folder)))

    def names_rules(self, path: str) -> bool:
        """Return True if a path is that of a file that says what runs by itself."""
        return bool(path) and place_of(path, self.root, self.folders) is FilePlace.RULES

    def is_open(self, path: str) -> bool:
        """Return True if it is only known where a path leads when the command runs."""
        return place_of(path, self.root, self.folders) is FilePlace.UNKNOWN

    def is_top(self, folder: str) -> bool:
        """Return True if a folder is the workspace's own, or one around it."""
        return any(is_within(self.root, path) for path in self.in_full(GIT_TOP.sub(".", folder)))

    def is_foreign(self) -> bool:
        """Return True if a command runs in a folder outside that the text names, or above the one at the top."""
        is_above = self.meant != self.root and is_within(self.root, self.meant)
        return is_above or any(is_within(one, named) for one in self.folders for named in self.elsewhere)

    def is_of_person(self, path: str) -> bool:
        """Return True if all that is not known of a path are variables which the person's settings say: `$OUT/a`."""
        named = _OF_PERSON.findall(path)
        return self.own.isdisjoint(named) and not _LATER.search(_OF_PERSON.sub("", path))

    def move(self, rest: list[str], *, is_certain: bool = False) -> None:
        """Follow `cd`: it may have failed, so the command may still be where it was, unless it only went back."""
        to = next((word for word in rest if word == "-" or not word.startswith("-")), "~")
        self._pushed = []
        self._lead(to)
        meant = self._meant_before if to == "-" else posixpath.normpath(posixpath.join(self.meant, to))
        self.meant, self._meant_before = meant, self.meant
        if to == "-":
            both = list(dict.fromkeys([*self.folders, *self._before])) if self._before else [ELSEWHERE]
            self._before, self.folders = self.folders, both
            return
        if self.root == SOME_FOLDER and self.folders == [SOME_FOLDER] and to.startswith("/") and not is_system(to):
            self.root, self.folders = meant, [meant]
            return
        if place_of(to, self.root, self.folders) is FilePlace.UNKNOWN or to.startswith(("~", "$")):
            moved = [ELSEWHERE]
        else:
            moved = self.in_full(GIT_TOP.sub(self.root, to))
            self.meant = posixpath.normpath(posixpath.join(self._meant_before, GIT_TOP.sub(self.root, to)))
            named = posixpath.normpath(posixpath.join(self.root, GIT_TOP.sub(self.root, to)))
            if not is_within(named, self.root) and not is_within(self.root, named):
                self.elsewhere.append(named)
        before, self._before = self._before, self.folders
        both = list(dict.fromkeys([*(before if is_certain and to == ".." and before else self.folders), *moved]))
        self.folders = both if len(both) <= FOLDERS_MAX else [ELSEWHERE]

    def _lead(self, to: str) -> None:
        """Remember where `cd` may lead in a home or on the disk; what is named too deep may be anywhere."""
        if to.startswith(("/", "~", "$HOME", "${HOME}")):
            named = [posixpath.normpath(re.sub(r"\$HOME|\$\{HOME\}", "~", to))]
        else:
            named = [posixpath.normpath(posixpath.join(one, to)) for one in self._led]
        led = list(dict.fromkeys([*self._led, *named]))
        self._led = led if len(led) <= FOLDERS_MAX else [*led[:FOLDERS_MAX], _ANY_KEYS]

    def holds_secret(self, path: str) -> bool:
        """Return True if a file holds secrets where a `cd` before it may have led."""
        if path.startswith(("/", "~", "$HOME", "${HOME}")) or not (self._led or self.folders != [self.root]):
            return False
        within = [posixpath.relpath(one, self.root) if is_within(one, self.root) else one for one in self.folders]
        return any(is_secret_in(one, path) for one in (*within, *self._led) if one not in {".", ELSEWHERE})

    def push(self, rest: list[str]) -> None:
        """Follow `pushd`, and remember what `popd` goes back to."""
        pushed, before = self._pushed, (self.folders, self.meant)
        self.move(rest)
        is_plain = len(rest) == 1 and rest[0][:1] not in {"-", "+"}
        self._pushed = [*pushed, before] if is_plain else []

    def pop(self, rest: list[str], *, is_certain: bool) -> None:
        """Follow `popd`: where `pushd` failed it does nothing, so it is believed only where no `cd` came between."""
        if self._pushed and is_certain and not rest:
            self._before, (self.folders, self.meant) = self.folders, self._pushed.pop()
        else:
            self._pushed = []

    def enter(self, subshells: tuple[int, ...]) -> None:
        """Follow where subshells begin and end: behind them the command is where it was before."""
        while self._entered and subshells[: len(self._entered)] != tuple(one for one, *_ in self._entered):
            _, self.root, self.folders, self._led, self.meant = self._entered.pop()
            self._pushed = []
        here = (self.root, self.folders, self._led, self.meant)
        self._entered += [(one, *here) for one in subshells[len(self._entered) :]]

    def result(self) -> CommandReading:
        """Return what was found."""
        counted = [effect for effect in self.found if effect not in HARMLESS] or list(self.found)
        spoken = dict.fromkeys(one for effect in counted for one in self.found[effect])
        certainty = Certainty.CERTAIN if self.sure.issuperset(counted) else Certainty.LIKELY
        if not counted or (not self.understood and HARMLESS.issuperset(counted)):
            certainty = Certainty.UNKNOWN
        effects = tuple(effect for effect in Effect if effect in self.found)
        evidence = tuple(spoken)[:EVIDENCE_MAX]
        return CommandReading(
            effects=effects,
            certainty=certainty,
            evidence=evidence,
            understood=self.understood,
            doubt=self.doubt,
            stays=self.stays,
            named=tuple(self.named),
            written=tuple(self.written_to),
            is_open_ended=self.is_open_ended,
            deletes_elsewhere=self._deletes_elsewhere(),
            runs_fetched=self.fetches and Effect.RUNS_UNKNOWN_CODE in self.found,
            tree_changes=self.git_calls.changes(),
        )

    def _deletes_elsewhere(self) -> bool:
        """Return True if one call both deletes and leaves the machine; one within the other is one: `ssh host rm x`."""
        leaving = self.found.get(Effect.LEAVES_THE_MACHINE, [])
        return any(
            deleting in one or one in deleting or len(one) == EVIDENCE_CHARS_MAX
            for deleting in self.found.get(Effect.DELETES, [])
            for one in leaving
        )
