"""What a call writes under names that its line does not spell out, and which folders it empties first.

Theory: a copy into a folder has the name of what was copied, which is read. The names in an archive, a patch or a
copied folder stand in no line. In a folder of their own they do no harm; where files lie that say what runs by itself,
one of them may be among those, so the call is not understood there.
"""

import posixpath
import re
from itertools import pairwise

from hub.contract.effects import Effect
from hub.screening.commands.arrivals import is_data
from hub.screening.commands.notes import Notes
from hub.screening.commands.places import GIT_TOP, LOSES, FilePlace
from hub.screening.commands.run import ProgramRun, is_flagged
from hub.screening.commands.spellings import matches_plain
from hub.screening.commands.table import fitting

MOVES_FILES = frozenset({"mv", "move", "move-item", "ren"})
_LOCAL = frozenset({"cp", "mv", "ln", "install"})
_LINKS = frozenset({"ln", "mklink"})
_SOFT_OPTIONS = frozenset({"-s", "--symbolic", "--symbolic-link"})
_LINK_OPTIONS = frozenset({"-l", "-s", "--link", "--symbolic-link"})
_TARGET_OPTIONS = ("-t", "--target-directory", "-destination")
_SOURCE_OPTIONS = "-f,--file,-i,--input"
_OUTPUT_OPTIONS = frozenset({"-o", "--output", "--output-document", "--out"})
_RECURSES = frozenset({"-r", "-R", "-a", "--recursive", "--archive"})
_WHOLE_OPTIONS = frozenset({"-T", "--no-target-directory"})
_PATH_OPTIONS = {"cp": {"--parents"}, "rsync": {"-R", "--relative"}}
_OPEN_NAME = re.compile(r"[$`]")
_WILD = re.compile(r"[*?\[]")
_REMOTE = re.compile(r"[\w.@-]{2,}:(?!\\)|\w+://|[A-Za-z]:[^\\]")
_FED = re.compile(r"-[IiJ].*|--replace(?:=.*)?|.*\{\}.*", re.DOTALL)
"""Words of what adds words to a call that put them where the line says, not behind it."""
_BUILT = re.compile(
    r"(?:^|[/._-])(?:build|built|dist|out|output|target|public|site|www|book|coverage|htmlcov|cov|reports?|results?"
    r"|te?mp|scratch|cache|gen|generated|vendor|node_modules|v?env|venvs?|artifacts?|release|wwwroot|obj)(?:$|[/._-])"
    r"|^/(?:var/)?tmp/",
    re.IGNORECASE,
)
"""Folders that hold what was built, so that it can be built again."""


def judge_unnamed(notes: Notes, run: ProgramRun, effects: set[Effect]) -> None:
    """Note what a call writes beyond the names in its line, and what it empties first."""
    if effects <= {Effect.READS}:
        return
    if "fetches" in run.known.is_ and _is_fed(run) and run.arguments.options.keys().isdisjoint(_OUTPUT_OPTIONS):
        notes.fills(".", run.name, run.call.source)
    if "copies" in run.known.is_:
        _copies(notes, run, run.arguments.operands)
    for deed, *given in (deed for rule in fitting(run.known, run.arguments) for deed in rule.deeds):
        if deed == "copies":
            _copies(notes, run, run.arguments.operands[int(given[0]) :])
        elif deed == "fills":
            _fills(notes, run, *given)
        elif deed == "rewrites":
            _rewrites(notes, run, run.arguments.operands[int(given[0]) :])
        elif not all(is_built(notes, each) for each in _named(run, given[0])):
            notes.add([Effect.DELETES], run.call.source)


def is_built(notes: Notes, path: str) -> bool:
    """Return True if a folder is called like one that holds what was built, so that it can be built again.

    One that the person's own settings name counts as such, and none that is only known when the command runs.
    """
    inside = posixpath.normpath(GIT_TOP.sub(notes.root, path).replace("$HOME", "~").replace("${HOME}", "~"))
    if _BUILT.search(inside.removeprefix(f"{notes.root}/")) is not None:
        return True
    is_told = notes.is_open(path) and notes.is_of_person(path)
    return is_told or notes.place(path, noted=False) is FilePlace.TEMPORARY


def _rewrites(notes: Notes, run: ProgramRun, operands: list[str]) -> None:
    """Judge files and folders that a tool rewrites where they are."""
    for each in operands:
        if notes.place(each) in {FilePlace.OUTSIDE, FilePlace.RULES}:
            notes.writes(each, run.call.source)


def _named(run: ProgramRun, at: str) -> list[str]:
    """Return what an operand or some options name."""
    return run.arguments.operands[int(at[1:]) :][:1] if at[0] == "@" else _values(run, at)


def _values(run: ProgramRun, names: str) -> list[str]:
    listed = names.split(",")
    given = [value for name in listed for value in run.arguments.options.get(name, []) if value]
    behind = (
        value for name, value in pairwise(filter(None, run.rest)) if name[0] == "-" != value[0] and name in listed
    )
    return given or list(behind)  # the tables need not list an option that has a value


