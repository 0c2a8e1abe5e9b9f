"""When to train (CROSSPOLL 7.5): first with fifty pairs, then with every hundred new ones, or weekly."""

from datetime import datetime, timedelta
from typing import Literal

from hub.domain.training import TrainedModel, Training
from hub.learn.pairs.rows import PAIRS_MIN

NEW_PAIRS = 100
EVERY = timedelta(days=7)
Due = Literal["", "first", "new-pairs", "weekly"]


def due(pairs: int, last: TrainedModel | None, now: datetime) -> Due:
    """Say why a training is due, by how many pairs there are and what the last one had; empty while none is.

    The weekly one needs something new to learn, and none is due below the gate.
    """
    if pairs < PAIRS_MIN:
        return ""
    if last is None:
        return "first"
    new = pairs - last.pairs
    if new >= NEW_PAIRS:
        return "new-pairs"
    return "weekly" if new > 0 and now - last.at >= EVERY else ""


def is_offered(pairs: int, training: Training, now: datetime) -> bool:
    """Say whether a person is to be asked about a training: one is due, and they were not asked about the like lately.

    A question counts like a training here: after it, a hundred new pairs or a week and something new.
    """
    if not due(pairs, training.last, now):
        return False
    if training.offered_at is None:
        return True
    new = pairs - training.offered_pairs
    return new >= NEW_PAIRS or (new > 0 and now - training.offered_at >= EVERY)
