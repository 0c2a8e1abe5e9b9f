"""A command's calls one by one, for whoever has to say whether two commands are alike.

A call is comparable only where its words say all of it: nothing runs within them, no variable stands for something
else, nothing but this call decides what its program's name means. What is not comparable is not alike anything.
"""

import re
from functools import lru_cache

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.screening.commands.limits import COMMAND_CHARS_MAX
from hub.screening.commands.reader import read_command
from hub.screening.commands.script import ProgramCall
from hub.screening.commands.shell import parse
from hub.screening.commands.table import Arguments, fitting, program

CALLS_COMPARED_MAX = 12
LINES_KEPT_MAX = 512
"""Commands whose calls are remembered: those on the last cards are compared with every new one."""
STAND_IN = "true"
"""Takes a call's place where the rest of its line is to be read alone."""
CHANGES_NAMES = frozenset(
    {"alias", ".", "source", "eval", "exec", "export", "declare", "typeset", "local", "readonly"}
) | {"unset", "trap", "set", "shopt", "hash", "enable", "builtin", "command", "pushd", "popd", "coproc"}
"""Calls after which a program's name, or a path, may mean something else."""
_ASSIGNS = re.compile(r"(?:^|[\s;&|(){}])[A-Za-z_]\w*\+?=")
_DEFINES = re.compile(r"\(\s*\)|<<|\bfunction\b")
_QUIET_TARGETS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "1", "2"})
_LOST = re.compile(r"[^\x00-\xfe]")
"""The parser reads all of these as one."""
_OPEN = re.compile(r"[$`]")
_RUNS_A_TASK = "script"


class CommandCall(Value):
    """One call: its words after quoting, its words as they stand, and what it would do by itself.

    `settled` is how many of the words say which program and which of its commands it is; 0 where that cannot be told.
    `options` and `operands` are the other words. `is_plain`: its words say all of it. `runs` is what else it runs:
    nothing, a task that the project named, or something that its words hold.
    """

    words: tuple[str, ...]
    source: str
    effects: tuple[Effect, ...] = ()
    understood: bool = False
    is_plain: bool = False
    settled: int = 0
    options: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    runs: str = ""


class CallSequence(Value):
    """The calls of a command in their order; none where they cannot be compared."""

    calls: tuple[CommandCall, ...] = ()


@lru_cache(maxsize=LINES_KEPT_MAX)
def calls_of(text: str) -> CallSequence:
    """Return the calls of a command that can be compared. Pure and total."""
    if len(text) > COMMAND_CHARS_MAX or _ASSIGNS.search(text) or _DEFINES.search(text) or _LOST.search(text):
        return CallSequence()
    script = parse(text)
    found = script.calls
    is_odd = script.broken or script.cut or not 0 < len(found) <= CALLS_COMPARED_MAX
    if is_odd or any(not call.words or call.words[0] in CHANGES_NAMES for call in found):
        return CallSequence()
    return CallSequence(calls=tuple(map(_call, found)))


def without(text: str, calls: tuple[CommandCall, ...]) -> str:
    """Return a command in which something harmless stands for each of these calls."""
    for call in calls:
        text = text.replace(call.source, STAND_IN, 1)
    return text


def _call(call: ProgramCall) -> CommandCall:
    reading = read_command(call.source)
    name, *rest = call.words
    known = program(name)
    is_plain = not (
        call.inside
        or call.settings
        or call.fed_text is not None
        or any(one.target not in _QUIET_TARGETS for one in call.redirects)
        or any(map(_OPEN.search, call.words))
    )
    arguments = known.arguments(rest) if known else Arguments()
    rules = fitting(known, arguments) if known else []
    module = name.startswith("python") and rest[:1] == ["-m"] and len(rest) > 1
    depth = max((len(rule.words) for rule in rules), default=0)
    if known and any(rule.words for rule in known.rules):
        depth = max(depth, 1)
    follows = {one[0] for rule in rules for one in rule.also}
    if module:
        settled, runs = len(("python", "-m", "module")), ""
    elif known is None or arguments.places[:depth] != list(range(depth)):
        settled, runs = 0, "unknown"
    else:
        settled, runs = 1 + depth, _runs(follows)
    return CommandCall(
        words=tuple(call.words),
        source=call.source,
        effects=reading.effects,
        understood=reading.understood,
        is_plain=is_plain,
        settled=settled,
        options=tuple(sorted(f"{key}={value}" for key, values in arguments.options.items() for value in values)),
        operands=tuple(arguments.operands[depth:]),
        runs=runs,
    )


def _runs(follows: set[str]) -> str:
    if not follows:
        return ""
    return "task" if follows == {_RUNS_A_TASK} else "words"
