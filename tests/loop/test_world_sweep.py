"""Sessions beyond those that are remembered: looked after in turn, and none left because others talk more."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.words import Status
from hub.contract.world import AgentStatus
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.storage import RecentCards
from hub.domain.world import WorldSession
from hub.domain.world_log_state import PutSession, WorldSweep
from hub.domain.world_queries import WorldSessions
from hub.domain.world_requests import SayWorld
from hub.loop import world_draft, world_sweep
from hub.loop.world_sweep import OPEN
from hub.runner import world_facts
from tests.fakes.world import World
from tests.loop.asking_sessions import line, read
from tests.loop.stage import a_world

NAMES = [f"s{number}" for number in range(7)]


@pytest.fixture(autouse=True)
def room_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (world_draft, world_sweep, world_facts):
        monkeypatch.setattr(place, "OPEN_MAX", 3, raising=False)
    monkeypatch.setattr(world_draft, "ENDED_MAX", 1)
    for place in (world_sweep, world_facts):
        monkeypatch.setattr(place, "SWEPT_MAX", 2)


def _left(session: WorldSession) -> WorldSession:
    return replace(session, left_at=session.heard_at)


async def crowded() -> World:
    """Return a world in which more sessions are open than are remembered."""
    world = await a_world()
    for name in NAMES:
        await read(world, line(AgentStatus.START, name, "x"))
    assert len(world.state.world.sessions) == 3
    assert world.state.world.sweep == WorldSweep()
    return world


async def asked_about(world: World) -> set[str]:
    cards = await world.store.read(RecentCards(user="me", limit=50))
    return {card.session for card in cards if card.session and card.status is Status.PENDING}


async def test_every_session_is_asked_about_in_the_end_however_few_are_remembered() -> None:
    world = await crowded()
    await world.until(world.now + timedelta(hours=3))
    assert await asked_about(world) == set(NAMES)


async def test_those_that_find_room_are_remembered_and_then_nothing_is_looked_for() -> None:
    world = await crowded()
    for name in NAMES:
        if name not in {"s0", "s1"}:
            await read(world, line(AgentStatus.ACTIVE, name, "x"), line(AgentStatus.FINISH, name, "x"))
            await world.ask(SayWorld(line=line(AgentStatus.VERIFIED, name, "x"), client=LOCAL_CLIENT, is_here=True))
    await world.until(world.now + timedelta(minutes=40))
    remembered = [one.id for one in world.state.world.sessions.values() if one.is_open]
    assert sorted(remembered) == ["s0", "s1"]
    assert world.state.world.sweep is None


async def test_what_is_only_looked_at_is_not_stored_again() -> None:
    world = await crowded()
    before = len(world.changes)
    await world.until(world.now + timedelta(minutes=20))
    assert not [one for one in world.changes[before:] if isinstance(one, PutSession)]


async def test_a_restart_goes_on_looking() -> None:
    world = await crowded()
    await world.reopen()
    assert len(world.state.world.sessions) == 3
    assert world.state.world.sweep is not None
    await world.until(world.now + timedelta(hours=3))
    assert await asked_about(world) == set(NAMES)


async def test_what_waits_for_nothing_any_more_makes_room_first() -> None:
    world = await a_world()
    await read(world, line(AgentStatus.START, "left", "x"))
    await world.add(lambda draft: draft.world.put(_left(draft.world.sessions["left"])))
    for name in NAMES[:3]:
        await read(world, line(AgentStatus.START, name, "x"))
    assert sorted(world.state.world.sessions) == NAMES[:3]
    stored = await world.store.read(WorldSessions(user="me", statuses=OPEN, limit=9))
    assert len(stored) == 4
