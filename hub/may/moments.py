"""Ages and calendar windows, safe against clocks that are set back and days of 23 or 25 hours.

A record that lies a little ahead of now (the clock was set back, or the person flew west) still counts, as if it were
new. One that lies far ahead cannot be about now: it is ignored, else a clock that once stood at 2099 would stop
Pulse for ever.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

CLOCK_STEP_MAX = timedelta(hours=1)
"""How far ahead of now an instant may lie and still count."""

_DAY = timedelta(days=1)
"""How far ahead of today a calendar day may lie and still count; no two time zones are further apart than a day."""


def age_of(at: datetime, now: datetime) -> timedelta | None:
    """Return how long ago `at` was, zero if it lies a little ahead, None if it lies too far ahead to be believed."""
    if at - now > CLOCK_STEP_MAX:
        return None
    return max(timedelta(0), now - at)


def day_of(now: datetime, zone: str) -> str:
    """Return the person's calendar day, as 2026-03-29."""
    return _today(now, zone).isoformat()


def month_of(now: datetime, zone: str) -> str:
    """Return the person's calendar month, as 2026-03."""
    return _month(_today(now, zone))


def days_that_count(now: datetime, zone: str) -> tuple[str, str]:
    """Return the days whose sums are today's."""
    today = _today(now, zone)
    return today.isoformat(), (today + _DAY).isoformat()


def months_that_count(now: datetime, zone: str) -> tuple[str, str]:
    """Return the months whose sums are this month's; the same one twice but for the last day of a month."""
    today = _today(now, zone)
    return _month(today), _month(today + _DAY)


def next_midnight(now: datetime, zone: str) -> datetime:
    """Return when the person's next day begins, in UTC.

    Where clocks skip midnight, a missing 00:00 is read with the offset before the change, which is the change itself.
    """
    return datetime.combine(_today(now, zone) + _DAY, time(), ZoneInfo(zone)).astimezone(UTC)


def clock_of(at: datetime, zone: str) -> str:
    """Write a moment as the person's wall clock shows it, as 14:05."""
    return f"{at.astimezone(ZoneInfo(zone)):%H:%M}"


def _today(now: datetime, zone: str) -> date:
    return now.astimezone(ZoneInfo(zone)).date()


def _month(day: date) -> str:
    return f"{day:%Y-%m}"
