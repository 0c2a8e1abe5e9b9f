"""Every move of a card is kept with its reason: with the card, in its episode, in the ledger and in what is told."""

from datetime import datetime, timedelta

import pytest

from hub.contract.words import MoveReason, Status, Verb
from hub.domain.episode import Decided, Moved
from hub.domain.storage import DeliveriesOf
from hub.domain.suggestion import Card
from tests.fakes.world import World
from tests.loop.stage import HOUR, NOON, PHONE, a_card, a_question, a_world, never, running, taken

SECOND = timedelta(seconds=1)


async def moves_of(world: World, card: Card) -> list[tuple[Status, Status, MoveReason]]:
    """The moves of an episode, in order."""
    return [(one.before, one.after, one.reason) for one in await world.story(card.id) if isinstance(one, Moved)]


async def test_a_card_that_was_dismissed_and_taken_back_says_when_it_returned() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.REJECT))
    await world.until(NOON + 40 * SECOND)
    shown = taken(await world.answer(card, Verb.UNDO)).prediction
    assert (shown.returned_at, shown.opened_at) == (NOON + 40 * SECOND, NOON + 40 * SECOND)
    assert shown.status_reason is MoveReason.UNDONE
    assert await moves_of(world, card) == [
        (Status.PENDING, Status.REJECTED, MoveReason.REJECTED),
        (Status.REJECTED, Status.PENDING, MoveReason.UNDONE),
    ]


async def test_an_answer_stands_before_the_move_that_it_brings_about() -> None:
    world = await a_world()
    for verb in (Verb.APPROVE, Verb.REJECT):
        card = await a_card(world, f"Write down what to {verb}")
        taken(await world.answer(card, verb))
        story = [type(one) for one in await world.story(card.id)]
        assert story.index(Decided) < story.index(Moved)


async def test_a_snooze_comes_and_goes_with_its_reasons() -> None:
    world = await a_world()
    card = await a_card(world)
    until = NOON + HOUR
    away = taken(await world.answer(card, Verb.SNOOZE, until=until)).prediction
    assert (away.status_reason, away.returned_at, away.opened_at) == (MoveReason.SNOOZED, None, until)
    await world.until(until + SECOND)
    back = await world.card(card.id)
    assert back.status_reason is MoveReason.SNOOZE_OVER
    assert back.returned_at is not None
    assert until <= back.returned_at <= until + SECOND
    assert [reason for *_, reason in await moves_of(world, card)] == [MoveReason.SNOOZED, MoveReason.SNOOZE_OVER]


async def test_three_ways_to_be_cancelled_are_told_apart() -> None:
    world = await a_world()
    stopped = await running(world)
    taken(await world.answer(stopped, Verb.STOP))
    assert (await world.card(stopped.id)).status_reason is MoveReason.STOPPED
    asked = await a_question(world)
    assert asked.status_reason is None
    assert await moves_of(world, asked) == []


async def test_an_interrupted_run_says_why_it_is_back() -> None:
    world = await a_world()
    world.results = never
    card = await running(world)
    await world.until(NOON + 10 * SECOND)
    await world.reopen()
    back = await world.card(card.id)
    assert (back.status_reason, back.returned_at, back.round) == (MoveReason.INTERRUPTED, NOON + 10 * SECOND, 1)
    assert [reason for *_, reason in await moves_of(world, card)] == [MoveReason.APPROVED, MoveReason.INTERRUPTED]


async def test_the_ledger_says_which_move_a_device_was_told_of() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    taken(await world.answer(card, Verb.REJECT))
    taken(await world.answer(card, Verb.UNDO))
    told = await world.store.read(DeliveriesOf(user=world.state.user, card_ids=(card.id,)))
    assert [(one.event_type, one.reason) for one in told] == [
        ("prediction.new", None),
        ("prediction.settled", MoveReason.REJECTED),
        ("prediction.returned", MoveReason.UNDONE),
    ]


@pytest.mark.parametrize("at", [NOON, NOON + HOUR])
async def test_a_card_that_nobody_touched_was_opened_when_it_was_made(at: datetime) -> None:
    world = await a_world(now=at)
    card = await a_card(world)
    assert (card.returned_at, card.status_reason) == (None, None)
    shown = taken(await world.answer(card, Verb.REJECT)).prediction
    assert (shown.returned_at, shown.opened_at) == (None, at)
