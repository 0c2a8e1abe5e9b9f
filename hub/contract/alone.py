"""How far Pulse has come in acting alone, and what happened while the person was away: parts of the status."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.base import HubMessage

Number = Annotated[int, Meta(ge=0)]
Moment = Annotated[datetime, Meta(tz=True)]


class AloneProgress(HubMessage):
    """How far Pulse has come in acting alone: `new` and `learning` ask about everything, `trusted` has leave for some.

    `says` is that in English, with what comes next; the other fields are what it is made of, for whoever says it in
    another language. `answers` were given so far, `left` more of them end `new`; `row` is the longest row of yeses to
    the same work that lasts, `needed` how long one has to be before Pulse asks (0: it never does); `allowed` is how
    many things may run without asking.
    """

    phase: Literal["new", "learning", "trusted"]
    says: str
    answers: Number = 0
    row: Number = 0
    left: Number = 0
    needed: Number = 0
    allowed: Number = 0


class AwaySummary(HubMessage):
    """What happened while the person was away, once they are back: `says` in English, and what it is made of."""

    says: str
    since: Moment
    until: Moment
    alone: Number = 0
    failed: Number = 0
    approved: Number = 0
    rejected: Number = 0
    made: Number = 0
    finished: Number = 0
    pairs: Number = 0
    waiting: Number = 0
