"""A person's trigger waits a moment for a cycle that nobody asked for, and is told when that takes too long."""

from datetime import timedelta

from hub.contract.api import TriggerAnswer
from hub.contract.words import Verb
from hub.domain.requests import Trigger
from hub.loop.commands import Look
from hub.loop.events import CycleBroke
from hub.loop.waiting import WAITING_MAX
from tests.fakes.world import World
from tests.loop.stage import NOON, a_card, a_world, refused, taken

HINTED = Trigger(hint="Write the minutes", force=True)


async def following_up() -> tuple[World, str]:
    """A run has just been verified, and the look that follows it is under way; return its cycle."""
    world = await a_world()
    card = await a_card(world)
    world.holding = lambda command: isinstance(command, Look)
    taken(await world.answer(card, Verb.APPROVE))
    assert world.state.cycle is not None
    world.holding = lambda _command: False
    return world, world.state.cycle.id


async def test_it_begins_when_the_follow_up_has_ended() -> None:
    world, cycle = await following_up()
    name = await world.ask_unheard(HINTED)
    assert name not in world.replies
    await world.happen(CycleBroke(cycle_id=cycle, why="the test ends it"))
    reply = world.replies[name]
    assert isinstance(reply, TriggerAnswer)
    assert reply.triggered
    assert world.state.waiting == ()


async def test_several_have_their_turns_one_after_the_other() -> None:
    world, cycle = await following_up()
    names = [await world.ask_unheard(Trigger(hint=f"Write page {page}", force=True)) for page in (1, 2)]
    await world.happen(CycleBroke(cycle_id=cycle, why="the test ends it"))
    replies = [world.replies[name] for name in names]
    assert all(isinstance(reply, TriggerAnswer) and reply.triggered for reply in replies)
    assert [card.prompt for card in await world.cards()] == ["Write page 2", "Write page 1"]


async def test_what_waited_long_enough_is_refused_at_that_moment() -> None:
    world, _ = await following_up()
    name = await world.ask_unheard(HINTED)
    until = NOON + timedelta(seconds=world.state.limits.trigger_wait_s_max)
    assert world.wake_at == until
    await world.until(until)
    assert refused(world.replies[name]).code == "cycle-running"
    assert world.state.waiting == ()


async def test_only_so_many_wait() -> None:
    world, _ = await following_up()
    for _ in range(WAITING_MAX):
        await world.ask_unheard(HINTED)
    assert refused(await world.ask(HINTED)).code == "cycle-running"


async def test_another_persons_trigger_is_not_waited_for() -> None:
    world = await a_world()
    world.holding = lambda command: isinstance(command, Look)
    await world.ask_unheard(HINTED)
    assert refused(await world.ask(HINTED)).code == "cycle-running"
