"""A hint or an agent's idea for what an open card says already is that card, and does not come back after it."""

from hub.contract.events import PredictionNew
from hub.contract.words import Verb
from hub.domain.provenance import AgentText
from hub.domain.readings import Reading
from hub.domain.suggested import Suggested, SuggestedReading
from tests.loop.stage import NOON, a_world
from tests.loop.test_cycle import changed_tests, trigger


async def test_a_hint_for_what_waits_is_the_card_that_waits() -> None:
    world = await a_world()
    world.readings["git"] = changed_tests()
    first = await trigger(world)
    again = await trigger(world, hint="Run the tests", force=True)
    assert (again.triggered, again.prediction) == (False, first.prediction)
    assert "already waiting for you" in again.message
    assert len(await world.cards()) == 1


async def test_an_agents_idea_that_joined_a_card_does_not_come_once_that_is_answered() -> None:
    world = await a_world()
    said = Suggested(
        id="a1", agent=AgentText("codex"), prompt=AgentText("water the plants"), why=AgentText(""), at=NOON
    )
    assert (await trigger(world, hint="Water the plants.")).triggered
    world.readings["suggested"] = Reading(sensor="suggested", at=NOON, body=SuggestedReading(suggested=(said,)))
    assert not (await trigger(world, force=True)).triggered
    (card,) = await world.cards()
    await world.answer(card, Verb.REJECT)
    assert not (await trigger(world, force=True)).triggered
    assert len(world.told(PredictionNew)) == 1
