"""What leaves a file empty although no word of it says so: nothing is written to it, or all in it is edited away.

Theory: `: > f` and `cp /dev/null f` are two of many ways to write what holds nothing. So it is asked where the content
comes from, whichever program writes it; and of a script that edits a file, whether it keeps any line of that.
"""

import posixpath
import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise

from hub.contract.effects import Effect
from hub.screening.commands.arrivals import is_code
from hub.screening.commands.bringing import PASSING, READERS
from hub.screening.commands.finding import FINDERS
from hub.screening.commands.older import sources
from hub.screening.commands.run import ASSIGNMENT, ProgramRun, is_flagged, name_of
from hub.screening.commands.script import ProgramCall, Redirect
from hub.screening.commands.sed_edits import keeps_no_line
from hub.screening.commands.shell import echoed, parse
from hub.screening.commands.table import ProgramEntry, counting, program

_NOTHING = "/dev/null"
_STAGES_MAX = 4
"""So many stages of a pipeline are followed back to where nothing came from."""
_SILENT = frozenset(
    {
        *(":", "true", "false", "test", "[", "cd", "sleep", "wait", "exit", "return", "export", "unset", "shift"),
        *(
            "read",
            "mapfile",
            "readarray",
            "getopts",
            "let",
            "disown",
            "mkdir",
            "touch",
            "cp",
            "mv",
            "ln",
            "chmod",
            "rmdir",
        ),
    }
)
"""What prints nothing unless it fails or is asked to."""
_SETS = frozenset(
    {"set", "shopt", "trap", "umask", "alias", "unalias", "hash", "ulimit", "declare", "typeset", "local", "readonly"}
)
"""Built-in commands that print what is set, and nothing where they are told to set something."""
_SHOWN_SETTINGS = frozenset({"-o", "+o", "-p", "-S", "-a", "-f", "-F", "-l"})
_SELECTS = frozenset(
    {"grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd", "fdfind", "diff", "cmp", "comm", "seq", "pushd", "popd"}
)
"""What lists, finds or compares: nothing, where there is nothing, and no program in any case."""
_SAYS = frozenset({"echo", "printf"})
_PLAIN_WORK = frozenset({Effect.READS, Effect.WRITES_IN_WORKSPACE, Effect.DELETES, Effect.CHANGES_PERMISSIONS})
_SHOWS_FILES = frozenset({"show", "cat-file", "archive", "blame", "merge-file", "diff", "grep", "log"})
"""Subcommands of git that print what is in files."""
_SELECTED = ("-fprint", "-fprint0", "-fprintf", "-fls")
_PARTS = frozenset({"sort", "uniq", "cut", "comm", "wc", "nl", "shuf", "paste"})
"""What prints lines of the files that it names, in another order or in part: no program either."""
_GREPS = frozenset({"grep", "egrep", "fgrep", "rgrep", "zgrep", "rg"})
_SILENCED = {
    **dict.fromkeys(_GREPS, frozenset({"-q", "--quiet", "--silent"})),
    "cmp": frozenset({"-s", "--quiet", "--silent"}),
    "sort": frozenset({"-c", "-C", "--check"}),
}
"""By program, the options with which it prints nothing."""
_COLUMNS = frozenset({"-1", "-2", "-3"})
_QUERIES = frozenset({"jq", "gojq", "jaq"})
_INVERTS = frozenset({"-v", "--invert-match"})
_ANY_LINE = re.compile(r"\^?(?:\.\*)?\$?")
_CODE = {
    **dict.fromkeys(("python", "python3"), ("-c",)),
    **dict.fromkeys(("perl", "ruby", "node", "nodejs"), ("-e", "--eval")),
}
_NO_CODE = frozenset({"", "pass", ";", "0", "1"})
_ERRORS, _OUTPUT = "2", frozenset({"", "1"})
_DIVERTS = frozenset({">", ">>", ">|", "&>", "&>>", ">&"})
"""Signs by which what a call prints goes elsewhere than a redirect before it says."""
_NOISE = re.compile(r"(?:if=)?/dev/(?:zero|u?random)")
_ENDS = frozenset({"head", "tail", "shuf"})
_COUNTS = ("-c", "-n", "--bytes", "--lines", "--head-count")
_NO_LINES = re.compile(r"-0+")
_ZERO = re.compile(r"[-+]?0+[a-zA-Z]?")
_OUTPUTS = ("-o", "--output", "-t", "--target-directory")
_COPIES = frozenset({"install", "rsync", "ln", "uniq", "xxd", "dos2unix", "unix2dos"})
"""What makes its last operand of the others."""
_SOURCE_AND_TARGET = 2
_KEEPS_OLD = frozenset({"-n", "--no-clobber", "-i", "--interactive", "-b", "--backup", "-S", "--suffix", "-t"})
"""Options of `mv` with which no file is lost, and one with which the last operand is none that is written over."""
_OPEN_NAME = re.compile(r"[$`*?{}]")
_READ_LATE = frozenset({"uniq", "xxd"})
"""What empties its output before it reads its input: the same file twice is lost."""
_FORCES = frozenset({"-f", "--force"})
_SED = frozenset({"sed", "gsed"})
_AWK = frozenset({"awk", "gawk", "mawk", "nawk"})
_SCRIPTS = ("-e", "--expression", "--source")
_TO_OUTPUT = frozenset({"-p", "--stdout"})
_FROM_FILE = frozenset({"-f", "--file"})
_QUIET = frozenset({"-n", "--quiet", "--silent"})
_EXTENDED = frozenset({"-E", "-r", "--regexp-extended"})
_LINE_NOTHING = re.compile(r"\s*(?:\$_\s*=\s*(?:''|\"\"|undef)|undef\s+\$_|s(\W)\^?\.[*+]\$?\1\1[gsm]*)\s*;?\s*")
"""What Perl or Ruby does to each line so that none is left of it."""
_AWK_NOTHING = re.compile(r"\s*(?:0|\"\"|''|!1|1\s*==\s*0)?\s*")
_AWK_RULES = re.compile(r"(?>(?:[^{};\n]*+\{[^{}]*+\}\s*+)+)")
_EMPTY_BY_CUSTOM = re.compile(r"(?:.*/)?(?:__init__\.py|\.(?:git)?keep|\.nojekyll|py\.typed)")
"""Files that are made to hold nothing."""


