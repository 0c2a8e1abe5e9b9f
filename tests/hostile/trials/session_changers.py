"""Forkers that change their session while they are ended, that hide, and that turn on their supervisors."""

import asyncio
import statistics
import tempfile
from pathlib import Path

from tests.hostile.session_changers import ATTACKS, QUICK, outlived
from tests.hostile.trial import Outcome, Trial


def run(attempts: int) -> Outcome:
    """Start so many attackers, one after the other, stop each, and ask the kernel who is left."""
    kinds = QUICK if attempts <= len(QUICK) else tuple(ATTACKS)
    escaped: list[str] = []
    took_s = []
    for number in range(attempts):
        attack = kinds[number % len(kinds)]
        with tempfile.TemporaryDirectory(prefix="pulse-forkers-") as name:
            alive, seconds = asyncio.run(outlived(Path(name), attack))
        took_s.append(seconds)
        if alive:
            escaped.append(attack)
    return Outcome(
        attempts=attempts,
        got_through=len(escaped),
        figures={
            "caught": f"{attempts - len(escaped)} of {attempts}",
            "end, median": f"{statistics.median(took_s):.2f} s",
            "end, longest": f"{max(took_s):.1f} s",
        },
        notes=tuple(f"escaped: {attack}" for attack in escaped),
    )


TRIAL = Trial(
    name="session_changers",
    promise="nothing that a run started outlives it, however it forks, hides or turns on its supervisors",
    run=run,
    short=len(QUICK),
    long=100,
)
