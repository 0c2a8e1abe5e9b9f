"""Every trial, short: nothing gets through. `./pulse test hostile` runs them long and prints the report."""

import pytest

from tests.hostile.collect import trials
from tests.hostile.trial import Trial


@pytest.mark.slow
@pytest.mark.parametrize("trial", trials(), ids=lambda trial: trial.name)
def test_nothing_gets_through(trial: Trial) -> None:
    outcome = trial.run(trial.short)

    assert outcome.attempts > 0
    assert outcome.got_through == 0, outcome