def prints_nothing(call: ProgramCall, stages: int = _STAGES_MAX) -> bool:
    """Return True if a call surely prints nothing, or no more than blanks."""
    words = call.words
    name = name_of(words[0]) if words else ""
    if not words or words == ["eval"]:
        return call.fed_text is None and not call.fed_by
    if name in _SILENT or (name in _SETS and words[1:] and _SHOWN_SETTINGS.isdisjoint(words[1:])):
        return True
    said = echoed([call])
    if said is not None:
        return not said.strip() and call.open_words.isdisjoint(words)
    if (inner := _behind(call)) and stages:
        return all(prints_nothing(one, stages - 1) for one in inner)
    operands = [one for one in words[1:] if one[:1] != "-"]
    if name in PASSING and name not in {"install", "cp", "dd"}:
        reads = operands if name == "cat" else []
        return all(one == _NOTHING for one in reads) if reads else _is_fed_nothing(call, stages)
    reads_nothing = name in READERS and bool(operands) and all(one == _NOTHING for one in operands)
    return (
        reads_nothing
        or _counts_none(name, words[1:])
        or _keeps_nothing(name, words[1:])
        or _is_told_nothing(name, words[1:])
    )


def _behind(call: ProgramCall) -> list[ProgramCall]:
    """Return the calls that a wrapper runs, or a shell or `eval` reads: `nice true`, `sh -c :`."""
    known, words = program(name_of(call.words[0])), call.words[1:]
    if known is None:
        return []
    for kind, *given in (one for rule in counting(known, known.arguments(words)) for one in rule.also):
        if kind == "argv":
            arguments = known.arguments(words, stop=int(given[0]))
            inner = (at for at in arguments.places[int(given[0]) :] if not ASSIGNMENT.match(words[at]))
            return [replace(call, words=words[at:]) for at in inner][:1]
        if kind == "text":
            return parse(" ".join(known.arguments(words).operands)).calls
        if kind == "value" and given[1] == "shell":
            return [one for text in known.arguments(words).options.get(given[0], []) for one in parse(text).calls]
    return []


