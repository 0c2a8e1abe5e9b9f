"""What would it do that an agent asks leave for, how much could that hurt, and where does that stand in its text?

The request is the agent's word, so only what would be done counts, not its reason. Its tool's name only tells which
shell would read a command.
"""

import posixpath
import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.contract.permission import Act, PermissionMark
from hub.contract.words import Risk
from hub.screening.commands import read_command
from hub.screening.commands.limits import COMMAND_CHARS_MAX, READINGS_KEPT_MAX
from hub.screening.commands.operands import is_home, is_secret, is_system, is_wide, path_of
from hub.screening.commands.places import (
    SOME_FOLDER,
    WRITING,
    FilePlace,
    is_project,
    is_within,
    place_of,
    written_place,
)
from hub.screening.commands.reading import CommandReading
from hub.screening.commands.shell import parse
from hub.screening.commands.work_trees import TreeChange
from hub.screening.effects import HARMLESS
from hub.screening.powershell import as_bash, is_powershell
from hub.screening.tool_input import read_tool

MARKS_MAX = 16
HOST_CHARS_MAX, LABEL_CHARS_MAX = 100, 40
_BLANKS = "".join(map(chr, range(0x21)))
_PASSED_OVER = re.compile(r"[\t\n\r]")
_PAGE = re.compile(
    r"(?:(?P<scheme>https?):[/\\]*|[/\\]*(?![a-z][\w+.-]*:(?!\d)))(?P<rest>[^\s:/\\].*)", re.IGNORECASE | re.DOTALL
)
_HOST = re.compile(r"[^/?#]*")
SPELLED_MAX = 64
"""A pattern that spells out more names may be meant to find any."""
_CHOICES = re.compile(r"\{([^{}]*)\}")
_LISTED = re.compile(r"[\s,]+")
_WILD = re.compile(r"[*?\[\]{}]")
_STORE = re.compile(r"(?:vault|op|keychain|keyring|secrets?|bw|pass|env|ssm|kv)(?:\+\w{1,16})?://", re.IGNORECASE)
"""How the address of a secret begins: `vault://prod/db`."""
SECRETS = (".env", ".env.local", ".netrc", "id_rsa", "id_ed25519", "server.pem", "server.key", "credentials")
"""Names that a pattern may be meant to find."""
_GRAVE = frozenset({Effect.PAYS, Effect.CHANGES_PERMISSIONS, Effect.TOUCHES_PRODUCTION})
_AWAY = frozenset({Effect.LEAVES_THE_MACHINE, Effect.MESSAGES})
_BESIDE = {
    Effect.WRITES_IN_WORKSPACE: Effect.CHANGES_SYSTEM,
    Effect.RUNS_PROJECT_CODE: Effect.RUNS_UNKNOWN_CODE,
}
_DELETED = re.compile(r"^(?:[^\S\n]*\*\*\* Delete File:|\+\+\+ /dev/null\s*$)", re.MULTILINE)
"""How a patch says that a file goes: as Codex writes it, and as diff does."""
_HERE = frozenset({FilePlace.INSIDE, FilePlace.QUIET})
_DELETERS = frozenset({"rm", "rmdir", "unlink", "shred"})
"""All that these do to their operands is to delete them, so that a sentence may say just that."""


class ActReading(Value):
    """What would be done: its effects in the order of `Effect`, how much it could hurt, whether all of it was read.

    ``doubt`` is the word that is not known; ``stays`` is True where nothing outside the folder is named and no other
    machine is asked; ``is_open_ended`` where it writes names that only an archive, a patch or another folder knows, and
    one of them may say what runs by itself. ``named`` and ``written`` are files in full that somebody can look up: one
    may lead elsewhere. ``tree_changes`` are calls of git that bring what its commits hold.
    """

    effects: tuple[Effect, ...] = ()
    risk: Risk = Risk.MEDIUM
    understood: bool = True
    doubt: str = ""
    stays: bool = False
    named: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    is_open_ended: bool = False
    tree_changes: tuple[TreeChange, ...] = ()

    @property
    def is_surely_harmless(self) -> bool:
        """Whether every word of it is known, and known to do no harm: the only ground for a yes without a person."""
        return self.understood and self.stays and bool(self.effects) and HARMLESS.issuperset(self.effects)


def read_act(act: Act, text: str, target: str, folder: str, tool: str, *, workspace: str = "") -> ActReading:
    """Say what would be done in `folder`, and whether that is outside of `workspace`. Pure, whatever the text."""
    reading = _read_act(act, text, target, folder, tool)
    return reading if not workspace or is_within(_plain(folder), _plain(workspace)) else _outside(reading)


def _plain(folder: str) -> str:
    return posixpath.normpath(folder) if folder else ""


