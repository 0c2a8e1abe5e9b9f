"""What was said is remembered, so that nothing is said twice: up to a bound, the latest last."""

from msgspec.structs import replace

from hub.contract.words import Verb
from hub.domain.storage import MindOf
from tests.loop.stage import a_world
from tests.loop.test_cycle import changed_tests, trigger


async def test_reasons_are_remembered_up_to_a_bound_the_latest_last() -> None:
    world = await a_world()
    world.state = replace(world.state, known={f"old{number}": "x" for number in range(500)})
    world.readings["git"] = changed_tests()
    await trigger(world)
    assert len(world.state.known) == 500
    assert "old0" not in world.state.known
    assert await world.store.read(MindOf(user="me")) == world.state.mind


async def test_a_reason_that_comes_again_counts_as_the_latest() -> None:
    world = await a_world()
    world.readings["git"] = changed_tests("one")
    await trigger(world)
    key = next(iter(world.state.known))
    world.state = replace(world.state, known={key: "old", "other": "x"})
    await world.answer((await world.cards())[0], Verb.REJECT)
    world.readings["git"] = changed_tests("two")
    await trigger(world, force=True)
    assert list(world.state.known) == ["other", key]
