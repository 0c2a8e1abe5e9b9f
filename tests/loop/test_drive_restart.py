"""Wakes over a restart: each comes to an end, and no more of them are kept than a person looks back at."""

from msgspec.structs import replace

from hub.domain.drives import WAKES_MAX, DropOldWakes, Feedback, PutWake, Wake
from hub.domain.requests import TakeFeedback
from hub.loop import step
from hub.loop.events import Stamped, Ticked
from tests.fakes.world import World
from tests.loop.outside import ACCEPTED, ALONE, a_need, messages, outside, used_to_it, wakes
from tests.loop.stage import HOUR, NOON, a_world
from tests.loop.test_drives import of_needs

UNDER_WAY = Wake(id="w1", at=NOON, rule="total", drive="goals", pressure=6.0, total=6.0, threshold=5.0)


async def test_a_wake_in_the_middle_of_its_cycle_is_interrupted_by_a_stop() -> None:
    world = await a_world(of_needs())
    done = replace(UNDER_WAY, id="w0", ended="nothing", ended_at=NOON)
    await world.store.commit([(PutWake(user=world.state.user, wake=one),) for one in (done, UNDER_WAY)])
    await world.reopen()
    assert await wakes(world) == [done, replace(UNDER_WAY, ended="interrupted", ended_at=world.now)]
    ended = await wakes(world)
    await world.reopen()
    assert await wakes(world) == ended, "an end stays as it was"


async def on_its_way() -> World:
    """A world in which a message goes to the agent alone, and its gateway has not answered yet."""
    world = await a_need(ALONE)
    await used_to_it(world)
    world.results = lambda _job: None
    world.jobs.clear()
    await world.until(world.now + 9 * HOUR, tick=HOUR)
    assert len(messages(world)) == 1
    assert (await wakes(world))[-1].ended == ""
    return world


async def test_a_message_that_is_handed_over_after_the_restart_is_not_interrupted() -> None:
    world = await on_its_way()
    world.results = lambda _job: ACCEPTED
    await world.reopen()
    assert len(messages(world)) == 2
    assert (await wakes(world))[-1].ended == "sent"


async def test_a_message_that_nobody_can_take_any_more_is_interrupted() -> None:
    world = await on_its_way()
    world.restart_with(replace(outside(ALONE), agents=()))
    await world.reopen()
    assert (await wakes(world))[-1].ended == "interrupted"
    assert world.state.mind.drives.outside[-1].wake.ended == "interrupted"
    report = Feedback(drives=("unfinished",), outcome="success", summary="It had come all the same.")
    await world.ask(TakeFeedback(feedback=report))
    assert (await wakes(world))[-1].ended == "success"


async def test_each_half_hour_the_oldest_of_too_many_go() -> None:
    world = await a_world()
    following = step(world.state, Stamped(at=world.now + HOUR, seed="s", event=Ticked()))
    assert DropOldWakes(user=world.state.user, kept=WAKES_MAX) in following.changes
