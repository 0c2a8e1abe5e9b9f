"""A snooze can be taken back as long as it lasts."""

from hub.contract.events import PredictionReturned
from hub.contract.words import Verb
from tests.loop.stage import HOUR, NOON, a_card, a_world, taken


async def test_a_snooze_is_taken_back_at_any_time_and_does_not_count() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.SNOOZE, until=NOON + 5 * HOUR))
    assert await world.cards() == ()
    await world.until(NOON + HOUR)
    reply = taken(await world.answer(card, Verb.UNDO))
    assert (reply.prediction.snoozed_until, reply.prediction.snoozes_left) == (None, 3)
    assert [one.id for one in await world.cards()] == [card.id]
    back = world.told(PredictionReturned)[-1]
    assert isinstance(back, PredictionReturned)
    assert back.prediction.id == card.id
