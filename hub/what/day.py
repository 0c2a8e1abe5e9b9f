"""The times of the day and what fits them (CROSSPOLL 2.2: review, deep work, summarise)."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal

Part = Literal["morning", "afternoon", "evening", "night"]

MORNING_HOUR = 5
AFTERNOON_HOUR = 12
EVENING_HOUR = 17
NIGHT_HOUR = 23
NEUTRAL = 0.5
"""For what has no time of its own."""

Hours = Mapping[Part, float]
"""How well something fits each part of the day, 0 to 1."""


def part_of_day(local: datetime) -> Part:
    """Return the part of the day of a local time: from 5, 12, 17 and 23 o'clock on."""
    if MORNING_HOUR <= local.hour < AFTERNOON_HOUR:
        return "morning"
    if AFTERNOON_HOUR <= local.hour < EVENING_HOUR:
        return "afternoon"
    return "evening" if EVENING_HOUR <= local.hour < NIGHT_HOUR else "night"


def turn_of_day(local: datetime) -> Iterator[timedelta]:
    """Yield how long it is from a local time to the next full hour, where another part of the day begins with it."""
    hour = local.replace(minute=0, second=0, microsecond=0).astimezone(UTC) + timedelta(hours=1)
    if part_of_day(hour.astimezone(local.tzinfo)) != part_of_day(local):
        yield hour - local


def fit(hours: Hours, local: datetime) -> float:
    """Return how well the local time fits, 0 to 1."""
    return hours[part_of_day(local)]
