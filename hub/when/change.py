"""Thinking when something changed: how long to wait for quiet, and what is worth saying to somebody at work.

Theory: changes come in bursts. A burst is thought about once it has been quiet for a while, and at the latest some time
after it began, so that constant changes cannot starve it. Saved files wait longer than what is over once it is told (a
commit, the end of a test run, a question), for who saves one file will save the next. What is weighty waits for the
person to pause, but no longer than that either: who saves a file every few seconds would else never hear of it. Silence
is no condition here: it is one for acting alone (docs/adr/0041-think-on-change.md).
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.domain.moment import Burst, Change, Changes
from hub.domain.policy import Policy, Timing

WORTHWHILE = 0.45
"""How urgent a matter must be for a change to bring it up; what is weaker waits until the person asks, or is away."""
WEIGHTY = 0.65
"""How urgent it must be for somebody who is at work: they will run the tests of what they have just changed anyway."""
URGENT = 0.8
"""How urgent it must be to interrupt somebody who is typing."""
HOUR = timedelta(hours=1)
OF_THE_PERSON = frozenset({Change.EDIT, Change.MESSAGE, Change.PRESENCE})
"""Signs that the person is there; the last two are no reason to think, unless the person was away."""
WITH_HANDS = frozenset({Change.EDIT, Change.MESSAGE})
NO_REASON = frozenset({Change.MESSAGE, Change.PRESENCE})


def notice(before: Changes, change: Change, policy: Policy, now: datetime) -> Changes:
    """Return what is to be thought about once `change` has happened."""
    after = _seen(before, change, policy, now) if change in OF_THE_PERSON else before
    if change in {Change.EDIT, Change.FILES}:
        return replace(after, edits=_longer(after.edits, now))
    if change not in NO_REASON or (after.returned and not before.returned):
        return replace(after, events=_longer(after.events, now))
    return after


def due(changes: Changes, policy: Policy) -> datetime | None:
    """Return when the changes are to be thought about; None when there are none and time brings nothing."""
    timing = policy.timing
    moments = (
        _end(changes.edits, timing.edit_quiet_s, timing),
        _end(changes.events, timing.change_quiet_s, timing),
        changes.look_at,
    )
    return min((moment for moment in moments if moment is not None), default=None)


def worth_saying(changes: Changes, policy: Policy, now: datetime) -> float:
    """Return how urgent a matter must be to be said just now: typing, at work, or free to listen."""
    is_typing = _since_busy(changes, now) < timedelta(seconds=policy.timing.edit_quiet_s)
    if _is_full(changes, policy, now) or (is_typing and not _is_held_long(changes, policy, now)):
        return URGENT
    is_at_work = _since_busy(changes, now) < timedelta(seconds=policy.timing.work_pause_s)
    return WEIGHTY if is_at_work else WORTHWHILE


def taken_up(changes: Changes) -> Changes:
    """Return what is left once a look begins: what happens from now on is another matter."""
    held_at = changes.held_at or (changes.edits.first_at if changes.edits else None)
    return replace(changes, edits=None, events=None, look_at=None, returned=False, held_at=held_at)


def put_off(changes: Changes, policy: Policy, now: datetime, urgency: float) -> Changes:
    """Return the changes when something new of this urgency is still to be said: at once, or when it may be."""
    if urgency >= worth_saying(changes, policy, now):
        return replace(changes, events=_longer(changes.events, now))
    timing, lately = policy.timing, _lately(changes, now)
    if _is_full(changes, policy, now):
        return replace(changes, look_at=lately[0] + HOUR)
    busy_at = changes.busy_at or now
    if urgency < WEIGHTY:
        pause = busy_at + timedelta(seconds=max(timing.work_pause_s, timing.edit_quiet_s))
        return replace(changes, held_at=None, look_at=pause)
    held_at = changes.held_at or now
    pause = busy_at + timedelta(seconds=timing.edit_quiet_s)
    return replace(changes, held_at=held_at, look_at=min(pause, held_at + _longest(timing)))


def shown(changes: Changes, policy: Policy, now: datetime) -> Changes:
    """Count a card that came unasked; what else waits for a pause begins to wait anew."""
    kept = (*_lately(changes, now), now)
    return replace(changes, shown_at=kept[-policy.timing.change_cards_per_hour_max :], held_at=None)


def full_until(changes: Changes, policy: Policy, now: datetime) -> datetime | None:
    """Return when another card may come unasked, where this hour has had all that it may; else None."""
    return _lately(changes, now)[0] + HOUR if _is_full(changes, policy, now) else None


def _seen(before: Changes, change: Change, policy: Policy, now: datetime) -> Changes:
    away = timedelta(seconds=policy.timing.silence_s)
    last = before.here_at or now
    after = replace(before, here_at=max(last, now), returned=before.returned or now - last >= away)
    if change not in WITH_HANDS:
        return after
    pause = timedelta(seconds=policy.drives.conversation_s)
    goes_on = before.busy_at is not None and now - before.busy_at < pause
    since = before.busy_since if goes_on and before.busy_since is not None else now
    return replace(after, busy_at=max(before.busy_at or now, now), busy_since=since)


def _longer(burst: Burst | None, now: datetime) -> Burst:
    return Burst(first_at=burst.first_at if burst else now, last_at=now)


def _end(burst: Burst | None, quiet_s: float, timing: Timing) -> datetime | None:
    if burst is None:
        return None
    latest = burst.first_at + max(_longest(timing), timedelta(seconds=quiet_s))
    return min(burst.last_at + timedelta(seconds=quiet_s), latest)


def _longest(timing: Timing) -> timedelta:
    """Return how long constant changes may keep something waiting: a look at them, or what is weighty."""
    return timedelta(seconds=timing.change_wait_s_max)


def _is_held_long(changes: Changes, policy: Policy, now: datetime) -> bool:
    return changes.held_at is not None and now - changes.held_at >= _longest(policy.timing)


def _since_busy(changes: Changes, now: datetime) -> timedelta:
    return timedelta.max if changes.busy_at is None else max(now - changes.busy_at, timedelta(0))


def _is_full(changes: Changes, policy: Policy, now: datetime) -> bool:
    return len(_lately(changes, now)) >= policy.timing.change_cards_per_hour_max


def _lately(changes: Changes, now: datetime) -> tuple[datetime, ...]:
    return tuple(at for at in changes.shown_at if at > now - HOUR)
