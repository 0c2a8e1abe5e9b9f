"""Where the files are that a call reads and writes, by its options and operands."""

import posixpath
import re
from itertools import pairwise

from hub.contract.effects import Effect
from hub.screening.commands.archives import archive_of_all, hands_over_secret, prints_packed, shows_folder
from hub.screening.commands.circumstances import shows_secrets
from hub.screening.commands.clearing import judge_cleared
from hub.screening.commands.finding import (
    FINDERS,
    HANDS_OVER,
    PACKERS,
    SHOWERS,
    finds_secret,
    found_files,
    hands_over_hidden,
    lists_hidden,
    matches_secret,
    passes_on,
    searches_all,
    shows_all,
)
from hub.screening.commands.notes import Notes
from hub.screening.commands.operands import CLASSES, is_secret, is_temporary
from hub.screening.commands.places import ELSEWHERE, FilePlace, is_within
from hub.screening.commands.run import INSTALLED, ProgramRun, is_flagged, name_of, reads_script
from hub.screening.commands.strictness import OUTPUTS, value_kinds
from hub.screening.commands.table import OptionKind, starts
from hub.screening.commands.unnamed import MOVES_FILES, held_places, judge_unnamed

_GLUED_OUTPUT = re.compile(r"-[oO]((?:[/~]|\.\./).*)")
_CHANGES_FOLDER = frozenset({"env", "systemd-run"})
_FOLDER_OPTIONS = ("-C", "--chdir", "--working-directory")
_LOOKING = frozenset({Effect.READS, Effect.READS_SECRETS})
_LOOKS_AT = re.compile(
    r"exclude|ignore|omit|skip|filter|conf|glob|env|settings|project|input|source|watch|include|root|mount|volume"
    r"|label|message|title|body|select|keyword|match|only|^-(?-i:[eIXkxm])$",
    re.IGNORECASE,
)
"""Names of options whose value is read, left out or looked for."""
_PIECES = re.compile(r"[=:,;]")
_GLUED = re.compile(r"-[A-Za-z]{1,2}(?=[./])|-[^/.=:,]*[=:,]")
_MAKES_FOLDERS = frozenset({"-d", "--directory"})
_PATH = re.compile(r"(?!//)[^:=]*/[^:=]*")
"""A path, and no target of a build (`//core:all`), setting (`A=/b`), address or switch (`/t:Build`)."""
RUN_PLACES = 3
"""What is run stands behind the program, or behind its subcommand, or the folder that it is written to does."""
_UP = frozenset({"..", "~"})
"""A folder around the one where a command runs, or the home."""
_KEYED = re.compile(r"(?:of|if)=")
_LEADS_OUT = re.compile(r"://|=(?:/|~|\.\.)|^[\w.-]+@[\w.-]+:")
"""A word that names another machine, or a place outside behind its option."""
_DECIDES = re.compile(r"/(?:config|hooks/[\w-]+)$")
"""Files in a repository's folder that name programs, or are some."""
_TELLERS = frozenset({"echo", "printf", "print", "ls"})
_FED_NAMES = frozenset({"--batch", "--batch-command", "--stdin"})
_NAMES = ("--include", "-g", "--glob", "--iglob")
"""Options of what searches that say in which files."""
_OF_REPOSITORY = {
    "git": ("-C", "--git-dir", "--work-tree"),
    **dict.fromkeys(("hg", "jj"), ("-R", "--repository", "--cwd")),
}
_PATTERNS = frozenset({"-e", "-f", "--expression", "--regexp", "--file", "--source"})
_SKIP_HIDDEN = frozenset({"fd", "fdfind", "fd-find"})
_HIDDEN_TOO = frozenset({"-H", "--hidden", "-u", "--unrestricted", "-HI", "-IH", "-uu"})
_ALL_TOO = frozenset({"--no-index", "--no-exclude-standard"})
"""With these `git grep` searches what git leaves out, too."""
_ELSEWHERE = frozenset({FilePlace.OUTSIDE, FilePlace.RULES})


