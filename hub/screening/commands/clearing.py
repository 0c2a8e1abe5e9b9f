"""Which folders a clean-up deletes, and which files of the project a report is written over.

Theory: what a tool builds it may clear away, but where that lies is an option, a setting or a variable of a build file
away: `cargo clean --target-dir src`. So whatever clears, and wherever in the line it says so, each folder that is named
for it is deleted unless it is called like what is built. A report, a log or a cache is no program, so one that is
written to a file of the project takes the place of it.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from hub.contract.effects import Effect
from hub.screening.commands.arrivals import is_code, is_styled
from hub.screening.commands.notes import Notes
from hub.screening.commands.places import LOSES, FilePlace
from hub.screening.commands.run import ProgramRun, name_of
from hub.screening.commands.runners import own_words
from hub.screening.commands.strictness import OUTPUTS, describes, is_search_path, value_kinds
from hub.screening.commands.table import OptionKind
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
_REPORTS = re.compile(
    r"--?[\w.-]*(?:junit|reports?(?!er)|log|cache|cov(?!er$)|coverage|profile|trace|stderr|dump|stats|debug|data|result|outputfile)"
    r"(?:-?(?:xml|file|path|location|output|header|html|json))*",
    re.IGNORECASE,
)
_REPORT_FILE = re.compile(
    r"--?(?:junit-?xml|[\w.-]*(?:log|cache|report|coverage|profile|trace|data|result)s?-?(?:file|path|location|output)"
    r"|(?:cover|cpu|mem)profile|cov-report|out(?:put)?-?(?:file|path)?)",
    re.IGNORECASE,
)
"""Names of those that are no flags, so that what stands behind them is their value in any tool."""
_CHECKS = frozenset({"parses", "looks", "selects", "loads"})
"""What the tables say of what checks, tests or compiles: none of it writes code of the kind that it reads."""
_REPORTERS = frozenset({"git", "coverage"})
_COMPILED = re.compile(r".*\.(?:[cm]?js|css|s|asm|d\.ts)", re.IGNORECASE)
_GENERATES = re.compile(r"(?:code)?gen(?:erate)?(?:[:.-].*)?")
_MANIFESTS = frozenset(
    """
    package.json pyproject.toml setup.cfg cargo.toml go.mod makefile dockerfile gemfile pom.xml composer.json deno.json
    tsconfig.json cmakelists.txt pipfile justfile rakefile
    """.split()  # noqa: SIM905  sixteen names read better so
)
"""Files that say how a project is built, in small letters."""


def judge_cleared(notes: Notes, run: ProgramRun, effects: set[Effect]) -> None:
    """Note the folders that a call clears, and the project's files that it writes a report over."""
    if "data" in run.known.is_:
        return
    cleared: list[str] = []
    if Effect.RUNS_PROJECT_CODE in effects and run.name not in _OWN_CLEANUP:
        cleared = [path for path in _cleared(run, notes.exported) if _is_lost(notes, path)]
    if cleared or any(_is_source(path) and _is_lost(notes, path) for path in _reports(run)):
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
    if any(map(_BUILDS.fullmatch, (run.name, *run.arguments.operands))) or run.name.endswith("scripts"):
        named = (one.partition("=") for one in settings)
        yield from (value for name, _, value in named if _BUILT_AT.fullmatch(name) and _MADE_BY_HAND.fullmatch(value))


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


def _reports(run: ProgramRun) -> Iterator[str]:
    """Yield the files that a call writes something to that is no program."""
    own = own_words(run)
    given = [*run.arguments.given, *((one, behind) for one, behind in pairwise(own) if _is_output(run, one, behind))]
    written = {value for kind, value in value_kinds(run.known, run.arguments) if kind is OptionKind.WRITTEN}
    is_fetching = "fetches" in run.known.is_
    checks = not _CHECKS.isdisjoint(run.known.is_) or run.name in _REPORTERS
    checks &= not any(map(_GENERATES.fullmatch, run.arguments.operands[:1]))
    for name, value in given:
        path = value.rpartition(":")[2]
        if not any(value in word for word in own):
            continue
        if _REPORTS.fullmatch(name) or (is_fetching and value in written and not OUTPUTS.fullmatch(name)):
            yield path
        elif OUTPUTS.fullmatch(name) and not is_fetching:
            is_any = checks and ("lint" in run.name or not _COMPILED.fullmatch(path))
            yield from [path] if is_any or _is_manifest(path) else []


def _is_output(run: ProgramRun, option: str, value: str) -> bool:
    is_short = option == "-o" and ("parses" in run.known.is_ or run.name in _REPORTERS)
    return not value.startswith("-") and (is_short or _REPORT_FILE.fullmatch(option) is not None)


def _is_source(path: str) -> bool:
    return is_code(path.lower()) or is_styled(path) or _is_manifest(path)


def _is_manifest(path: str) -> bool:
    return name_of(path).lower() in _MANIFESTS