def loses_target(call: ProgramCall, redirect: Redirect, functions: AbstractSet[str]) -> bool:
    """Return True if what a file held that `>` names is lost, and nothing worth it is written there.

    What prints nothing by itself, as `exec` and one of the text's `functions` may do, counts as well.
    """
    target = redirect.target
    if redirect.descriptor == _ERRORS:
        return is_code(target)
    later = (one for one in call.redirects if one.at > redirect.at)
    is_diverted = any(one.sign in _DIVERTS and one.descriptor in _OUTPUT for one in later)
    prints_itself = call.words == ["exec"] or bool(call.words and name_of(call.words[0]) in functions)
    is_lost = prints_nothing(call) or _is_its_own(call, target) or _is_overwritten(call, target)
    return is_lost or (prints_itself and is_code(target)) or (is_diverted and redirect.descriptor in _OUTPUT)


def _is_overwritten(call: ProgramCall, target: str, stages: int = _STAGES_MAX) -> bool:
    """Return True if what a call prints takes the place of code, though it only finds or compares, or is noise."""
    return is_code(target) and _prints_no_code(call, stages)


def _prints_no_code(call: ProgramCall, stages: int) -> bool:
    """Return True if a call prints what was found, compared, sorted or counted, or noise."""
    name = name_of(call.words[0]) if call.words else ""
    if name in _SELECTS or any(map(_NOISE.fullmatch, call.words)):
        return True
    known = program(name) if name else None
    operands = known.arguments(call.words[1:]).operands if known else []
    if (name == "git" and _SHOWS_FILES.isdisjoint(operands[:1])) or (name in _PARTS and operands):
        return True
    if known is not None and _prints_no_content(name, known):
        return True
    return name in _PARTS | {"cat", "tee"} and _is_fed(call, stages, _prints_no_code)


def _prints_no_content(name: str, known: ProgramEntry) -> bool:
    """Return True if a program works on files, or looks at them, and prints nothing that is in one: `which`, `du`."""
    effects = {effect for rule in known.rules for effect in rule.effects}
    return "blind" in known.is_ and name not in _SAYS and not known.has_subcommands and effects <= _PLAIN_WORK


def _is_its_own(call: ProgramCall, target: str) -> bool:
    """Return True if a call reads a file that its own output goes to: it is empty before it is read."""
    return bool(call.words) and name_of(call.words[0]) in READERS and target in call.words[1:]


def is_replaced(run: ProgramRun) -> bool:
    """Return True if `mv` puts a file in the place of code that it is no other name of: `mv x src/a.py`."""
    operands, given = run.arguments.operands, {option for option, _ in run.arguments.given}
    keeps_old = not _KEEPS_OLD.isdisjoint(given) and _FORCES.isdisjoint(given)
    if run.name != "mv" or len(operands) != _SOURCE_AND_TARGET or keeps_old:
        return False
    old, new = (name_of(one) for one in operands)
    is_renamed = old.partition(".")[0] == new.partition(".")[0] or old.rpartition(".")[2] == new.rpartition(".")[2]
    return is_code(new) and not is_renamed and not any(map(_OPEN_NAME.search, operands))


