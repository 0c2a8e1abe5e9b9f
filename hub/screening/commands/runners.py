"""What the words of a program that runs the project's code may hide: a command, code, or a path outside.

Theory: such a program takes more options than any table lists, and hands many of their values to a shell or loads
them. A word that can be neither a command nor code (a name, a number, a path or a pattern of paths) is let through,
as is one that only chooses what is run; the place that a path leads to is judged like that of any other. What stands
behind a script, behind `--`, or behind a command that the call runs is not its own.
"""

import re
from collections.abc import Iterator

from hub.screening.commands.operands import CLASSES, is_far
from hub.screening.commands.run import ProgramRun, reads_script
from hub.screening.commands.strictness import describes, may_hide, puts_out
from hub.screening.commands.table import counting, program, starts
from hub.screening.commands.verbs import is_quiet

_RUNS_TOOLS = frozenset({"npm", "pnpm", "yarn", "bun", "npx", "pnpx", "bunx", "yarnpkg"})
"""What hands on the words behind `--` to a tool of the project."""
_RUNS_FILES = frozenset({"go", "deno", "bun", "dotnet", "coverage", "cargo", "swift", "dart"})
"""What runs a file behind `run`, with all further words as that file's own."""
_RUNS_MAIN = frozenset({"java", "kotlin", "scala"})
"""What runs its first operand, with all further words as that program's own."""
_READ = frozenset({"argv", "text", "texts", "again", "npx", "first", "after", "code", "js", "python", "sql", "module"})
"""What else reads the operands, or some of them."""
_DATA = frozenset({"data", "words", "pattern", "selects", "looks", "parses"})
"""What the tables say of programs whose operands may hold any sign and are not run."""
_ONLY_READS = frozenset({"looks", "parses"})
"""What they say of programs that run none of the files they are given."""
_SETS = re.compile(r"[\w.-]+[+:?]?=.*", re.DOTALL)
_TASK = re.compile(r"[\w:.-]+\[[\w ,.:/@-]*\]|[\w-]+\((?>(?:\w+=(?:'[\w. -]*'|[\w.]+)(?:,\s)?)+)\)")
"""A task with its arguments, as `rake` or `nox` has it."""
_OPEN = re.compile(r"\$\(.*\)|`.*`|\$(?:\{?\w+\}?|[!?#$@*])", re.DOTALL)
"""What a shell puts another text in the place of."""
_VARIABLE = re.compile(r"\$(?:\{?\w+\}?|[!?#$@*])")
"""A variable alone in the place of a word."""
_TEXT = re.compile(r"[\w,:@%+-]+(?: [\w.,:@%+-]+)+")
"""Words in which no shell sees more than words."""
_GLUED = re.compile(r"-[A-Za-z][\w.-]+")
"""An option with one dash and a long name, as Go has it; elsewhere letters that are options of their own."""
_REGEX = re.compile(r"/[^/]*[|^$()][^/]*/")
"""A pattern between slashes: `/adds|removes/`."""
_PARTS = re.compile(r"[=,;]|::")
_SWITCH = re.compile(r"//|/[\w-]+:|/(?:m|nr|nologo|restore|bl|t|p|v)$")
"""A target of a build (`//core:all`), or a switch (`/t:Build`)."""


def own_words(run: ProgramRun) -> list[str]:
    """Return the words of a call without those of the program that it runs: what stands behind a script or `--`."""
    at = next((each for each, one in enumerate(run.rest) if one == "--"), len(run.rest))
    end = len(run.rest) if run.name in _RUNS_TOOLS else at
    if run.name in _RUNS_MAIN and "-jar" in run.rest:
        return run.rest[: run.rest.index("-jar") + 2]
    first = run.arguments.operands[:1]
    is_runner = run.name in _RUNS_FILES and first in (["run"], ["r"])
    is_main = run.name in _RUNS_MAIN or (reads_script(run) and first not in (["test"], ["bench"]))
    behind = 1 if is_runner else 0 if is_main else -1
    return run.rest[: run.arguments.places[behind] + 1 if 0 <= behind < len(run.arguments.places) else end]


def own_operands(run: ProgramRun, own: list[str]) -> list[tuple[str, str]]:
    """Return the operands among a call's own words, each with the word before it; none where something else reads them.

    The script of an interpreter is judged where it is run.
    """
    if "loads" not in run.known.is_ and reads_script(run):
        return []
    if any(said[0] in _READ for rule in counting(run.known, run.arguments) for said in rule.also):
        return []
    end = own.index("--") if "--" in own else len(own)
    given = zip(run.arguments.operands, run.arguments.places, strict=True)
    return [(own[at - 1] if at else "", one) for one, at in given if at < end]


def hidden_in(run: ProgramRun, own: list[str], operands: list[tuple[str, str]]) -> str:
    """Return a word that may be a command or code; empty where there is none."""
    for word in own:
        if word[:1] == "-" and "=" in word and _hides_glued(run, word):
            return word
    if not operands:
        return ""
    named = (rule for rule in run.known.rules if len(rule.words) > 1 and starts(rule.words, run.arguments.operands))
    is_data = not _DATA.isdisjoint(run.known.is_) or any(named)
    sets, tasks = "assigns" in run.known.is_, "tasks" in run.known.is_
    for before, one in operands:
        is_value = before.startswith("-") and before.lower() not in run.known.known
        is_told = is_data and not is_value
        is_told |= _is_told_recipe(run, one)
        is_told |= (sets and _SETS.fullmatch(one) is not None) or (tasks and _TASK.fullmatch(one) is not None)
        is_open = one in run.call.open_words or _VARIABLE.fullmatch(one) or one.startswith("$(xargs)")
        if not is_told and not describes(before) and may_hide(_OPEN.sub("x", one) if is_open else one):
            return one
    return ""


def _is_told_recipe(run: ProgramRun, word: str) -> bool:
    """Return True if a recipe of `just` that tests, builds or checks is told words that no program begins."""
    if run.name != "just":
        return False
    recipe, *told = run.arguments.operands
    is_text = word in told and is_quiet(recipe) and _TEXT.fullmatch(word) is not None
    return is_text and program(word.split(maxsplit=1)[0]) is None


def _hides_glued(run: ProgramRun, word: str) -> bool:
    """Return True if the value of an option with one dash and a long name may be a command: `-afterHook='rm x'`."""
    name, _, value = word.partition("=")
    is_known = not run.known.known.isdisjoint({name[:2], name, name.lower()})
    return _GLUED.fullmatch(name) is not None and not is_known and may_hide(value)


def loaded_by(run: ProgramRun, operands: list[tuple[str, str]]) -> Iterator[str]:
    """Yield what the operands name that may be loaded: files, and folders whose code is run."""
    if not _ONLY_READS.isdisjoint(run.known.is_):
        return
    if any(starts(prefix, run.arguments.operands) for prefix in run.known.makes):
        return
    loads = "loads" in run.known.is_
    for before, one in operands:
        if "://" in one:
            yield from [one] if is_far(one) or (loads and not CLASSES["local"]([one], [one])) else []
        elif not puts_out(before) and not (describes(before) and may_hide(one)):
            name, _, value = one.partition("=") if _SWITCH.match(one) else ("", "", one)
            parts = (part for part in _PARTS.split("" if puts_out(f"-{name}") else value) if "/" in part or part == "~")
            yield from (part for part in parts if not _REGEX.fullmatch(part))
