"""The day's attention as everybody outside sees it."""

from datetime import datetime
from zoneinfo import ZoneInfo

from hub.contract.attention import AttentionStatus
from hub.domain.mind import Mind, interruptions_on
from hub.loop.state import State
from hub.where import digest_after


def attention_of(state: State, now: datetime) -> AttentionStatus:
    """Return what today has cost, what waits, and when the next digest is due."""
    attention, zone = state.policy.attention, state.policy.zone
    return AttentionStatus(
        spent=spent_on(state.mind, zone, now),
        per_day=attention.interruptions_per_day,
        held=state.held,
        next_digest_at=digest_after(attention, zone, now),
    )


def spent_on(mind: Mind, zone: str, now: datetime) -> int:
    """Return how many interruptions the day of `now` has had."""
    return interruptions_on(mind, day_of(zone, now))


def day_of(zone: str, now: datetime) -> str:
    """Return the person's local date."""
    return now.astimezone(ZoneInfo(zone)).date().isoformat()
