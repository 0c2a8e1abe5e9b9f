"""When digests are told: the times of the day that the person set, on their own clock. Pure."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hub.domain.attention import Attention

DAYS = (-1, 0, 1)
"""Yesterday's last and tomorrow's first are the furthest that matter."""


def digest_before(attention: Attention, zone: str, now: datetime) -> datetime | None:
    """Return the latest time of a digest that has come, `now` included; None where there are none."""
    return max((moment for moment in _moments(attention, zone, now) if moment <= now), default=None)


def digest_after(attention: Attention, zone: str, now: datetime) -> datetime | None:
    """Return the next time of a digest; None where there are none."""
    return min((moment for moment in _moments(attention, zone, now) if moment > now), default=None)


def _moments(attention: Attention, zone: str, now: datetime) -> Iterator[datetime]:
    """Return the times of three days in UTC; one that a clock change skips is moved by as much."""
    place = ZoneInfo(zone)
    today = now.astimezone(place).date()
    for days in DAYS:
        for said in attention.digest_times:
            yield datetime.combine(today + timedelta(days=days), time.fromisoformat(said), place).astimezone(UTC)
