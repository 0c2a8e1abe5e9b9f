"""What is done about a session that stays where it is (WORLD 5), as data. Each status but the last has a line.

How long it may stay is the person's to say (`WorldRules`), and while it works, the session's own.

Who is told and does nothing is told again, louder and after twice the time at each time, up to `again_max`. A session
that works, as it says, or is to begin, fails in the end where it gives no sign of life: then it asks what it needs. One
that waits for a person is never ended by the clock: its question stands.
"""

from datetime import datetime, timedelta

from hub.contract.base import Value
from hub.contract.world import AgentStatus
from hub.domain.world import SessionWatch, WorldSession
from hub.domain.world_findings import Overdue, OverdueAction
from hub.domain.world_rules import WorldRules

DAY = timedelta(days=1)
IGNORED_MAX = 2
"""So often a session that says nothing is told of before it fails; one whose process is there so often:"""
IGNORED_ALIVE_MAX = 5
DOUBLED_MAX = 16


class StatusTimeout(Value):
    """What is done in a status, after `rule` of the person's. `answered`: whether a person has answered a failure."""

    status: AgentStatus
    rule: str
    action: OverdueAction
    why: str
    answered: bool = False
    gives_up: bool = True
    again_max: timedelta = DAY


TIMEOUTS = (
    StatusTimeout(
        status=AgentStatus.START,
        rule="start_wait_s",
        action="alert",
        why="It was started but is not working yet.",
    ),
    StatusTimeout(
        status=AgentStatus.ACTIVE,
        rule="active_wait_s",
        action="alert",
        why="It has been working for a while and is not done.",
    ),
    StatusTimeout(
        status=AgentStatus.FAILED,
        rule="failed_wait_s",
        action="escalate",
        why="It failed, and nobody has answered.",
        gives_up=False,
        again_max=7 * DAY,
    ),
    # Beyond WORLD's three: what else could be left without an outcome.
    StatusTimeout(
        status=AgentStatus.RETRY,
        rule="retry_wait_s",
        action="alert",
        why="It was told to try again and has not started.",
    ),
    StatusTimeout(
        status=AgentStatus.FINISH,
        rule="finish_wait_s",
        action="alert",
        why="It says it is done; nobody has checked.",
        gives_up=False,
    ),
    StatusTimeout(
        status=AgentStatus.FAILED,
        answered=True,
        rule="answered_wait_s",
        action="alert",
        why="You answered, but it has not been tried again.",
        gives_up=False,
    ),
)
OWN_WAIT = frozenset({AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.RETRY})
"""Where a session's own wait holds."""
SHIPPED = WorldRules()
_LIMITS = {(one.status, one.answered): one for one in TIMEOUTS}


def stay_of(session: WorldSession) -> SessionWatch:
    """Return what was said of a session since it came to where it is; of an earlier stay only what holds for good."""
    since = session.moved_at if session.answered_at is None else session.answered_at
    watch = session.watch
    if watch is None:
        return SessionWatch(status=session.status, since=since, retries=session.retries)
    if (watch.status, watch.since, watch.retries) == (session.status, since, session.retries):
        return watch
    return SessionWatch(
        status=session.status,
        since=since,
        retries=session.retries,
        odd_told=watch.odd_told,
        refused_told=watch.refused_told,
    )


def overdue_at(session: WorldSession, rules: WorldRules = SHIPPED) -> datetime | None:
    """Return when somebody is to be told (again) that a session stays where it is; None: never, by the clock alone."""
    limit = _LIMITS.get((session.status, session.answered_at is not None)) if session.left_at is None else None
    if limit is None:
        return None
    stay, after = stay_of(session), _wait(session, limit, rules)
    if stay.at is None:
        return stay.since + after
    doubled = min(after * (1 << min(max(stay.times - 1, 0), DOUBLED_MAX)), limit.again_max)
    return stay.at + max(after, doubled)


def overdue(session: WorldSession, now: datetime, rules: WorldRules = SHIPPED) -> Overdue | None:
    """Return what is to be done about a session that stays where it is; None while there is time."""
    at = overdue_at(session, rules)
    if at is None or at > now:
        return None
    limit, stay = _LIMITS[session.status, session.answered_at is not None], stay_of(session)
    return Overdue(
        session=session.id,
        status=session.status,
        since=stay.since,
        action=_action(limit, stay, session),
        why=limit.why,
        times=stay.times,
    )


def _wait(session: WorldSession, limit: StatusTimeout, rules: WorldRules) -> timedelta:
    own = session.wait_s if limit.status in OWN_WAIT else None
    return timedelta(seconds=getattr(rules, limit.rule) if own is None else own)


def _action(limit: StatusTimeout, stay: SessionWatch, session: WorldSession) -> OverdueAction:
    if stay.times == 0 or stay.at is None:
        return limit.action
    ignored_max = IGNORED_MAX if session.process is None else IGNORED_ALIVE_MAX
    is_silent = session.heard_at <= stay.at
    return "give-up" if limit.gives_up and is_silent and stay.times >= ignored_max else "escalate"
