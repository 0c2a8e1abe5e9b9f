"""The level 1 supervisor: do the log's sessions agree with what runs, and with the clock? (WORLD 3 and 5.) Pure code.

Whoever asks looks at the processes first and reads the log to its end afterwards: a session that has just said that it
is done, and then ended, is then not taken for an abandoned one.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.world import AgentLine, SessionProcess, WorldSession
from hub.domain.world_findings import (
    Abandoned,
    LivingProcess,
    OddTime,
    Overdue,
    RefusedStatus,
    StrayProcess,
    SupervisorFinding,
)
from hub.verify.world_timeouts import TIMEOUTS, StatusTimeout

WORKING = frozenset({AgentStatus.START, AgentStatus.ACTIVE})
"""Where a session whose process is known must have it; one that finished, failed or waits for its retry need not."""
STRAY_AFTER = timedelta(minutes=5)
"""So long a process has for the first line of its session."""


def supervise(
    sessions: Iterable[WorldSession], living: Iterable[LivingProcess], now: datetime
) -> tuple[SupervisorFinding, ...]:
    """Compare the sessions with the agents' processes and the time.

    Args:
        sessions: all that are open, as the log's last line left them.
        living: the agents' processes that were there before the log was read.
        now: the time, in UTC.

    Returns:
        What is wrong, session by session, then processes without one. The same state gives equal findings at any later
        time, so what was told once is known by comparing.
    """
    known, there = tuple(sessions), tuple(living)
    alive = {one.process for one in there}
    findings = [finding for session in known for finding in _of_session(session, alive, now)]
    named = {session.process for session in known}
    return (*findings, *(stray for one in there for stray in _stray(one, named, now)))


def failure_of(finding: Abandoned, now: datetime) -> AgentLine:
    """Return the line by which an abandoned session fails, and asks a person."""
    return AgentLine(
        at=now,
        status=AgentStatus.FAILED,
        session=finding.session,
        text=LogText("The process ended without a word about the work."),
        need=LogText("a look at what was done, and whether to try again"),
    )


def _of_session(session: WorldSession, alive: set[SessionProcess], now: datetime) -> Iterator[SupervisorFinding]:
    if session.status in WORKING and session.process is not None and session.process not in alive:
        yield Abandoned(session=session.id, process=session.process)
    else:
        yield from _overdue(session, now)
    if session.odd_at is not None:
        yield OddTime(session=session.id, at=session.odd_at)
    if session.refused_status is not None:
        yield RefusedStatus(session=session.id, status=session.refused_status, times=session.refused)


def _overdue(session: WorldSession, now: datetime) -> Iterator[Overdue]:
    answered_at = session.answered_at
    since = session.moved_at if answered_at is None else answered_at
    for limit in TIMEOUTS:
        if _is_for(limit, session) and now - since >= limit.after:
            yield Overdue(session=session.id, status=session.status, since=since, action=limit.action, why=limit.why)


def _is_for(limit: StatusTimeout, session: WorldSession) -> bool:
    return limit.status is session.status and limit.answered is (session.answered_at is not None)


def _stray(one: LivingProcess, named: set[SessionProcess | None], now: datetime) -> Iterator[StrayProcess]:
    if one.process not in named and now - one.begun_at >= STRAY_AFTER:
        yield StrayProcess(process=one.process, is_to_end=one.is_ours)
