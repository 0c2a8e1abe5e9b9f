"""Runs generated lines and counts what was not foretold, shortest line first."""

import sys

from tests.hostile.executed.grammar import Built, Grammar
from tests.hostile.executed.judging import Surprise, asks, read, surprise
from tests.hostile.executed.sandbox import run_lines
from tests.hostile.trial import Outcome

BATCH = 500
SHOWN = 40
SEED = 20261128


def run(attempts: int, seed: int = SEED) -> Outcome:
    """Run so many lines, and compare what each did with what was read in it."""
    lines = Grammar(seed).lines(attempts)
    found: list[Surprise] = []
    asked = dict.fromkeys(Built, 0)
    unknown = dict.fromkeys(Built, 0)
    late = 0
    for start in range(0, len(lines), BATCH):
        batch = lines[start : start + BATCH]
        for line, seen in zip(batch, run_lines([line.text for line in batch]), strict=True):
            reading = read(line)
            asked[line.built] += asks(reading)
            unknown[line.built] += not reading.understood
            late += seen.late
            found += [one] if (one := surprise(line, reading, seen)) else []
        sys.stderr.write(f"{min(start + BATCH, len(lines))} lines, {len(found)} surprises\n")
    found.sort(key=lambda one: (not one.is_silent, len(one.line.text), one.line.text))
    counts = {built: sum(line.built is built for line in lines) for built in Built}
    figures = {f"{built} not understood": f"{unknown[built]} of {counts[built]}" for built in Built}
    figures |= {f"{built} asked": f"{asked[built]} of {counts[built]}" for built in Built}
    figures |= {"silent": str(sum(one.is_silent for one in found)), "out of time": str(late)}
    figures["programs not installed"] = " ".join(Grammar.left_out())
    notes = tuple(f"{one.line.text!r} did {'; '.join(one.what[:2])}; said {' '.join(one.said)}" for one in found)
    return Outcome(attempts=attempts, got_through=len(found), figures=figures, notes=notes[:SHOWN])
