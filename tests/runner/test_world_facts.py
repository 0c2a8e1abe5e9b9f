"""Sessions that the loop does not remember are found in the store: by a line, over the wire, and at a start."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.storage import Change, Committed
from hub.domain.world import AgentLine, WorldEvent, WorldSession
from hub.domain.world_log_state import OPEN_MAX, PutSession, PutWorldPlace, WorldIntake
from hub.domain.world_requests import RespondToSession, SayWorld, WorldSaid
from hub.loop.events import WorldRead
from hub.loop.world import SessionOfAnotherError
from hub.runner.world_facts import opened_sessions
from tests.fakes.store import MemoryStore
from tests.loop.stage import NOON, a_policy, a_world
from tests.runner.running_hub import House, living

FORGOTTEN = WorldSession(
    id="old", status=AgentStatus.FAILED, started_at=NOON, moved_at=NOON, heard_at=NOON, asks=LogText("captcha")
)


async def test_a_line_finds_the_session_that_it_is_about() -> None:
    world = await a_world()
    assert await world.store.commit([(PutSession(user="me", session=FORGOTTEN),)]) == (Committed(),)
    line = AgentLine(status=AgentStatus.RETRY, session="old")
    fact = WorldEvent(source="file", identifier=LogText("old"))
    await world.happen(WorldRead(lines=(fact, line), cursor=b"1"))
    assert world.state.world.sessions["old"].status is AgentStatus.RETRY
    assert world.state.world.intake == WorldIntake(lines=2)


async def test_an_answer_finds_the_session_that_it_is_for() -> None:
    world = await a_world()
    assert await world.store.commit([(PutSession(user="me", session=FORGOTTEN),)]) == (Committed(),)
    reply = await world.ask(RespondToSession(session="old", text="XKCD42", in_person=True))
    assert isinstance(reply, WorldSaid), reply
    assert world.state.world.sessions["old"].status is AgentStatus.RETRY


async def test_whoever_began_a_session_is_known_though_it_was_forgotten() -> None:
    world = await a_world()
    mine = replace(FORGOTTEN, owner="cli_1")
    assert await world.store.commit([(PutSession(user="me", session=mine),)]) == (Committed(),)
    line = AgentLine(status=AgentStatus.FAILED, session="old")
    with pytest.raises(SessionOfAnotherError):
        await world.ask(SayWorld(line=line, client="cli_2"))


async def test_a_start_takes_up_the_sessions_in_the_order_of_their_lines() -> None:
    store = MemoryStore()
    done = replace(FORGOTTEN, id="done", status=AgentStatus.VERIFIED, heard_at=NOON + timedelta(seconds=1))
    latest = replace(FORGOTTEN, id="latest", heard_at=NOON + timedelta(seconds=2))
    place = PutWorldPlace(user="me", cursor=b"1", intake=WorldIntake(lines=7))
    changes: tuple[Change, ...] = (*(PutSession(user="me", session=one) for one in (latest, FORGOTTEN, done)), place)
    assert await store.commit([changes]) == (Committed(),)
    async with living(House(a_policy(), store)) as house:
        world = house.hub.state().world
        assert list(world.sessions.values()) == [FORGOTTEN, done, latest]
        assert world.intake == WorldIntake(lines=7)


async def test_a_start_finds_the_sessions_that_are_asked_about_however_many_came_since() -> None:
    store = MemoryStore()
    names = [f"s{number:05d}" for number in range(OPEN_MAX)]
    later = [replace(FORGOTTEN, id=name, heard_at=NOON + timedelta(hours=1)) for name in names]
    sessions = tuple(PutSession(user="me", session=one) for one in (FORGOTTEN, *later))
    assert await store.commit([sessions]) == (Committed(),)
    assert "old" not in {one.id for one in await opened_sessions(store, "me")}
    assert "old" in {one.id for one in await opened_sessions(store, "me", ("old", names[0], "never"))}
