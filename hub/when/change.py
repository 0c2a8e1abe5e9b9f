"""Thinking when something changed: how long to wait for quiet, and what is worth saying to somebody at work.

Theory: changes come in bursts. A burst is thought about once it has been quiet for a while, and at the latest some time
after it began, so that constant changes cannot starve it. Saved files wait longer than what is over once it is told (a
commit, the end of a test run, a question), for who saves one file will save the next. Silence is no condition here: it
is one for acting alone (docs/adr/0041-think-on-change.md).
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.domain.moment import Burst, Change, Changes
from hub.domain.policy import Policy, Timing

WORTHWHILE = 0.45
"""How urgent a matter must be for a change to bring it up; what is weaker waits until the person asks, or is away."""
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


def only_urgent(changes: Changes, policy: Policy, now: datetime) -> bool:
    """Say whether the person is typing just now, or has been told so much within the hour that the rest can wait."""
    is_full = len(_lately(changes, now)) >= policy.timing.change_cards_per_hour_max
    return is_full or is_typing(changes, policy, now)


def is_typing(changes: Changes, policy: Policy, now: datetime) -> bool:
    """Say whether the person saved a file or wrote to an agent a moment ago."""
    quiet = timedelta(seconds=policy.timing.edit_quiet_s)
    return changes.busy_at is not None and timedelta(0) <= now - changes.busy_at < quiet


def taken_up(changes: Changes) -> Changes:
    """Return what is left once a look begins: what happens from now on is another matter."""
    return replace(changes, edits=None, events=None, look_at=None, returned=False)


def put_off(changes: Changes, policy: Policy, now: datetime) -> Changes:
    """Return the changes when something new is still to be said: when the person pauses, has room again, or at once."""
    if is_typing(changes, policy, now) and changes.busy_at is not None:
        return replace(changes, edits=changes.edits or Burst(first_at=now, last_at=changes.busy_at))
    lately = _lately(changes, now)
    if len(lately) >= policy.timing.change_cards_per_hour_max:
        return replace(changes, look_at=lately[0] + HOUR)
    return replace(changes, events=_longer(changes.events, now))


def shown(changes: Changes, policy: Policy, now: datetime) -> Changes:
    """Count a card that a change brought."""
    kept = (*_lately(changes, now), now)
    return replace(changes, shown_at=kept[-policy.timing.change_cards_per_hour_max :])


def _seen(before: Changes, change: Change, policy: Policy, now: datetime) -> Changes:
    away = timedelta(seconds=policy.timing.silence_s)
    last, busy_at = before.here_at or now, before.busy_at
    if change in WITH_HANDS:
        busy_at = max(busy_at or now, now)
    return replace(before, here_at=max(last, now), busy_at=busy_at, returned=before.returned or now - last >= away)


def _longer(burst: Burst | None, now: datetime) -> Burst:
    return Burst(first_at=burst.first_at if burst else now, last_at=now)


def _end(burst: Burst | None, quiet_s: float, timing: Timing) -> datetime | None:
    if burst is None:
        return None
    latest = burst.first_at + timedelta(seconds=max(timing.change_wait_s_max, quiet_s))
    return min(burst.last_at + timedelta(seconds=quiet_s), latest)


def _lately(changes: Changes, now: datetime) -> tuple[datetime, ...]:
    return tuple(at for at in changes.shown_at if at > now - HOUR)