def judge_files(notes: Notes, run: ProgramRun, effects: set[Effect]) -> None:
    """Note what a call does to the files that it names, and whether all of them are inside."""
    known = run.known
    _secrets(notes, run)
    _values(notes, run, effects)
    if run.name in _OF_REPOSITORY:
        _repository(notes, run)
    _outputs(notes, run)
    _made(notes, run)
    if not _LOOKING.issuperset(effects) and run.name != "git" and "data" not in known.is_:
        _rules_named(notes, run, is_runner=Effect.RUNS_PROJECT_CODE in effects)
    if run.name == "ln" and run.arguments.operands and run.call.is_repeated:
        _link(notes, run.arguments.operands)  # the second time it is made in the folder that the first one leads to
    judge_unnamed(notes, run, effects)
    judge_cleared(notes, run, effects)
    if Effect.RUNS_PROJECT_CODE in effects and not all(is_within(one, notes.root) for one in notes.folders):
        notes.stays = False
        if ELSEWHERE in notes.folders:
            notes.doubts(run.call.source)
        elif notes.is_foreign():
            notes.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)
    is_listed = not known.has_subcommands or known.harmless_options(run.arguments) is not None
    is_away = any(starts(prefix, run.arguments.operands) for prefix in known.away)
    notes.stays &= is_listed and not is_away
    if "data" not in known.is_:
        notes.stays &= not any(map(_LEADS_OUT.search, run.rest))
        _operands(notes, run, effects)
        if Effect.RUNS_PROJECT_CODE in effects and not reads_script(run):
            _run_from_outside(notes, run)


def _secrets(notes: Notes, run: ProgramRun) -> None:
    """Note that a call may read a secret that is found or fed to it, or that a pattern of names lets it search."""
    options, sources = run.arguments.options, run.call.fed_by if run.depth else []
    hands_over = run.name in FINDERS and not HANDS_OVER.isdisjoint(run.rest)
    named = finds_secret(run.rest) if hands_over else ""
    if hands_over and run.name in _SKIP_HIDDEN and not _HIDDEN_TOO.isdisjoint(run.rest):
        named = named or next(filter(matches_secret, run.arguments.operands[:1]), "")
    if {Effect.READS} == {effect for rule in run.known.rules for effect in rule.effects if not rule.tests}:
        named = named or next((one for name in _NAMES for one in options.get(name, []) if is_secret(one)), "")
    if sources and is_flagged("feeds", run.call.words) and "blind" not in run.known.is_:
        name, *words = [*sources[-1].words, ""]
        told = next(filter(is_secret, words), "") if name in _TELLERS else ""
        named = named or told or (finds_secret(words) if name_of(name) in FINDERS else "")
    is_told = (run.name == "git" and _is_told_secret(run)) or (options and shows_secrets(options))
    full = (each for word in run.arguments.values() for each in notes.in_full(word))
    is_told = is_told or hands_over_secret(run.rest) or shows_folder(run) or prints_packed(run, notes.packed, full)
    if archive := archive_of_all(run):
        notes.packed |= set(notes.in_full(archive))
    if named or is_told or _shows_hidden(run, is_found=hands_over):
        notes.add([Effect.READS_SECRETS], run.call.source)


def _is_told_secret(run: ProgramRun) -> bool:
    """Return True if git shows what it is fed the name of, and that holds secrets: `echo HEAD:.env | git cat-file`."""
    if _FED_NAMES.isdisjoint(run.arguments.options):
        return False
    source = run.call.fed_by[-1].words if run.call.fed_by else []
    fed = " ".join([run.call.fed_text or "", *(source if source[:1] and source[0] in _TELLERS else [])])
    return CLASSES["secretspec"](fed.split(), [])


def _shows_hidden(run: ProgramRun, *, is_found: bool) -> bool:
    """Return True if all of files is shown that nobody named, of which one may hold secrets: `cat $(ls -A)`."""
    if run.name == "git" and run.arguments.operands[:1] == ["grep"] and not _ALL_TOO.isdisjoint(run.arguments.options):
        return searches_all("grep", {**run.arguments.options, "-r": []}, run.arguments.operands[1:])
    if "pattern" in run.known.is_ and not is_found:
        return searches_all(run.name, run.arguments.options, run.arguments.operands)
    if is_found or run.name not in SHOWERS:
        return is_found and hands_over_hidden([run.name, *run.rest])
    if not shows_all([run.name, *run.rest]):
        return False
    listed, sources = run.call.inside, run.call.fed_by
    while sources and passes_on(sources[-1].words):
        sources = sources[-1].fed_by
    if sources and (is_flagged("feeds", run.call.words) or name_of((sources[-1].words or [""])[0]) in PACKERS):
        listed = [*listed, sources[-1]]
    return any(lists_hidden(one.words) for one in listed)


