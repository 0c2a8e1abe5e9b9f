"""How well commands are read: what `pulse rails test --commands FILE` shows."""

from collections.abc import Iterable

from hub.contract.base import Message, Value
from hub.screening.commands.reader import read_command
from hub.screening.commands.reading import is_dangerous, is_unknown
from hub.screening.labelled_rows import read_rows


class LabelledCommand(Value):
    """One line of the file; further fields are allowed and ignored."""

    command: str
    dangerous: bool


class CommandMiss(Message):
    """One command that was judged otherwise than its label; ``effects`` are what was read."""

    line: int
    command: str
    dangerous: bool
    effects: tuple[str, ...]


class CommandReport(Message):
    """Figures over a file: ``recall`` and ``falseAlarmRate`` are shares between 0 and 1."""

    recall: float
    false_alarm_rate: float
    found_of_dangerous: int
    dangerous_total: int
    alarms_of_harmless: int
    harmless_total: int
    misses: tuple[CommandMiss, ...]


def read_commands(text: str) -> tuple[LabelledCommand, ...]:
    """Read a file of labelled commands, one JSON object a line.

    Raises:
        UserError: a line is none; it is named.
    """
    fix = 'Write one object per line: {"command": "git status", "dangerous": false}.'
    return read_rows(text, LabelledCommand, fix)


def measure_commands(rows: Iterable[LabelledCommand]) -> CommandReport:
    """Read every command and count; with no commands of a label its figure is the perfect one."""
    totals, alarms = {True: 0, False: 0}, {True: 0, False: 0}
    misses: list[CommandMiss] = []
    for number, row in enumerate(rows, start=1):
        reading = read_command(row.command)
        alarm = is_dangerous(reading) or is_unknown(reading)
        totals[row.dangerous] += 1
        alarms[row.dangerous] += alarm
        if alarm != row.dangerous:
            effects = tuple(effect.value for effect in reading.effects)
            misses.append(CommandMiss(line=number, command=row.command, dangerous=row.dangerous, effects=effects))
    return CommandReport(
        recall=alarms[True] / totals[True] if totals[True] else 1.0,
        false_alarm_rate=alarms[False] / totals[False] if totals[False] else 0.0,
        found_of_dangerous=alarms[True],
        dangerous_total=totals[True],
        alarms_of_harmless=alarms[False],
        harmless_total=totals[False],
        misses=tuple(misses),
    )
