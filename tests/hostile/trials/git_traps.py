"""Each known way by which a repository makes git run a program, alone and all at once."""

import tempfile
from pathlib import Path

from tests.hostile.git_traps import PROGRAM_KEYS, sprung_by_us
from tests.hostile.trial import Outcome, Trial

SETS = ((*PROGRAM_KEYS,), *((key,) for key in PROGRAM_KEYS))


def run(attempts: int) -> Outcome:
    """Let the sensor, every playbook and the measuring of changes look at so many trapped repositories."""
    sprung: list[str] = []
    with tempfile.TemporaryDirectory(prefix="pulse-traps-") as name:
        for number in range(attempts):
            found = sprung_by_us(Path(name) / str(number), SETS[number % len(SETS)])
            sprung += sorted(found)
    return Outcome(
        attempts=attempts,
        got_through=len(sprung),
        figures={"keys": str(len(PROGRAM_KEYS))},
        notes=tuple(f"run: {key}" for key in sprung),
    )


TRIAL = Trial(
    name="git_traps",
    promise="no look at a repository runs a program that it names",
    run=run,
    short=1,
    long=len(SETS),
)
