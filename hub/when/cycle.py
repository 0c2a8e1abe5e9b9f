"""When the next cycle is due (CROSSPOLL 5.3: `*/30` on the local clock).

Theory: the slots of a day are the multiples of the cycle since local midnight, on the wall clock. Between two clock
changes the wall clock is UTC plus a constant offset, so a slot is found by arithmetic under one offset, and it is real
if that offset holds there. Wall times that a clock change skips have no slot; those that it repeats have two.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hub.contract.words import Autonomy
from hub.domain.mind import AutonomyState, Mind
from hub.domain.policy import Policy

CYCLE_S_MIN = 1.0
DAY = timedelta(days=1)
TRIES_MAX = 8
"""A clock change lies within one cycle of `now`, so its first slot is found in two or three tries."""


def next_cycle(policy: Policy, now: datetime) -> datetime:
    """Return the first slot after `now` (never `now` itself), in UTC."""
    zone = ZoneInfo(policy.zone)
    cycle = timedelta(seconds=max(policy.timing.cycle_s, CYCLE_S_MIN))
    start = now.astimezone(UTC)
    candidate = _next_slot(start, _offset(zone, start), cycle)
    offset = _offset(zone, candidate)
    if offset == _offset(zone, start):
        return candidate
    slot = start
    for _ in range(TRIES_MAX):
        slot = _next_slot(slot, offset, cycle)
        if _offset(zone, slot) == offset:
            return slot
    return candidate


def next_wake(mind: Mind, policy: Policy, now: datetime) -> datetime:
    """Return when there is something to look at again: a cycle, the end of a pause, or of do-not-disturb.

    Moments that have passed do not count; call `settle` first, which ends an overdue pause.
    """
    moments = (next_cycle(policy, now), pause_ends(mind.autonomy, policy), mind.dnd_until)
    return min(moment for moment in moments if moment is not None and moment > now)


def pause_ends(autonomy: AutonomyState, policy: Policy) -> datetime | None:
    """Return when the pause ends by itself, or None without a pause."""
    if autonomy.state is not Autonomy.PAUSED or autonomy.since is None:
        return None
    return autonomy.since + timedelta(seconds=policy.timing.resume_after_s)


def _next_slot(moment: datetime, offset: timedelta, cycle: timedelta) -> datetime:
    wall = moment + offset
    midnight = wall.replace(hour=0, minute=0, second=0, microsecond=0)
    slot = midnight + ((wall - midnight) // cycle + 1) * cycle
    return min(slot, midnight + DAY) - offset


def _offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta(0)
