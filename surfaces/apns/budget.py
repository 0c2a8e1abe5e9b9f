"""How often a watch face may be refreshed: 50 pushes in any 24 hours, and fresh until the evening. Pure.

Theory: the newest state is what counts, so changes between two pushes cost nothing. A push goes out at once as long as
enough is left to go on with one every 19 minutes until the day ends; otherwise it waits until 19 minutes after the last
one. So no state is older than 20 minutes in the day, whatever happens, and the evening has its share. The window of 24
hours slides, so it does not matter when Apple begins a new day. At night, and when nothing is left, the face is
refreshed by background pushes, which Apple does not count here but delivers as it likes, three an hour at most.
"""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Literal

from hub.contract.base import Value

PUSHES_MAX = 50
WINDOW = timedelta(hours=24)
PACE = timedelta(minutes=19)
BACKGROUND_PACE = timedelta(minutes=20)
BURST_PACE = timedelta(minutes=1)
"""Even with budget to spare, changes within a minute are one push."""


class Hours(Value):
    """From when to when a person looks at their wrist, in their own zone."""

    start: time = time(8)
    end_hour: int = 23


class Book(Value):
    """What was spent: the times of the pushes of the last 24 hours, and of the last background push."""

    spent: tuple[datetime, ...] = ()
    background_at: datetime | None = None


class Plan(Value):
    """When the next push may go, and how it is paid for."""

    at: datetime
    pays: Literal["budget", "background"]


def plan(book: Book, hours: Hours, now: datetime) -> Plan:
    """Say when a change that is known now may be shown; `now` is in the person's zone."""
    in_background = plan_background(book, now)
    day_start, day_end = _day(hours, now)
    if not day_start <= now < day_end:
        return min((in_background, Plan(at=_next_start(hours, now), pays="budget")), key=lambda one: one.at)
    last = book.spent[-1] if book.spent else None
    early, paced = _after(last, BURST_PACE, now), _after(last, PACE, now)
    if early < day_end and _lasts(book.spent, early, day_end):
        return Plan(at=early, pays="budget")
    if _count(book.spent, paced) < PUSHES_MAX and paced < day_end:
        return Plan(at=paced, pays="budget")
    return in_background


def plan_background(book: Book, now: datetime) -> Plan:
    """Say when a background push may go."""
    return Plan(at=_after(book.background_at, BACKGROUND_PACE, now), pays="background")


def spend(book: Book, done: Plan, now: datetime) -> Book:
    """Note a push; what is older than 24 hours is forgotten."""
    if done.pays == "background":
        return Book(spent=book.spent, background_at=now)
    kept = tuple(moment for moment in book.spent if moment > now - WINDOW)
    return Book(spent=(*kept, now), background_at=book.background_at)


def assumed(hours: Hours, now: datetime) -> Book:
    """Return what may have been spent where nothing is known: one push at each pace of the last 24 hours' day."""
    moments: list[datetime] = []
    moment = now - PACE
    while moment > now - WINDOW and len(moments) < PUSHES_MAX - 1:
        start, end = _day(hours, moment)
        if start <= moment < end:
            moments.append(moment)
        moment -= PACE
    return Book(spent=tuple(reversed(moments)))


def _lasts(spent: Sequence[datetime], at: datetime, day_end: datetime) -> bool:
    """Say whether, with a push at `at`, the pace can be kept all day, with never more than 50 in 24 hours."""
    planned = list(spent)
    moment = at
    while moment < day_end:
        if _count(planned, moment) >= PUSHES_MAX:
            return False
        planned.append(moment)
        moment += PACE
    return True


def _count(spent: Sequence[datetime], at: datetime) -> int:
    """How many pushes the 24 hours before a moment hold; `spent` is in order."""
    return len(spent) - bisect_right(spent, at - WINDOW)


def _day(hours: Hours, now: datetime) -> tuple[datetime, datetime]:
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    start = midnight.replace(hour=hours.start.hour)
    return start, midnight + timedelta(hours=hours.end_hour)


def _next_start(hours: Hours, now: datetime) -> datetime:
    start, _ = _day(hours, now)
    return start if now < start else start + timedelta(days=1)


def _after(last: datetime | None, pace: timedelta, now: datetime) -> datetime:
    return now if last is None else max(now, last + pace)