def is_made_empty(path: str) -> bool:
    """Return True if a file of this name holds nothing as a rule."""
    return _EMPTY_BY_CUSTOM.fullmatch(path) is not None


def emptied_by(run: ProgramRun) -> list[str]:
    """Return the files that a call leaves empty by what it writes there."""
    own = next((emptied for programs, emptied in _EMPTIED_BY if run.name in programs), _by_copy)
    return own(run)


def _by_finder(run: ProgramRun) -> list[str]:
    return [file for option, file in pairwise(run.rest) if option in _SELECTED and is_code(file)]


def _by_tee(run: ProgramRun) -> list[str]:
    """Return the files to which nothing is written, or the same for each that is found, or what is made of them."""
    operands, words = run.arguments.operands, run.call.words
    is_each = run.depth > 0 and (name_of(words[0]) in FINDERS or is_flagged("feeds", words))
    if is_each or "{}" in operands or _is_fed_nothing(run.call, _STAGES_MAX):
        return operands or ["."]
    if "-a" in run.arguments.options:
        return []
    fed, feeding = run.call.fed_by, sources(run.call)[1:]
    return [
        file
        for file in operands
        if any(_reads(one, file) for one in feeding) or any(_is_overwritten(one, file) for one in fed)
    ]


def _reads(call: ProgramCall, file: str) -> bool:
    """Return True if a call names a file, or is fed it."""
    named = [*call.words[1:], *(one.target for one in call.redirects if one.sign == "<")]
    return posixpath.normpath(file) in map(posixpath.normpath, named)


def _by_line(run: ProgramRun) -> list[str]:
    options, operands = run.arguments.options, run.arguments.operands
    texts = options.get("-e", []) if options.keys() >= {"-i", "-p"} else []
    is_none = "-i" in options and _is_told_nothing(run.name, run.rest)
    return (operands or ["."]) if is_none or any(map(_LINE_NOTHING.fullmatch, texts)) else []


def _in_place(run: ProgramRun) -> list[str]:
    options, operands = run.arguments.options, run.arguments.operands
    edited = [*options.get("-i", []), *options.get("--in-place", [])]
    if ("" if run.name in _SED else "inplace") not in edited or not _keeps_nothing(run.name, run.rest, in_place=True):
        return []
    return operands[int(not any(one in options for one in _SCRIPTS)) :] or ["."]


def _by_copy(run: ProgramRun) -> list[str]:
    """Return what an option or the last operand names, where nothing or no line is written there; a link replaces."""
    name, operands, options = run.name, run.arguments.operands, run.arguments.options
    if name not in {"shuf", "ln"} | _READ_LATE and _NOTHING not in operands:
        return []
    outputs = [one for option in _OUTPUTS for one in options.get(option, []) if one]
    if outputs and _counts_none(name, run.rest):
        return outputs
    if name in _COPIES and not outputs and len(operands) > 1:
        outputs, operands = operands[-1:], operands[:-1]
    is_itself = name in _READ_LATE and [*map(posixpath.normpath, outputs)] == [*map(posixpath.normpath, operands[:1])]
    is_nothing = is_itself or (bool(operands) and all(one == _NOTHING for one in operands))
    if name == "ln" and not _FORCES.isdisjoint([*options, *(one for one, _ in run.arguments.given)]):
        return outputs if is_nothing else list(filter(is_code, outputs))
    return outputs if is_nothing and name != "ln" else []


def _by_dd(run: ProgramRun) -> list[str]:
    """Return the file that `dd` writes nothing to, or noise where code was."""
    operands = run.arguments.operands
    reads = any(one.startswith("if=") for one in operands) or not _is_fed_nothing(run.call, _STAGES_MAX)
    is_nothing, is_noise = f"if={_NOTHING}" in operands or not reads, any(map(_NOISE.fullmatch, operands))
    written = [one.removeprefix("of=") for one in operands if one.startswith("of=")]
    is_lost = is_nothing or "{}" in written  # each file that is found becomes the same
    return [file for file in written if is_lost or (is_noise and is_code(file))]


