"""Reading what is stored of the world log: the sessions that lines are about, and all that a start takes up."""

from collections.abc import Container, Sequence

from hub.contract.world import AgentStatus
from hub.domain.requests import Request
from hub.domain.world import WorldLine, WorldSession
from hub.domain.world_lines import session_of
from hub.domain.world_log_state import ENDED_MAX, OPEN_MAX, WorldSweep
from hub.domain.world_queries import WorldSessions, WorldSessionsByIds
from hub.domain.world_requests import RespondToSession, SayWorld, SpawnSession
from hub.loop.events import Facts
from hub.loop.world_sweep import OPEN, SWEPT_MAX
from hub.ports import Store


async def of_lines(store: Store, user: str, lines: Sequence[WorldLine], remembered: Container[str]) -> Facts:
    """Read the sessions that lines are about and that the loop does not remember."""
    return await _of_ids(store, user, dict.fromkeys(map(session_of, lines)), remembered)


async def of_request(store: Store, user: str, request: Request, remembered: Container[str]) -> Facts:
    """Read the session that a request is about, if the loop does not remember it."""
    match request:
        case SayWorld(line=line):
            return await of_lines(store, user, (line,), remembered)
        case RespondToSession(session=session_id) | SpawnSession(session=session_id):
            return await _of_ids(store, user, {session_id: None}, remembered)
        case _:
            return Facts()


async def _of_ids(store: Store, user: str, ids: dict[str, None], remembered: Container[str]) -> Facts:
    wanted = tuple(one for one in ids if one and one not in remembered)
    return Facts(sessions=await store.read(WorldSessionsByIds(user=user, ids=wanted))) if wanted else Facts()


async def swept(store: Store, user: str, sweep: WorldSweep | None) -> tuple[WorldSession, ...] | None:
    """Read the next page of open sessions, where some are not remembered."""
    if sweep is None:
        return None
    return await store.read(WorldSessions(user=user, statuses=OPEN, limit=SWEPT_MAX, before=sweep.before))


async def opened_sessions(store: Store, user: str, asked: tuple[str, ...] = ()) -> tuple[WorldSession, ...]:
    """Read those without an outcome, and the last ones that were verified; those heard of last first.

    Those about which something is `asked` are among them, however many were heard of since.
    """
    still_open = await store.read(WorldSessions(user=user, statuses=OPEN, limit=OPEN_MAX))
    ended = await store.read(WorldSessions(user=user, statuses=(AgentStatus.VERIFIED,), limit=ENDED_MAX))
    found = {one.id: one for one in (*still_open, *ended)}
    missing = tuple(one for one in asked if one not in found)
    if missing:
        others = await store.read(WorldSessionsByIds(user=user, ids=missing))
        found |= others
    return tuple(sorted(found.values(), key=lambda one: (one.heard_at, one.id), reverse=True))
