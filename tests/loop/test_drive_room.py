"""Where no card has room, no need wakes anybody, and nothing counts as brought up."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Verb
from hub.domain.drives import DriveRules, Wake
from hub.domain.moment import Occasion
from hub.loop.drive_words import of_verdict
from hub.loop.events import SensorsRead
from hub.loop.state import Cycle
from tests.fakes.world import World
from tests.loop import outside
from tests.loop.stage import HOUR, MINUTE, taken
from tests.loop.test_cycle import trigger
from tests.loop.test_drives import FAST, a_need, drive, pressed, wakes


async def with_room_for(count: int, rules: DriveRules = FAST) -> World:
    """A world in which commits wait to be pushed, and press, with one suggestion open that a person asked for."""
    world = await (a_need() if rules is FAST else outside.a_need(rules))
    await trigger(world, hint="run the tests")
    assert world.state.open_suggestions == 1
    limited(world, count)
    await world.until(world.now + 30 * MINUTE)
    pressed(world, 9.0)
    return world


def limited(world: World, count: int) -> None:
    policy = replace(world.state.policy, pending_max=count)
    world.state = replace(world.state, policy=policy, file_policy=policy)


@pytest.mark.parametrize("rules", [FAST, outside.CARD])
async def test_without_room_for_a_card_nobody_is_woken_until_there_is(rules: DriveRules) -> None:
    world = await with_room_for(1, rules)
    before = await wakes(world)
    await world.until(world.now + HOUR)
    assert await wakes(world) == before
    verdict = world.state.verdict
    assert verdict is not None
    assert (verdict.rule, verdict.until) == ("full", None)
    assert "the most suggestions allowed at once are already waiting" in of_verdict(verdict, "UTC").text
    assert [want.brought_at for want in drive(world).wants] == [None]
    taken(await world.answer((await world.cards())[0], Verb.REJECT))
    await world.until(world.now + MINUTE)
    assert [ended for *_, ended in (await wakes(world))[len(before) :]] == ["card"]


async def test_a_wake_whose_room_was_taken_meanwhile_brought_nothing_up() -> None:
    world = await with_room_for(2)
    wake = Wake(id="w1", at=world.now, rule="total", drive="unfinished", pressure=8.1, total=8.1, threshold=5.0)
    cycle = Cycle(id="c1", occasion=Occasion.DRIVE, stage="looking", started_at=world.now, wake=wake)
    limited(world, 1)
    world.state = replace(world.state, cycle=cycle)
    await world.happen(SensorsRead(cycle_id="c1", readings=dict(world.readings)))
    assert world.state.cycle is None
    assert (await wakes(world))[-1] == ("total", "unfinished", "nothing")
    assert [want.brought_at for want in drive(world).wants] == [None]