def _is_fed(call: ProgramCall, stages: int, prints: Callable[[ProgramCall, int], bool]) -> bool:
    """Return True if each stage of the pipeline before a call prints what is asked about."""
    return bool(call.fed_by) and stages > 0 and all(prints(one, stages - 1) for one in call.fed_by)


def _by_git(run: ProgramRun) -> list[str]:
    """Return what a merge with nothing leaves empty."""
    operands = run.arguments.operands
    is_merged = operands[:1] == ["merge-file"] and operands[3:4] == [_NOTHING]
    return operands[1:2] if is_merged and _TO_OUTPUT.isdisjoint(run.arguments.options) else []


def _is_fed_nothing(call: ProgramCall, stages: int) -> bool:
    if call.fed_text is not None:
        return not call.fed_text.strip() and not call.inside and not call.open_words
    if any(one.sign == "<" for one in call.redirects):
        return all(one.target == _NOTHING for one in call.redirects if one.sign == "<")
    return _is_fed(call, stages, prints_nothing)


def _counts_none(name: str, words: list[str]) -> bool:
    """Return True if a call is to print so many lines or characters, and that is none."""
    known = program(name) if name in _ENDS else None
    if known is None:
        return False
    options = known.arguments(words).options
    counts = (one for option in _COUNTS for one in options.get(option, []))
    return any(map(_NO_LINES.fullmatch, words)) or any(map(_ZERO.fullmatch, counts))


def _is_told_nothing(name: str, words: list[str]) -> bool:
    """Return True if a call is told to print nothing, runs no code, or leaves out all that it reads."""
    known = program(name)
    if known is None:
        return False
    arguments = known.arguments(words)
    options, operands = arguments.options, arguments.operands
    if not _SILENCED.get(name, frozenset()).isdisjoint(options) or (name == "comm" and options.keys() >= _COLUMNS):
        return True
    if name in _QUERIES:
        return operands[:1] == ["empty"]
    if name in _GREPS:
        patterns = [*options.get("-e", []), *options.get("--regexp", [])] or operands[:1]
        return not _INVERTS.isdisjoint(options) and any(map(_ANY_LINE.fullmatch, patterns))
    texts = [text for option in _CODE.get(name, ()) for text in options.get(option, [])]
    return bool(texts) and "-p" not in options and all(text.strip() in _NO_CODE for text in texts)


def _keeps_nothing(name: str, words: list[str], *, in_place: bool = False) -> bool:
    """Return True if a script of sed or awk prints nothing of what it reads, or what it prints takes its place."""
    known = program(name) if name in _SED | _AWK else None
    if known is None:
        return False
    arguments = known.arguments(words)
    given = [one for option in _SCRIPTS for one in arguments.options.get(option, [])]
    text = "\n".join(given or arguments.operands[:1])
    if name in _AWK:
        is_silent = _AWK_NOTHING.fullmatch(text) or _AWK_RULES.fullmatch(text.strip())
        return "print" not in text and is_silent is not None
    is_quiet, is_extended = (not one.isdisjoint(arguments.options) for one in (_QUIET, _EXTENDED))
    if not (given or arguments.operands) or not _FROM_FILE.isdisjoint(arguments.options):
        return False  # nobody reads the script
    return keeps_no_line(text, quiet=is_quiet, extended=is_extended, in_place=in_place)


_EMPTIED_BY = (
    (FINDERS, _by_finder),
    (frozenset({"tee", "sponge", "gtee"}), _by_tee),
    (frozenset({"dd"}), _by_dd),
    (frozenset({"git"}), _by_git),
    (frozenset({"perl", "ruby"}), _by_line),
    (_SED | _AWK, _in_place),
)
"""How it is told of programs that do not simply copy."""