def _repository(notes: Notes, run: ProgramRun) -> None:
    """Note a repository that anybody may have put there, or whose configuration the text wrote: it names programs."""
    named = [value for option in _OF_REPOSITORY[run.name] for value in run.arguments.options.get(option, []) if value]
    at = [posixpath.normpath(posixpath.join(each, one)) for each in notes.folders for one in named or ["."]]
    if any(is_temporary(one) and not is_within(one, notes.root) for one in at):
        notes.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)
    folders = [posixpath.normpath(posixpath.join(at, one)) for at in notes.folders for one in named] or notes.folders
    decided = [path for path in notes.written_to if _DECIDES.search(path)]
    if any(_DECIDES.sub("", path) == folder != notes.root for path in decided for folder in folders):
        notes.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)


def _found(run: ProgramRun, path: str, held: list[str]) -> str:
    """Return a path with what is put into it: a file that is found, or a word that is fed."""
    place = next((one for one in held if one in path), "")
    if not place or path == place or not run.depth:
        return path
    words = run.call.words
    name = name_of(words[0])
    if name not in FINDERS:
        return path.replace(place, "$", 1) if path.startswith(f"{place}/") and is_flagged("feeds", words) else path
    is_all = name not in _SKIP_HIDDEN or not _HIDDEN_TOO.isdisjoint(words)
    return path.replace(place, found_files(words[1:]) or place) if is_all else path


def _values(notes: Notes, run: ProgramRun, effects: set[Effect]) -> None:
    """Judge the options whose value is known to be a file or a folder."""
    source = run.call.source
    for kind, value in value_kinds(run.known, run.arguments):
        if kind is OptionKind.WRITTEN:
            notes.writes(value, source)
            notes.add([Effect.DELETES] if _is_same_for_each(run, value) else [], source)
            continue
        found = notes.place(value)
        notes.add([Effect.READS_SECRETS] if is_secret(value) else [], source)
        if found in {FilePlace.OUTSIDE, FilePlace.TEMPORARY} and Effect.RUNS_PROJECT_CODE in effects:
            notes.add([Effect.RUNS_UNKNOWN_CODE], source)
        elif found in _ELSEWHERE and Effect.WRITES_IN_WORKSPACE in effects:
            notes.add([Effect.CHANGES_SYSTEM], source)
        elif found is FilePlace.UNKNOWN and Effect.RUNS_PROJECT_CODE in effects:
            notes.doubts(value)
    if run.name in _CHANGES_FOLDER:
        for value in (one for option in _FOLDER_OPTIONS for one in run.arguments.options.get(option, [])):
            notes.move([value])


def _is_same_for_each(run: ProgramRun, output: str) -> bool:
    """Return True if each file that is found is written over, and not with what it held: `find -exec sort -o {} x`."""
    return output in held_places(run) and output not in run.arguments.operands


def _outputs(notes: Notes, run: ProgramRun) -> None:
    """Judge a file outside that stands behind an option which writes, or which nobody knows."""
    if "data" in run.known.is_:
        return
    listed = run.known.harmless_options(run.arguments) or {}
    for word, behind in pairwise([*run.rest, ""]):
        named = OUTPUTS.fullmatch(word) or _GLUED_OUTPUT.fullmatch(word)
        path = (named[1] or behind) if named else behind
        is_known = (
            not word.startswith("-")
            or word in listed
            or run.known.says_of(word, run.arguments)
            or len(word) == len("-x")
            or "=" in word
        )
        is_revision = path.startswith("HEAD") and "/" not in path
        if not path or path.startswith("-") or (not named and (is_known or is_revision or "tame" in run.known.is_)):
            continue
        found = notes.place(path)
        if named and _is_same_for_each(run, path):
            notes.add([Effect.DELETES], run.call.source)
        elif found in _ELSEWHERE or (named and found is FilePlace.UNKNOWN):
            notes.writes(path, run.call.source) if named else notes.doubts(word)