def _outside(reading: ActReading) -> ActReading:
    """Return what the same is beside the folder that an agent works in."""
    effects = frozenset(_BESIDE.get(effect, effect) for effect in reading.effects)
    found = _judged(effects, understood=reading.understood, is_grave=reading.risk is Risk.HIGH)
    found = replace(found, doubt=reading.doubt, named=reading.named, written=reading.written)
    return replace(found, tree_changes=reading.tree_changes)


def _read_act(act: Act, text: str, target: str, folder: str, tool: str) -> ActReading:
    match act:
        case Act.COMMAND:
            return _of_powershell(text, folder) if is_powershell(tool) else _of_command(text, folder)
        case Act.FETCH:
            return _of_fetch(target, folder) if target else _of_command(f"curl -- {shlex.quote(text)}", folder)
        case Act.EDIT:
            return _of_edit(target, text, folder)
        case Act.READ:
            return _of_read(target, text, folder)
        case Act.PLAN | Act.QUESTION:
            return ActReading(risk=Risk.LOW)
        case Act.OTHER:
            return _of_tool(text, folder, tool)


def dangerous_parts(act: Act, text: str) -> tuple[PermissionMark, ...]:
    """Return where in a command what is dangerous stands, in its order; `text` is as the person sees it."""
    if act is not Act.COMMAND:
        return ()
    reading = read_command(text)
    found = {span: effect for piece in reading.evidence for span, effect in _places(piece, text)}
    return tuple(PermissionMark(start=start, end=end, effect=effect) for (start, end), effect in sorted(found.items()))[
        :MARKS_MAX
    ]


def deleted_by(text: str) -> str:
    """Return what a command deletes where it does nothing else: `build` of `rm -rf build`; else nothing."""
    calls = parse(text).calls if len(text) <= COMMAND_CHARS_MAX else []
    if len(calls) != 1 or calls[0].inside or calls[0].redirects or not calls[0].words:
        return ""
    name, *rest = calls[0].words
    return " ".join(word for word in rest if not word.startswith("-")) if name in _DELETERS else ""


def _places(piece: str, text: str) -> Iterator[tuple[tuple[int, int], Effect]]:
    """Yield where a piece of evidence stands, whose spaces are single ones and whose end may be cut."""
    dangerous = [effect for effect in read_command(piece).effects if effect not in HARMLESS]
    words = r"\s+".join(re.escape(word) for word in piece.split())
    for match in re.finditer(words, text) if words and dangerous else ():
        yield match.span(), dangerous[0]


@lru_cache(maxsize=READINGS_KEPT_MAX)
def _of_command(text: str, folder: str) -> ActReading:
    reading = read_command(text, folder)
    judged = _judged(frozenset(reading.effects), understood=reading.understood, is_grave=_is_grave(reading))
    return replace(
        judged,
        doubt=reading.doubt,
        stays=reading.stays,
        named=reading.named,
        written=reading.written,
        is_open_ended=reading.is_open_ended,
        tree_changes=reading.tree_changes,
    )


def _of_powershell(text: str, folder: str) -> ActReading:
    """Judge a line of PowerShell, which is not understood where bash would part it otherwise."""
    line = as_bash(text)
    reading = _of_command(text if line is None else line, folder)
    if line is not None:
        return reading
    risk = Risk.HIGH if reading.risk is Risk.HIGH else Risk.MEDIUM
    return replace(reading, understood=False, stays=False, risk=risk)


def _of_tool(text: str, folder: str, tool: str) -> ActReading:
    """Judge a tool of some server by all that it would do, and the riskiest of it; a name alone makes no low risk."""
    tool_reading = read_tool(tool, text, folder)
    readings = [
        read_act(one.act, one.text, one.target, one.folder or folder, one.tool, workspace=folder)
        for one in tool_reading.parts
    ]
    effects = tool_reading.effects.union(*(one.effects for one in readings))
    understood = tool_reading.known and all(one.understood for one in readings)
    found = _judged(effects, understood=understood, is_grave=any(one.risk is Risk.HIGH for one in readings))
    named = tuple(path for one in readings for path in one.named)
    found = replace(found, named=named, written=tuple(path for one in readings for path in one.written))
    risk = Risk.HIGH if found.risk is Risk.HIGH else Risk.MEDIUM
    return replace(found, risk=risk, is_open_ended=any(one.is_open_ended for one in readings))


def _judged(
    effects: frozenset[Effect], *, understood: bool = True, is_grave: bool = False, stays: bool = False
) -> ActReading:
    ordered = tuple(effect for effect in Effect if effect in effects)
    hands_on = Effect.READS_SECRETS in effects and not _AWAY.isdisjoint(effects)
    if not _GRAVE.isdisjoint(effects) or hands_on or is_grave:
        risk = Risk.HIGH
    else:
        risk = Risk.LOW if effects and understood and HARMLESS.issuperset(effects) else Risk.MEDIUM
    return ActReading(effects=ordered, risk=risk, understood=understood, stays=stays)


