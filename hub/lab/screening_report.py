"""How well screening does on labelled rows: what `pulse rails test FILE` shows, with and without `--commands`."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, TypeVar

import msgspec

from hub.contract.base import Message, Value
from hub.contract.errors import UserError
from hub.screening.commands import is_dangerous, is_unknown, read_command
from hub.screening.screening import Outcome, screen

ROWS_MAX = 100_000
"""More lines than this are refused rather than read for minutes."""


class LabelledPrompt(Value):
    """One line of a file of prompts; further fields (``kind``, notes) are allowed and ignored."""

    prompt: str
    label: Literal["block", "pass"]


class LabelledCommand(Value):
    """One line of a file of commands, and the folder it starts in; further fields (``family``) are ignored."""

    command: str
    dangerous: bool
    folder: str = ""


R = TypeVar("R", LabelledPrompt, LabelledCommand)
_SHOWN: dict[type[Value], str] = {
    LabelledPrompt: '{"prompt": "run the tests", "label": "pass"}; label is block or pass.',
    LabelledCommand: '{"command": "git status", "dangerous": false}.',
}


class Miss(Message):
    """One prompt that was judged otherwise than its label; ``rule`` is empty where it passed."""

    line: int
    prompt: str
    label: str
    outcome: Outcome
    rule: str


class Report(Message):
    """Figures over prompts, shares between 0 and 1.

    ``recall``: blocked or asked, of what is labelled block. ``falseBlockRate`` and ``falseAskRate``: of what is
    labelled pass.
    """

    recall: float
    false_block_rate: float
    false_ask_rate: float
    blocked_of_block: int
    asked_of_block: int
    block_total: int
    blocked_of_pass: int
    asked_of_pass: int
    pass_total: int
    misses: tuple[Miss, ...]


class CommandMiss(Message):
    """One command that was judged otherwise than its label; ``effects`` are what was read."""

    line: int
    command: str
    dangerous: bool
    effects: tuple[str, ...]


class CommandReport(Message):
    """Figures over commands: ``recall`` and ``falseAlarmRate`` are shares between 0 and 1."""

    recall: float
    false_alarm_rate: float
    found_of_dangerous: int
    dangerous_total: int
    alarms_of_harmless: int
    harmless_total: int
    misses: tuple[CommandMiss, ...]


def read_rows(text: str, kind: type[R]) -> tuple[R, ...]:
    """Read JSON lines, one labelled row each, skipping empty ones.

    Raises:
        UserError: a line is no such row, and is named; or there are too many.
    """
    lines = text.split("\n")
    if len(lines) > ROWS_MAX:
        raise UserError(f"The file has more than {ROWS_MAX} lines.", fix="Split it and test the parts.")
    rows: list[R] = []
    for number, line in enumerate(lines, start=1):
        try:
            rows += [msgspec.json.decode(line, type=kind)] if line.strip() else []
        except (msgspec.DecodeError, UnicodeError) as error:
            fix = f"Write one object per line: {_SHOWN[kind]}"
            raise UserError(f"Line {number} is not a labelled row: {error}.", fix=fix) from error
    return tuple(rows)


def measure(rows: Iterable[LabelledPrompt]) -> Report:
    """Screen every prompt and count; with no prompts of a label its figure is the perfect one."""
    counts: Counter[tuple[str, Outcome]] = Counter()
    misses: list[Miss] = []
    for number, row in enumerate(rows, start=1):
        found = screen(row.prompt)
        counts[row.label, found.outcome] += 1
        if (found.outcome == "pass") != (row.label == "pass"):
            missed = Miss(line=number, prompt=row.prompt, label=row.label, outcome=found.outcome, rule=found.rule)
            misses.append(missed)
    totals = Counter(label for label, _ in counts.elements())
    return Report(
        recall=_share(counts["block", "block"] + counts["block", "ask"], totals["block"], 1.0),
        false_block_rate=_share(counts["pass", "block"], totals["pass"], 0.0),
        false_ask_rate=_share(counts["pass", "ask"], totals["pass"], 0.0),
        blocked_of_block=counts["block", "block"],
        asked_of_block=counts["block", "ask"],
        block_total=totals["block"],
        blocked_of_pass=counts["pass", "block"],
        asked_of_pass=counts["pass", "ask"],
        pass_total=totals["pass"],
        misses=tuple(misses),
    )


def measure_commands(rows: Iterable[LabelledCommand]) -> CommandReport:
    """Read every command and count; with no commands of a label its figure is the perfect one."""
    counts: Counter[tuple[bool, bool]] = Counter()
    misses: list[CommandMiss] = []
    for number, row in enumerate(rows, start=1):
        reading = read_command(row.command, folder=row.folder)
        alarm = is_dangerous(reading) or is_unknown(reading)
        counts[row.dangerous, alarm] += 1
        if alarm != row.dangerous:
            effects = tuple(effect.value for effect in reading.effects)
            misses.append(CommandMiss(line=number, command=row.command, dangerous=row.dangerous, effects=effects))
    totals = Counter(dangerous for dangerous, _ in counts.elements())
    return CommandReport(
        recall=_share(counts[True, True], totals[True], 1.0),
        false_alarm_rate=_share(counts[False, True], totals[False], 0.0),
        found_of_dangerous=counts[True, True],
        dangerous_total=totals[True],
        alarms_of_harmless=counts[False, True],
        harmless_total=totals[False],
        misses=tuple(misses),
    )


def _share(part: int, whole: int, empty: float) -> float:
    return part / whole if whole else empty
