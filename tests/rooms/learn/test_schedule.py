"""When a training is due (CROSSPOLL 7.5)."""

from datetime import timedelta

import pytest

from hub.domain.training import TrainedModel
from hub.learn.pairs import due
from tests.conformance.store.samples import NOON

DAY = timedelta(days=1)


def trained(pairs: int, days_ago: float) -> TrainedModel:
    return TrainedModel(name="twin-1", by="local", at=NOON - days_ago * DAY, pairs=pairs)


@pytest.mark.parametrize(
    ("pairs", "last", "why"),
    [
        (0, None, ""),
        (49, None, ""),
        (50, None, "first"),
        (149, trained(50, 1), ""),
        (150, trained(50, 1), "new-pairs"),
        (51, trained(50, 6.9), ""),
        (51, trained(50, 7), "weekly"),
        (50, trained(50, 30), ""),
        (49, trained(90, 30), ""),  # many were taken back
        (51, trained(50, -1), ""),  # a clock that was set back
    ],
)
def test_it_is_due(pairs: int, last: TrainedModel | None, why: str) -> None:
    assert due(pairs, last, NOON) == why