def _is_grave(reading: CommandReading) -> bool:
    """Return True if nothing here brings back what it would do: no backup, no second look at the code."""
    return reading.deletes_elsewhere or reading.runs_fetched or _reaches_wide(reading)


def _reaches_wide(reading: CommandReading) -> bool:
    """Return True if something is deleted that is no single part of a project: a home, a system's folder, a disk."""
    if Effect.DELETES not in reading.effects:
        return False
    words = (word.strip("'\"") for piece in reading.evidence for word in piece.split()[1:])
    return any(is_wide(word) or is_system(word) for word in words)


def _of_fetch(address: str, folder: str) -> ActReading:
    """Judge a look at an address as a browser would read it, which passes over blanks and mends slashes."""
    said = _PASSED_OVER.sub("", address.strip(_BLANKS))
    path = path_of(said)
    if path:
        return _of_read(path, "", folder)
    page = _PAGE.match(said)
    if page is None:
        return replace(_of_command(f"curl -- {shlex.quote(said)}", folder), understood=False, risk=Risk.MEDIUM)
    host, rest = _HOST.match(page["rest"].replace("\\", "/")), page["rest"]
    reading = _of_command(f"curl -- {shlex.quote((page['scheme'] or 'https').lower() + '://' + rest)}", folder)
    name = host[0] if host else ""
    if "@" in name or len(name) > HOST_CHARS_MAX or any(len(label) > LABEL_CHARS_MAX for label in name.split(".")):
        effects = frozenset({*reading.effects, Effect.LEAVES_THE_MACHINE})  # the name itself may carry something away
        return _judged(effects, understood=reading.understood)
    return reading


def _of_read(target: str, text: str, folder: str) -> ActReading:
    """Judge a look into a file, or into those that fit a pattern; a search (`text`) through a home meets secrets."""
    secret = any(is_secret(one) or is_secret(posixpath.normpath(one)) for one in _spelled(target) if one)
    full = posixpath.normpath(posixpath.join(folder, target))
    secret = secret or _STORE.match(target) is not None
    secret = secret or (bool(text) and is_home(full) and not (is_project(folder) and is_within(full, _plain(folder))))
    stays = _place(target, folder) in _HERE
    found = _judged(frozenset({Effect.READS_SECRETS if secret else Effect.READS}), stays=stays)
    return replace(found, named=_in_full(target, folder))


def _spelled(pattern: str) -> list[str]:
    """Return the names that a pattern of files spells out, and those of `SECRETS` that it is meant to find."""
    found, is_whole = [pattern], True
    while is_whole and (choices := next(filter(None, map(_CHOICES.search, found)), None)):
        each = [(one, choices[1].split(",") if choices[0] in one else [""]) for one in found]
        is_whole = sum(len(words) for _, words in each) <= SPELLED_MAX
        found = [one.replace(choices[0], word, 1) for one, words in each for word in words] if is_whole else found
    names = [name for one in found for name in _LISTED.split(one)] if is_whole else []
    if not names or len(names) > SPELLED_MAX:
        return [pattern, *SECRETS]
    ends = [posixpath.basename(name) for name in names if _WILD.search(name)]
    meant = [one for end in ends if not fnmatchcase("a.txt", end) for one in SECRETS if fnmatchcase(one, end)]
    return [pattern, *meant, *(_WILD.sub("", one) for one in names)]


def _of_edit(target: str, text: str, folder: str) -> ActReading:
    """Return what a change of a file does; a patch may delete it, or another one."""
    root = _root(folder)
    found = written_place(target, root, (root,))
    if found is FilePlace.UNKNOWN:
        found = FilePlace.OUTSIDE
    effects = {WRITING.get(found, Effect.WRITES_IN_WORKSPACE)}
    is_unkept = found is FilePlace.INSIDE and is_secret(target)  # no commit holds what a file of secrets held
    effects |= {Effect.DELETES} if is_unkept or _DELETED.search(text) else set()
    judged = _judged(frozenset(effects), stays=found in _HERE)
    full = _in_full(target, folder)
    return replace(judged, named=full, written=full)


def _in_full(target: str, folder: str) -> tuple[str, ...]:
    """Return the path of a file that somebody can look up; nothing for one that only a shell finds."""
    full = posixpath.normpath(posixpath.join(folder, target))
    return (full,) if target and full.startswith("/") and not target.startswith(("~", "$")) else ()


def _place(target: str, folder: str) -> FilePlace:
    """Return where a file is."""
    root = _root(folder)
    return place_of(target, root, (root,))


def _root(folder: str) -> str:
    return posixpath.normpath(folder) if folder.startswith("/") else SOME_FOLDER
