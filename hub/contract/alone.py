"""How far Pulse has come in acting alone, what happened while the person was away, and what a day brings."""

from datetime import date, datetime
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


DAY_ENTRIES_MAX = 12
DAY_TITLE_CHARS_MAX = 120


class DayEntry(HubMessage):
    """One thing of a day: a meeting, a task that is due, one that was due before, or something of the day after.

    `time` is on the person's own clock (`10:00`); empty for what lasts all day, and for what was due before.
    """

    kind: Literal["meeting", "task", "overdue", "tomorrow"]
    title: Annotated[str, Meta(max_length=DAY_TITLE_CHARS_MAX)]
    time: Annotated[str, Meta(max_length=5)] = ""


class DaySummary(HubMessage):
    """What a day brings, in its order, and what the day before brought: runs, answers, tasks that were ticked off.

    `more` is how many things of the day there are beyond those that are listed.
    """

    day: date
    entries: Annotated[tuple[DayEntry, ...], Meta(max_length=DAY_ENTRIES_MAX)] = ()
    more: Number = 0
    done: Number = 0
    failed: Number = 0
    approved: Number = 0
    rejected: Number = 0
    tasks: Number = 0
