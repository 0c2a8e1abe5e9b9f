"""Quiet hours and do-not-disturb (CROSSPOLL 5.6): cards are still made and queue, nothing runs by itself.

What queues is told at their end, and the hours in which nobody is told of anything do not count towards its life.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hub.domain.policy import Policy

DAY = timedelta(days=1)


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


def quiet_ends(policy: Policy, dnd_until: datetime | None, now: datetime) -> datetime:
    """Return the end of the quiet that `now` lies in; `now` itself where it is not quiet."""
    moment = now if dnd_until is None else max(now, dnd_until)
    return _next_hour(policy, policy.timing.quiet_end_hour, moment) if is_quiet(policy, None, moment) else moment


def quiet_ended(policy: Policy, dnd_until: datetime | None, now: datetime) -> datetime | None:
    """Return when quiet last ended, within a day; None while it is quiet, and where there was none."""
    timing = policy.timing
    if is_quiet(policy, dnd_until, now):
        return None
    morning = _next_hour(policy, timing.quiet_end_hour, now - DAY) if _has_hours(policy) else None
    return max((one for one in (morning, dnd_until) if one is not None and now - DAY < one <= now), default=None)


def open_until(policy: Policy, dnd_until: datetime | None, now: datetime) -> datetime:
    """Return until when a card made now may be answered: quiet hours do not count, for nobody is told in them."""
    moment, left = quiet_ends(policy, dnd_until, now), timedelta(seconds=policy.timing.card_ttl_s)
    if not _has_hours(policy):
        return moment + left
    while (begins := _next_hour(policy, policy.timing.quiet_start_hour, moment)) < moment + left:
        left -= begins - moment
        moment = quiet_ends(policy, None, begins)
    return moment + left


def _has_hours(policy: Policy) -> bool:
    return policy.timing.quiet_start_hour != policy.timing.quiet_end_hour


def _next_hour(policy: Policy, hour: int, moment: datetime) -> datetime:
    """Return when the person's clock next shows this hour, after `moment`."""
    local = moment.astimezone(ZoneInfo(policy.zone))
    days = (local.date() + timedelta(days=days) for days in range(3))
    hours = (
        local.replace(year=day.year, month=day.month, day=day.day, hour=hour, minute=0, second=0, microsecond=0, fold=0)
        for day in days
    )
    return next(found for one in hours if (found := one.astimezone(UTC)) > moment)
