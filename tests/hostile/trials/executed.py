"""Generated command lines, run for real in a container: nothing happens that the reading of the line did not say."""

from tests.hostile.executed.trial import run
from tests.hostile.trial import Trial

TRIAL = Trial(
    name="executed",
    promise="a command that was understood does nothing but what was said of it",
    run=run,
    short=300,
    long=10_000,
)
