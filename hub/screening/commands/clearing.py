"""Which folders a clean-up deletes.

Theory: what a tool builds it may clear away, but where that lies is an option, a setting or a variable of a build file
away: `cargo clean --target-dir src`. So whatever clears, and wherever in the line it says so, each folder that is named
for it is deleted unless it is called like what is built. A file that an option names for an output is written like any
other in the workspace.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from hub.contract.effects import Effect
from hub.screening.commands.notes import Notes
from hub.screening.commands.places import LOSES, FilePlace
from hub.screening.commands.run import ProgramRun
from hub.screening.commands.strictness import describes, is_search_path
from hub.screening.commands.unnamed import is_built

_CLEAR = r"(?:(?:real|dist|deep|full|maintainer-?)?clean|cleanup|clear|clobber|reset|prune|purge|wipe|empty|mrproper)"
_CLEARING_WORD = re.compile(rf"(?:^|[.:_-]){_CLEAR}(?:[:_-][\w:-]*|all|cache|build)?$", re.IGNORECASE)
"""`clean`, `deps.clean`, `clean:all`; not `clean.py`."""
_CLEARING_OPTION = re.compile(
    rf"--(?!no-)(?:\w+[-.])*{_CLEAR}(?:-?(?:all|cache|out(?:put)?|dest(?:ination)?|build|dir|folder|first|store))*"
    r"(?:=(?:true|1|yes|all|always))?",
    re.IGNORECASE,
)
"""`--clearCache`, `--output-clean`, `--emptyOutDir`; not `--clearMocks`, nor `--clearScreen`."""
_CLEARING_SETTING = re.compile(rf"([A-Z]+)_(?:\w+_)?{_CLEAR}=(?:1|true|yes|on)", re.IGNORECASE)
_NAMES_FOLDER = re.compile(r"(?:dirs?|directory|folder|path|location|scratch|work)$", re.IGNORECASE)
_NAMES_BUILT = re.compile(r"(?:^|[-_.])(?:out(?:put)?(?:_\w+)?|dist|dest(?:ination)?|build|cache|site)$", re.IGNORECASE)
_WHERE_IT_RUNS = re.compile(
    r"(?:cwd|chdir|prefix|home|search|(?:project|root|src|source|working|config|settings|manifest|include|test|user|java"
    r"|bin|lib|python|node)[-_.]?(?:dir(?:ectory)?|path|folder|location))$",
    re.IGNORECASE,
)
"""Names of options and settings that say where something is found, or where the tool works."""
_NO_FOLDER = re.compile(
    r"\d.*|true|false|yes|no|on|off|all|none|auto|debug|release|dev\w*|prod\w*|json|text", re.IGNORECASE
)
_MADE_BY_HAND = re.compile(r"\.{1,2}(?:/.*)?|(?:src|sources?|lib|tests?|packages|app)(?:/.*)?")
_ASSIGNED = re.compile(r"(?:-[PD]|--|[/-]p:)?([\w.-]+)[:?+]?=(.*)", re.DOTALL)
_SHORT = frozenset({"-d", "-b", "-o", "-O", "-B"})
"""Options of one letter that name a folder for what is built, in most tools that have them."""
_SETS = frozenset({"-P", "-D", "--define"})
_OWN_CLEANUP = frozenset({"git", "docker", "podman", "nerdctl", "kubectl", "ssh"})
"""What clears no folder that its options name, or none of this machine."""
_BUILDS = re.compile(r"(?:[\w-]+:)*build(?:[:-][\w:-]+)?", re.IGNORECASE)
_BUILT_AT = re.compile(r"(?:BUILD|OUT|OUTPUT|DIST)_?(?:PATH|DIR|FOLDER)")
"""Settings by which what builds for the web is told which folder to empty and fill."""
_REPORTS_AT = re.compile(r"\w+_(?:OUTPUT|REPORT|RESULTS?|ARTIFACTS?)(?:_(?:DIR|FOLDER|PATH))?")
"""Settings by which what tests is told so."""


def judge_cleared(notes: Notes, run: ProgramRun, effects: set[Effect]) -> None:
    """Note the folders that a call clears."""
    if "data" in run.known.is_ or Effect.RUNS_PROJECT_CODE not in effects or run.name in _OWN_CLEANUP:
        return
    if any(_is_lost(notes, path) for path in _cleared(run, notes.exported)):
        notes.add([Effect.DELETES], run.call.source)


def _is_lost(notes: Notes, path: str) -> bool:
    """Return True if a path is neither that of what is built nor temporary."""
    place = notes.place(path, noted=False)
    return not is_built(notes, path) and place in LOSES | {FilePlace.OUTSIDE, FilePlace.RULES}


def _cleared(run: ProgramRun, exported: list[str]) -> Iterator[str]:
    """Yield the folders that are named in a call that clears, or in one that builds into a folder which it empties."""
    settings = [one for one in (*run.call.settings, *exported) if not is_search_path(one)]
    words = [word for before, word in pairwise(["", *run.rest]) if not describes(before)]
    if any(map(_clears, words)):
        yield from _folders(run.rest, settings)
        yield from (value for name, value in run.arguments.given if name in _SHORT and value)
    own = (_CLEARING_SETTING.fullmatch(one) for one in settings)
    if any(one is not None and one[1].lower() == run.name for one in own):
        yield from run.arguments.operands[1:]
    builds = any(map(_BUILDS.fullmatch, (run.name, *run.arguments.operands))) or run.name.endswith("scripts")
    for name, _, value in (one.partition("=") for one in settings if _MADE_BY_HAND.fullmatch(one.partition("=")[2])):
        if (builds and _BUILT_AT.fullmatch(name)) or _REPORTS_AT.fullmatch(name):
            yield value


def _clears(word: str) -> bool:
    if word.startswith("-") and "=" not in word:
        return _CLEARING_OPTION.fullmatch(word) is not None
    is_told = word.startswith("-") and _CLEARING_OPTION.fullmatch(word) is not None
    return is_told or ("/" not in word and _CLEARING_WORD.search(word.rpartition("=")[2]) is not None)


def _folders(words: list[str], settings: list[str]) -> Iterator[str]:
    """Yield the values of options, settings and variables that name a folder for what is built."""
    for before, word in pairwise(["", *words, *settings]):
        assigned = _ASSIGNED.fullmatch(word)
        if assigned and _is_folder(assigned[1], assigned[2], is_set=not word.startswith("--")):
            yield assigned[2]
        is_value = before.startswith("-") and "=" not in before and not word.startswith("-") and not _clears(word)
        if not is_value or assigned:
            continue
        if _is_folder(before.lstrip("-"), word) or (before in _SHORT and _MADE_BY_HAND.fullmatch(word)):
            yield word


def _is_folder(name: str, value: str, *, is_set: bool = False) -> bool:
    """Return True if an option or a variable names a folder; what `is_set` may have any name."""
    if _WHERE_IT_RUNS.search(name) or not value or "://" in value:
        return False
    is_made = (is_set or name == "target") and _MADE_BY_HAND.fullmatch(value) is not None
    is_named = _NAMES_BUILT.search(name) is not None and _NO_FOLDER.fullmatch(value) is None
    return is_made or is_named or _NAMES_FOLDER.search(name) is not None
