"""What was spent: a sliding hour in buckets of a minute, and the sums of the person's calendar day and month.

A bucket counts until an hour after its minute has ended, so the hour never counts too little, and at most the cost of
one minute too much. Money is whole micro-dollars.

Clocks jump, and a person travels. So each day and month keeps a sum of its own, which only `give_back` lowers: a clock
that comes back finds what was booked there before. Where more are visited than are kept, the earliest are forgotten,
and every day before the latest that is not kept counts as the highest that was: too much rather than too little.
"""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.judgement import Ledger, Spending
from hub.domain.policy import Policy
from hub.may.moments import CLOCK_STEP_MAX, day_of, days_that_count, month_of, months_that_count

DAYS_KEPT_MAX = 8
MONTHS_KEPT_MAX = 4
"""Days and months whose sums are kept, for a clock that jumps; beside the one of the latest booking."""
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
        day_microusd=_days(kept).counted(days_that_count(now, zone)),
        month_microusd=_months(kept).counted(months_that_count(now, zone)),
    )


def book(spending: Spending, microusd: int, zone: str, now: datetime) -> Spending:
    """Add a cost, which is not negative (see `give_back`)."""
    amount = max(0, microusd)
    start = _minute_of(now)
    minutes = dict(spending.minutes)
    minutes[start] = minutes.get(start, 0) + amount
    day, month = day_of(now, zone), month_of(now, zone)
    days = _days(spending).added(day, amount, DAYS_KEPT_MAX)
    months = _months(spending).added(month, amount, MONTHS_KEPT_MAX)
    return Spending(
        minutes=_bounded(tuple(sorted(minutes.items())), now),
        day=day,
        day_microusd=days.of(day),
        month=month,
        month_microusd=months.of(month),
        other_days=days.without(day),
        other_months=months.without(month),
        old_day_microusd=days.old,
        old_month_microusd=months.old,
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
    day, month = day_of(at, zone), month_of(at, zone)
    others = tuple(bucket for bucket in spending.minutes if bucket not in counting)
    return replace(
        spending,
        minutes=tuple(sorted((*others, *minutes))),
        day_microusd=_less(spending.day_microusd, microusd if day == spending.day else 0),
        month_microusd=_less(spending.month_microusd, microusd if month == spending.month else 0),
        other_days=tuple((one, _less(sum_, microusd if one == day else 0)) for one, sum_ in spending.other_days),
        other_months=tuple((one, _less(sum_, microusd if one == month else 0)) for one, sum_ in spending.other_months),
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


class _Sums(Value):
    """The sums of some days or months by their names, which sort in time, and `old` for others before the latest."""

    by_name: dict[str, int]
    old: int

    def of(self, name: str) -> int:
        """Return the sum of one."""
        is_old = bool(self.by_name) and name < max(self.by_name)
        return self.by_name.get(name, self.old if is_old else 0)

    def counted(self, names: tuple[str, ...]) -> int:
        """Return the sum of several, each once."""
        return sum(self.of(name) for name in dict.fromkeys(names))

    def added(self, name: str, amount: int, kept_max: int) -> "_Sums":
        """Return the sums with one more amount; of the earliest beyond `kept_max` the highest sum is kept."""
        by_name = {**self.by_name, name: self.of(name) + amount}
        old = self.old
        for gone in sorted(by_name)[: max(0, len(by_name) - kept_max)]:
            old = max(old, by_name.pop(gone))
        return _Sums(by_name=by_name, old=old)

    def without(self, name: str) -> tuple[tuple[str, int], ...]:
        """Return the others, in order."""
        return tuple(sorted((one, sum_) for one, sum_ in self.by_name.items() if one != name))


def _days(spending: Spending) -> _Sums:
    own = {spending.day: spending.day_microusd} if spending.day else {}
    return _Sums(by_name={**dict(spending.other_days), **own}, old=spending.old_day_microusd)


def _months(spending: Spending) -> _Sums:
    own = {spending.month: spending.month_microusd} if spending.month else {}
    return _Sums(by_name={**dict(spending.other_months), **own}, old=spending.old_month_microusd)


def _less(amount: int, by: int) -> int:
    return max(0, amount - max(0, by))


def _minute_of(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(second=0, microsecond=0)


def _counting(spending: Spending, now: datetime) -> tuple[tuple[datetime, int], ...]:
    return tuple(
        (start, amount)
        for start, amount in spending.minutes
        if now < start + _BUCKET_COUNTS and start - now <= CLOCK_STEP_MAX
    )


def _bounded(minutes: tuple[tuple[datetime, int], ...], now: datetime) -> tuple[tuple[datetime, int], ...]:
    # What does not count any more goes first, and only for room: a clock that jumps may come back to it.
    while len(minutes) > MINUTES_KEPT_MAX and now >= minutes[0][0] + _BUCKET_COUNTS:
        minutes = minutes[1:]
    # Only a clock that was set back makes more than 62; what is too old joins the next bucket and so counts longer.
    surplus = len(minutes) - MINUTES_KEPT_MAX
    if surplus <= 0:
        return minutes
    start, _ = minutes[surplus]
    return ((start, sum(amount for _, amount in minutes[: surplus + 1])), *minutes[surplus + 1 :])
