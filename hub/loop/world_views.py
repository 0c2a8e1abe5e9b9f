"""Sessions of the world log as everybody outside sees them: their words made safe to show."""

from hub.contract.world import AgentStatus
from hub.contract.world_api import WorldAlertView, WorldSessionView, WorldStatus
from hub.domain.canonical import visible, wording_for
from hub.domain.provenance import WorldText, untrusted
from hub.domain.world import WorldSession
from hub.domain.world_log_state import WorldAlert
from hub.loop.state import State

ACTIVE = frozenset({AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.RETRY})


def world_status(state: State) -> WorldStatus | None:
    """Return how the sessions are as a whole; None where there is no log."""
    if not state.policy.world.enabled:
        return None
    active = pending = failed = 0
    verified_at, asks = None, ""
    for session in state.world.sessions.values():
        active += session.status in ACTIVE
        pending += session.status is AgentStatus.FINISH and session.left_at is None
        if session.status is AgentStatus.FAILED and session.left_at is None:
            failed, asks = failed + 1, session.id
        elif session.status is AgentStatus.VERIFIED:
            verified_at = max(session.moved_at, verified_at or session.moved_at)
    return WorldStatus(
        active=active,
        pending=pending,
        failed=failed,
        verified_at=verified_at,
        asks=asks,
        alerts=tuple(map(_alert, state.world.watch.alerts)),
    )


def _alert(alert: WorldAlert) -> WorldAlertView:
    return WorldAlertView(at=alert.at, kind=alert.kind, text=visible(alert.text), session=visible(alert.session))


def session_view(session: WorldSession) -> WorldSessionView:
    """Return one session with all its words."""
    return WorldSessionView(
        id=session.id,
        status=session.status,
        task=_shown(session.task),
        task_worded=wording_for(session.task_worded, untrusted(session.task)),
        need=_shown(session.need),
        need_worded=wording_for(session.need_worded, untrusted(session.need)),
        said=_shown(session.said),
        said_worded=wording_for(session.said_worded, untrusted(session.said)),
        asks=_shown(session.asks),
        started_at=session.started_at,
        moved_at=session.moved_at,
        heard_at=session.heard_at,
        tries=session.tries,
        retries=session.retries,
        proven=session.proven,
        agent=session.agent,
        folder=visible(session.folder),
        checked_by=session.checked_by,
        refused=session.refused,
        pid=session.process.pid if session.process else None,
        card_id=(session.question.card_id or None) if session.question else None,
        left=session.left_at is not None,
        answer=_shown(session.answer),
    )


def _shown(text: WorldText) -> str:
    return visible(untrusted(text))
