"""When to train (CROSSPOLL 7.5): first with fifty pairs, then with every hundred new ones, or weekly."""

from datetime import datetime, timedelta
from typing import Literal

from hub.domain.training import TrainedModel
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
