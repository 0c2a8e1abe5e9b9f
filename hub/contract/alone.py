"""How far Pulse has come in acting alone, and what happened while the person was away: parts of the status."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.base import Message

Number = Annotated[int, Meta(ge=0)]
Moment = Annotated[datetime, Meta(tz=True)]


class AloneProgress(Message):
    """How far Pulse has come in acting alone: `new` and `learning` ask about everything, `trusted` has leave for some.

    `says` is that in words, with what comes next. `answers` were given so far, `row` is the longest row of yeses to the
    same work that lasts.
    """

    phase: Literal["new", "learning", "trusted"]
    says: str
    answers: Number = 0
    row: Number = 0


class AwaySummary(Message):
    """What happened while the person was away, once they are back: `says` in words, and the counts."""

    says: str
    since: Moment
    until: Moment
    alone: Number = 0
    failed: Number = 0
    approved: Number = 0
    rejected: Number = 0
    made: Number = 0