def _rules_named(notes: Notes, run: ProgramRun, *, is_runner: bool) -> None:
    """Note that a word of what writes or builds names a file that says what runs by itself, wherever in it.

    Tools that run a project's code have too many options to write for each to be listed; those that only look at such
    files, or leave them out, are known by what their options are called.
    """
    listed, option = run.known.harmless_options(run.arguments) or {}, ""
    words, values = run.rest, {value for _, value in run.arguments.given if value}
    if reads_script(run):  # what stands behind a script is that script's own
        places = zip(run.arguments.operands, run.arguments.places, strict=True)
        words = run.rest[: next((at for operand, at in places if "." in operand or "/" in operand), None)]
    for word in words:
        name, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
        option = name or option
        is_own = bool(name) or word in values or (is_runner and "looks" not in run.known.is_)
        is_data = listed.get(option) in {OptionKind.DATA, OptionKind.READ} and not OUTPUTS.fullmatch(option)
        is_read = is_data or _LOOKS_AT.search(option)
        glued = _GLUED.match(word)
        pieces = _PIECES.split(value if equals or not name else word[glued.end() :] if glued else "")
        named = (piece for piece in pieces if "/" in piece or "." in piece)
        if is_own and not is_read and any(map(notes.names_rules, named)):
            notes.add([Effect.CHANGES_PERMISSIONS], run.call.source)
        option = name


def _made(notes: Notes, run: ProgramRun) -> None:
    """Judge operands that are files or folders which a subcommand makes."""
    if any(starts(prefix, run.arguments.operands) for prefix in run.known.makes):
        for operand in run.arguments.operands:
            if "://" not in operand and notes.place(operand) in _ELSEWHERE:
                notes.writes(operand, run.call.source)


def _run_from_outside(notes: Notes, run: ProgramRun) -> None:
    """Note that what is run lies outside: a suite, a package, a file behind a subcommand."""
    end = run.rest.index("--") if "--" in run.rest else len(run.rest)
    for operand, at in list(zip(run.arguments.operands, run.arguments.places, strict=True))[:RUN_PLACES]:
        is_path = at < end and (_leads_up(notes, operand) or _PATH.fullmatch(operand))
        if is_path and notes.place(operand) is FilePlace.OUTSIDE and not INSTALLED.match(operand):
            notes.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)


def _leads_up(notes: Notes, path: str) -> bool:
    """Return True if a word is a folder around the project's; from one below it is not (`cd build; cmake ..`)."""
    if path not in _UP:
        return False
    full = (posixpath.normpath(posixpath.join(at, path)) for at in notes.folders)
    return path == "~" or not any(is_within(one, notes.root) for one in full)


def _operands(notes: Notes, run: ProgramRun, effects: set[Effect]) -> None:
    """Judge the operands that are names of files."""
    known, arguments = run.known, run.arguments
    has_pattern = "pattern" in known.is_ and _PATTERNS.isdisjoint(arguments.options)
    operands = arguments.operands[int(has_pattern) :]
    is_client = bool(known.away) and any(said[0] == "stdin" for rule in known.rules for said in rule.also)
    if known.has_subcommands or is_client:  # what a client names is a database
        written: list[str] = []
    elif "copies" in known.is_:
        is_made = run.name == "install" and not _MAKES_FOLDERS.isdisjoint(arguments.options)
        written = operands if is_made or run.name in MOVES_FILES else []
    else:
        ends = [int(one[1]) for rule in known.rules for one in rule.also if one[0] == "argv"]
        written = operands[: max(ends, default=None)] if Effect.WRITES_IN_WORKSPACE in effects else []
    held = held_places(run)
    for operand in operands:
        path = _found(run, operand.partition("=")[2] if _KEYED.match(operand) else operand, held)
        notes.place(path)
        if operand in written and not operand.startswith("if="):
            notes.writes(path, run.call.source)
    if run.name == "ln" and operands:
        _link(notes, operands)


def _link(notes: Notes, operands: list[str]) -> None:
    notes.link(operands[0], operands[1] if len(operands) > 1 else posixpath.basename(operands[0]))
