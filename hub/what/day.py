"""The times of the day and which kind of suggestion fits them (CROSSPOLL 2.2: review, deep work, summarise)."""

from datetime import datetime
from typing import Literal

Part = Literal["morning", "afternoon", "evening", "night"]

MORNING_HOUR = 5
AFTERNOON_HOUR = 12
EVENING_HOUR = 17
NIGHT_HOUR = 23
NEUTRAL = 0.5

RELEVANCE: dict[str, dict[Part, float]] = {
    "plan-day": {"morning": 1.0, "afternoon": 0.2, "evening": 0.0, "night": 0.0},
    "run-tests": {"morning": 0.7, "afternoon": 1.0, "evening": 0.6, "night": 0.3},
    "fix-tests": {"morning": 0.8, "afternoon": 1.0, "evening": 0.4, "night": 0.2},
    "fix-ci": {"morning": 0.9, "afternoon": 1.0, "evening": 0.5, "night": 0.2},
    "commit-work": {"morning": 0.6, "afternoon": 0.5, "evening": 0.9, "night": 0.6},
    "push-work": {"morning": 0.5, "afternoon": 0.5, "evening": 0.9, "night": 0.6},
    "stale-branches": {"morning": 0.7, "afternoon": 0.4, "evening": 0.4, "night": 0.2},
    "list-todos": {"morning": 0.8, "afternoon": 0.5, "evening": 0.5, "night": 0.2},
    "stale-task": {"morning": 0.9, "afternoon": 0.7, "evening": 0.4, "night": 0.2},
    "deadline": {"morning": 1.0, "afternoon": 0.9, "evening": 0.7, "night": 0.4},
    "open-question": {"morning": 0.8, "afternoon": 0.7, "evening": 0.6, "night": 0.2},
    "prepare-meeting": {"morning": 1.0, "afternoon": 1.0, "evening": 1.0, "night": 0.5},
    "summarise-commits": {"morning": 0.2, "afternoon": 0.3, "evening": 1.0, "night": 0.5},
    "dependency-graph": {"morning": 0.4, "afternoon": 0.6, "evening": 0.5, "night": 0.3},
    "free-disk": {"morning": 0.6, "afternoon": 0.6, "evening": 0.6, "night": 0.6},
}


def part_of_day(local: datetime) -> Part:
    """Return the part of the day of a local time: from 5, 12, 17 and 23 o'clock on."""
    if MORNING_HOUR <= local.hour < AFTERNOON_HOUR:
        return "morning"
    if AFTERNOON_HOUR <= local.hour < EVENING_HOUR:
        return "afternoon"
    return "evening" if EVENING_HOUR <= local.hour < NIGHT_HOUR else "night"


def relevance(kind: str, local: datetime) -> float:
    """Return how well a kind of suggestion fits the local time, 0 to 1; 0.5 for kinds without a time of their own."""
    return RELEVANCE.get(kind, {}).get(part_of_day(local), NEUTRAL)
