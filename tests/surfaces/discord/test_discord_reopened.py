"""Votes count for the opening of a card that they were cast on: the hub says when that was, whatever moved it."""

from datetime import datetime, timedelta

import pytest

from hub.contract.words import Verb
from surfaces.discord import adopt
from surfaces.discord.ballots import Ballots
from surfaces.discord.buttons import short
from surfaces.discord.card_messages import CardMessages
from surfaces.discord.found import Seen, Sorted
from surfaces.discord.settings import Config
from tests.loop.stage import HOUR, NOON, a_card, a_world, taken

SECOND = timedelta(seconds=1)


def message_made_at(moment: datetime) -> str:
    """An id as Discord gives it: the time in milliseconds, in the upper bits."""
    return str((round(moment.timestamp() * 1_000) - adopt.DISCORD_EPOCH_MS) << 22)


def some_messages() -> CardMessages:
    config = Config()
    return CardMessages(config, Ballots(config))


@pytest.mark.parametrize(("made_s", "is_taken"), [(0, False), (20, False), (41, True)])
async def test_votes_from_before_an_undo_do_not_count_for_the_card_that_is_open_again(
    made_s: int, *, is_taken: bool
) -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.REJECT))
    await world.until(NOON + 40 * SECOND)
    told = taken(await world.answer(card, Verb.UNDO)).prediction
    card_messages = some_messages()
    seen = Seen(message_id=message_made_at(NOON + made_s * SECOND), footer=f"pulse why {card.id}")
    card_messages.orphans[card.id] = Sorted(
        kind="card", name=card.id, seen=seen, hash=short(card.card_hash), pending=True
    )
    adopt.resolve(card_messages, card.id, told, world.now)
    assert (card.id in card_messages.fresh) is is_taken


async def test_votes_from_before_a_snooze_do_not_count_when_it_is_over_and_the_hub_has_not_said_so_yet() -> None:
    world = await a_world()
    card = await a_card(world)
    told = taken(await world.answer(card, Verb.SNOOZE, until=NOON + HOUR)).prediction
    card_messages = some_messages()
    seen = Seen(message_id=message_made_at(NOON), footer=f"pulse why {card.id}")
    card_messages.orphans[card.id] = Sorted(
        kind="card", name=card.id, seen=seen, hash=short(card.card_hash), pending=True
    )
    adopt.resolve(card_messages, card.id, told, NOON + HOUR + SECOND)
    assert card_messages.fresh == {}