def _copies(notes: Notes, run: ProgramRun, operands: list[str]) -> None:
    """Judge what stands behind a copy, a move or a link: a source's own name in a folder, or a new name for it."""
    source, options = run.call.source, run.arguments.options
    targets = [value for name in _TARGET_OPTIONS for value in options.get(name, []) if value]
    sources = [*options.get("-path", []), *(operands if targets or len(operands) == 1 else operands[:-1])]
    if _is_fed(run):
        if not targets:
            notes.doubts(run.name)  # the last of what is added is where it is written
        sources = [*sources, "$"]
    into = targets or (operands[-1:] if len(operands) > 1 else ["."] if run.name in _LINKS else [])
    is_link = run.name in _LINKS or (run.name == "cp" and not _LINK_OPTIONS.isdisjoint(options))
    is_hard = is_link and _SOFT_OPTIONS.isdisjoint(options)
    for each in sources if is_link else ():
        if notes.names_rules(each) or (notes.holds_rules(each) and not notes.is_top(each)):
            notes.add([Effect.CHANGES_PERMISSIONS], source)
        elif is_hard and notes.place(each) in {FilePlace.OUTSIDE, FilePlace.UNKNOWN}:
            notes.doubts(each)  # what is written to its new name later is written there, and no look finds it
    if run.name in MOVES_FILES and any(_is_moved_away(notes, sources, target) for target in into):
        notes.add([Effect.DELETES], source)
    for target in into:
        for each in sources:
            _arrives(notes, run, each, target)


def _arrives(notes: Notes, run: ProgramRun, each: str, target: str) -> None:
    """Judge one source in one target, which may be a folder or its new name."""
    source, options = run.call.source, run.arguments.options
    if _REMOTE.match(target) and run.name not in _LOCAL:
        return
    name = re.split(r"[/\\]", each.rstrip("/"))[-1]
    is_link = run.name in _LINKS
    held = held_places(run)
    if any(place in target for place in held):
        notes.writes_somewhere(target)
        return
    is_content = each.endswith(("/", "/.")) or name in {".", ".."} or not _WHOLE_OPTIONS.isdisjoint(options)
    if notes.holds_rules(target) and not notes.is_top(target):  # a folder may become it
        is_content |= run.name in MOVES_FILES or not _RECURSES.isdisjoint(options)
    if (
        (is_content and not is_link)
        or matches_plain(name)
        or _OPEN_NAME.search(name)
        or any(place in name for place in held)
    ):
        notes.fills(target, each, source)
        return
    path = target
    if not options.keys().isdisjoint(_PATH_OPTIONS.get(run.name, ())):
        path = posixpath.join(target, each.rpartition("/./")[2] if run.name == "rsync" else each)
    elif notes.holds_rules(target) or (notes.names_rules(posixpath.join(target, name)) and notes.is_open(target)):
        path = posixpath.join(target, name)
    notes.fills(path, each, source) if notes.holds_rules(path) else notes.writes(path, source)


def _is_fed(run: ProgramRun) -> bool:
    """Return True if names that are only known when it runs are added behind the words of a call."""
    words = run.call.words
    return bool(run.depth) and is_flagged("feeds", words) and not any(map(_FED.fullmatch, words))


def _is_moved_away(notes: Notes, sources: list[str], target: str) -> bool:
    """Return True if what was written by hand is moved to where the system clears up: `mv src /tmp`."""
    if not target.startswith("$(mktemp") and notes.place(target, noted=False) is not FilePlace.TEMPORARY:
        return False
    named = (one for one in sources if notes.place(one, noted=False) in LOSES and not is_built(notes, one))
    return not all(is_data(one.rstrip("/").rpartition("/")[2]) for one in named)


def held_places(run: ProgramRun) -> list[str]:
    """Return what in the words of a call stands for names that are only known when it runs: `{}`, `%` of `-I%`."""
    words = run.call.words if run.depth else []
    named = (word[2:] or behind for word, behind in pairwise([*words, ""]) if word[:2] in {"-I", "-J"})
    return ["{}", *filter(None, named)] if words else []


def _fills(notes: Notes, run: ProgramRun, options: str, at: str) -> None:
    """Judge names that only an archive or a patch knows, in the folder that an option or an operand names."""
    operands, source = run.arguments.operands, run.call.source
    read = [each.target for each in run.call.redirects if each.sign == "<"]
    shown = [*_values(run, _SOURCE_OPTIONS), *read, source][0]
    folders = _values(run, options) or ["."]
    if at == "/" and len(operands) > 1 and operands[-1].endswith("/"):
        folders = [operands[-1]]
    elif at[0] == "@":
        folders = _named(run, at) or folders
    named = operands[int(at) :] if at.isdigit() else []
    for folder in (each for each in folders if not _REMOTE.match(each)):
        for each in named:
            _is_named(notes, folder, each, source)
        if not named:
            notes.fills(folder, shown, source)


def _is_named(notes: Notes, folder: str, name: str, source: str) -> None:
    """Judge a name within an archive, or a pattern of such names, which also matches what is hidden."""
    plain = _WILD.split(name)[0]
    path = posixpath.join(folder, plain if plain == name else posixpath.dirname(plain))
    notes.fills(path, name, source) if notes.holds_rules(path) else notes.writes(posixpath.join(folder, name), source)
