"""The level 1 supervisor: do the log's sessions agree with what runs, and with the clock? (WORLD 3 and 5.) Pure code.

Whoever asks looks at the processes first and reads the log to its end afterwards: a session that has just said that it
is done, and then ended, is then not taken for an abandoned one. A process that was not looked for counts as there.
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
    ProcessLook,
    RefusedStatus,
    StrayProcess,
    SupervisorFinding,
)
from hub.domain.world_rules import WorldRules
from hub.verify.world_timeouts import SHIPPED, overdue

WORKING = frozenset({AgentStatus.START, AgentStatus.ACTIVE})
"""Where a session whose process is known must have it; one that finished, failed or waits for its retry need not."""
STRAY_AFTER = timedelta(minutes=5)
"""So long a process has for the first line of its session."""


def supervise(
    sessions: Iterable[WorldSession], look: ProcessLook, now: datetime, rules: WorldRules = SHIPPED
) -> tuple[SupervisorFinding, ...]:
    """Compare the sessions with the agents' processes and the time.

    Args:
        sessions: all that are open, as the log's last line left them.
        look: what a look at the processes found, before the log was read.
        now: the time, in UTC.
        rules: how long a session may be where it is.

    Returns:
        What is wrong, session by session, then processes without one. The same state gives equal findings at any later
        time, so what was told once is known by comparing.
    """
    known, gone = tuple(sessions), frozenset(look.gone)
    findings = [finding for session in known for finding in _of_session(session, gone, now, rules)]
    named = {session.process for session in known}
    return (*findings, *(stray for one in look.agents for stray in _stray(one, named, now)))


def failure_of(finding: Abandoned | Overdue, now: datetime) -> AgentLine:
    """Return the line by which a session that nobody works on any more fails, and asks a person."""
    said = "The process ended without reporting on the work."
    if isinstance(finding, Overdue):
        said = f"{finding.why} It shows no sign of life, and nobody said to wait."
    return AgentLine(
        at=now,
        status=AgentStatus.FAILED,
        session=finding.session,
        text=LogText(said),
        need=LogText("a check of what was done, and whether to try again"),
    )


def _of_session(
    session: WorldSession, gone: frozenset[SessionProcess], now: datetime, rules: WorldRules
) -> Iterator[SupervisorFinding]:
    if session.process is not None and session.status in WORKING and session.process in gone:
        yield Abandoned(session=session.id, process=session.process)
    elif (late := overdue(session, now, rules)) is not None:
        yield late
    if session.odd_at is not None:
        yield OddTime(session=session.id, at=session.odd_at)
    if session.refused_status is not None:
        yield RefusedStatus(session=session.id, status=session.refused_status, times=session.refused)


def _stray(one: LivingProcess, named: set[SessionProcess | None], now: datetime) -> Iterator[StrayProcess]:
    if one.process not in named and now - one.begun_at >= STRAY_AFTER:
        yield StrayProcess(process=one.process, run=one.run)
