"""Runs generated lines and counts what was not foretold, shortest line first."""

import sys

from hub.screening.commands.reading import CommandReading
from tests.hostile.executed.grammar import Built, Grammar, Line
from tests.hostile.executed.judging import Surprise, asks, read, surprise
from tests.hostile.executed.sandbox import run_lines
from tests.hostile.trial import Outcome

BATCH = 1_000
SHOWN = 40
SEED = 20261128
BLIND_SHARE = 0.2
DRAWN_FOR_EACH_MAX = 40
LOOKS_MIN, LINES_A_LOOK = 40, 10
"""Asking a program for its options takes as long as running a few lines."""


def run(attempts: int, seed: int = SEED) -> Outcome:
    """Run so many lines, and compare what each did with what was read in it."""
    grammar = Grammar(seed, looks=max(LOOKS_MIN, attempts // LINES_A_LOOK))
    blind = silent_ones(grammar, int(attempts * BLIND_SHARE))
    lines = [*grammar.lines(attempts - len(blind)), *blind]
    readings = [read(line) for line in lines]
    found: list[Surprise] = []
    late = 0
    for start in range(0, len(lines), BATCH):
        batch = lines[start : start + BATCH]
        for number, seen in enumerate(run_lines([line.text for line in batch]), start=start):
            late += seen.late
            found += [one] if (one := surprise(lines[number], readings[number], seen)) else []
        sys.stderr.write(f"{start + len(batch)} lines, {len(found)} surprises\n")
    found.sort(key=lambda one: (not one.is_silent, len(one.line.text), one.line.text))
    drawn = len(lines) - len(blind)
    figures = counted(lines[:drawn], readings[:drawn])
    figures |= {"with blind options": str(len(blind)), "silent surprises": str(sum(one.is_silent for one in found))}
    figures |= {"out of time": str(late), "not installed": " ".join(Grammar.left_out()) or "none"}
    notes = tuple(f"{one.line.text!r} did {'; '.join(one.what[:2])}; said {' '.join(one.said)}" for one in found)
    return Outcome(attempts=len(lines), got_through=len(found), figures=figures, notes=notes[:SHOWN])


def silent_ones(grammar: Grammar, count: int) -> list[Line]:
    """Return so many lines with blindly drawn options about which nobody would be asked, or fewer if they are rare."""
    found: dict[str, Line] = {}
    for _ in range(count * DRAWN_FOR_EACH_MAX):
        if len(found) == count:
            break
        line = grammar.wild()
        if not asks(read(line)):
            found.setdefault(line.text, line)
    return list(found.values())


def counted(lines: list[Line], readings: list[CommandReading]) -> dict[str, str]:
    """Return for what was built how much of it was not understood, and how much asks."""
    figures: dict[str, str] = {}
    for built in Built:
        ours = [reading for line, reading in zip(lines, readings, strict=True) if line.built is built]
        figures[f"{built} not understood"] = f"{sum(not reading.understood for reading in ours)} of {len(ours)}"
        figures[f"{built} asked"] = f"{sum(map(asks, ours))} of {len(ours)}"
    return figures
