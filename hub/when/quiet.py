"""Quiet hours and do-not-disturb (CROSSPOLL 5.6): cards are still made and queue, nothing runs by itself."""

from datetime import datetime
from zoneinfo import ZoneInfo

from hub.domain.policy import Policy


def is_quiet(policy: Policy, dnd_until: datetime | None, now: datetime) -> bool:
    """Say whether `now` is quiet: do-not-disturb before its end, or the person's local quiet hours.

    The start hour is quiet, the end hour is not; hours may wrap over midnight; equal hours mean never quiet.
    The hour is read off the local clock, so a repeated or skipped hour at a clock change needs no special case.
    """
    if dnd_until is not None and now < dnd_until:
        return True
    hour = now.astimezone(ZoneInfo(policy.zone)).hour
    start, end = policy.timing.quiet_start_hour, policy.timing.quiet_end_hour
    if start <= end:
        return start <= hour < end
    return hour >= start or hour < end
