"""What was spent: a sliding hour in buckets of a minute, and the sums of the person's calendar day and month.

A bucket counts until an hour after its minute has ended, so the hour never counts too little, and at most the cost of
one minute too much. Money is whole micro-dollars.
"""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.judgement import Ledger, Spending
from hub.domain.policy import Policy
from hub.may.moments import CLOCK_STEP_MAX, day_counts, day_of, month_counts, month_of

MINUTES_KEPT_MAX = 62
"""An hour has at most 61 buckets that count, and one is being filled."""

_MINUTE = timedelta(minutes=1)
_BUCKET_COUNTS = timedelta(hours=1) + _MINUTE


class Spent(Value):
    """What counts against each cap, in micro-dollars."""

    hour_microusd: int
    day_microusd: int
    month_microusd: int


def spent(ledger: Ledger, policy: Policy, now: datetime) -> Spent:
    """Return what was spent in the sliding hour, today and this month."""
    kept, zone = ledger.spending, policy.zone
    return Spent(
        hour_microusd=sum(amount for _, amount in _counting(kept, now)),
        day_microusd=kept.day_microusd if day_counts(kept.day, now, zone) else 0,
        month_microusd=kept.month_microusd if month_counts(kept.month, now, zone) else 0,
    )


def book(spending: Spending, microusd: int, zone: str, now: datetime) -> Spending:
    """Add a cost, which is not negative (see `give_back`)."""
    amount = max(0, microusd)
    start = _minute_of(now)
    minutes = dict(_counting(spending, now))
    minutes[start] = minutes.get(start, 0) + amount
    same_day = day_counts(spending.day, now, zone)
    same_month = month_counts(spending.month, now, zone)
    return Spending(
        minutes=_bounded(tuple(sorted(minutes.items()))),
        day=spending.day if same_day else day_of(now, zone),
        day_microusd=amount + (spending.day_microusd if same_day else 0),
        month=spending.month if same_month else month_of(now, zone),
        month_microusd=amount + (spending.month_microusd if same_month else 0),
    )


def give_back(spending: Spending, microusd: int, zone: str, booked_at: datetime | None, now: datetime) -> Spending:
    """Take back what an estimate booked too much, only from windows that hold that booking; never below zero.

    Without `booked_at` the oldest minutes give first, so that the hour rather counts too much for a while.
    """
    counting = _counting(spending, now)
    givers = {start for start, _ in counting} if booked_at is None else {_minute_of(booked_at)}
    minutes, left = list[tuple[datetime, int]](), max(0, microusd)
    for start, amount in counting:
        given = min(left, amount) if start in givers else 0
        left -= given
        minutes.append((start, amount - given))
    at = now if booked_at is None else booked_at
    from_day = microusd if day_of(at, zone) == spending.day else 0
    from_month = microusd if month_of(at, zone) == spending.month else 0
    return replace(
        spending,
        minutes=tuple(minutes),
        day_microusd=max(0, spending.day_microusd - max(0, from_day)),
        month_microusd=max(0, spending.month_microusd - max(0, from_month)),
    )


def hour_room_at(spending: Spending, allowed_microusd: int, now: datetime) -> datetime:
    """Return when the sliding hour will hold no more than `allowed_microusd`, which is not negative."""
    counting = _counting(spending, now)
    total = sum(amount for _, amount in counting)
    at = now
    for start, amount in counting:
        if total <= allowed_microusd:
            break
        total -= amount
        at = start + _BUCKET_COUNTS
    return at


def _minute_of(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(second=0, microsecond=0)


def _counting(spending: Spending, now: datetime) -> tuple[tuple[datetime, int], ...]:
    return tuple(
        (start, amount)
        for start, amount in spending.minutes
        if now < start + _BUCKET_COUNTS and start - now <= CLOCK_STEP_MAX
    )


def _bounded(minutes: tuple[tuple[datetime, int], ...]) -> tuple[tuple[datetime, int], ...]:
    # Only a clock that was set back makes more than 62; what is too old joins the next bucket and so counts longer.
    surplus = len(minutes) - MINUTES_KEPT_MAX
    if surplus <= 0:
        return minutes
    start, _ = minutes[surplus]
    return ((start, sum(amount for _, amount in minutes[: surplus + 1])), *minutes[surplus + 1 :])
