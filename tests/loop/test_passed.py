"""Cards of a state that has passed: they expire with their own reason, and everybody who shows them is told."""

import pytest
from msgspec.structs import replace

from hub.contract.events import PredictionExpired
from hub.contract.words import MoveReason, Status, Verb
from hub.domain.episode import Learned, Moved
from hub.domain.moment import Change
from hub.domain.readings import BrokenReading, Reading
from hub.domain.requests import Pause
from hub.domain.suggestion import Card
from tests.fakes.world import World
from tests.loop.stage import DAY, DISCORD, MINUTE, NOON, PHONE, WATCH, a_card, a_world, handed, refused, taken
from tests.loop.test_change import CLEAN, changed, failed, happen, kinds, see


async def a_suggestion(world: World) -> Card:
    see(world, changed("tests"))
    await happen(world, Change.GIT, after=5 * MINUTE)
    (card,) = await world.cards()
    assert card.proposal.kind == "run-tests"
    return card


@pytest.mark.slow
async def test_tests_that_were_run_by_hand_need_no_card_any_more() -> None:
    world = await a_world()
    await world.pair(PHONE, WATCH, DISCORD)
    card = await a_suggestion(world)
    see(world, replace(CLEAN, last_test_run_at=world.now))
    await happen(world, Change.TESTS, after=5 * MINUTE)
    gone = await world.card(card.id)
    assert (gone.status, gone.status_reason) == (Status.EXPIRED, MoveReason.PASSED)
    event = PredictionExpired(card_id=card.id, reason=MoveReason.PASSED)
    assert world.told(PredictionExpired) == [event]
    for device in (PHONE, WATCH, DISCORD):
        assert handed(world, device, PredictionExpired).event == event
    story = await world.story(card.id)
    assert story[-1] == Moved(before=Status.PENDING, after=Status.EXPIRED, reason=MoveReason.PASSED)
    assert [step for step in story if isinstance(step, Learned)] == []
    assert world.state.open_count == 0


@pytest.mark.slow
async def test_who_answers_what_has_passed_is_told_so() -> None:
    world = await a_world()
    card = await a_suggestion(world)
    see(world, replace(CLEAN, last_test_run_at=world.now))
    await happen(world, Change.TESTS, after=5 * MINUTE)
    reply = refused(await world.answer(card, Verb.APPROVE))
    assert reply.code == "expired"
    assert "no longer relevant" in reply.detail


@pytest.mark.slow
async def test_a_snoozed_card_passes_too_and_another_state_is_a_card_of_its_own() -> None:
    world = await a_world()
    card = await a_suggestion(world)
    taken(await world.answer(card, Verb.SNOOZE, until=NOON + DAY))
    see(world, replace(changed("tests"), last_test_run_at=world.now))
    await happen(world, Change.TESTS, after=5 * MINUTE)
    assert (await world.card(card.id)).status_reason is MoveReason.PASSED
    assert kinds(world) == ["run-tests", "run-tests"]
    assert len(await world.cards()) == 1


@pytest.mark.slow
async def test_what_could_not_be_read_has_not_passed() -> None:
    world = await a_world()
    card = await a_suggestion(world)
    world.readings["git"] = Reading(sensor="git", at=NOON, body=BrokenReading(detail="git is away"))
    await happen(world, Change.GIT, after=5 * MINUTE)
    assert (await world.card(card.id)).status is Status.PENDING


async def test_a_hint_and_what_has_run_once_stay() -> None:
    world = await a_world()
    hint = await a_card(world)
    see(world, failed(NOON))
    await happen(world, Change.TESTS, after=MINUTE)
    card = next(card for card in await world.cards() if card.proposal.kind == "fix-tests")
    world.results = lambda _job: None
    taken(await world.answer(card, Verb.APPROVE))
    await world.reopen()
    assert (await world.card(card.id)).status_reason is MoveReason.INTERRUPTED
    see(world, replace(CLEAN, last_test_run_at=world.now))
    await happen(world, Change.TESTS, after=MINUTE)
    assert [(await world.card(one.id)).status for one in (hint, card)] == [Status.PENDING] * 2


async def test_a_pause_keeps_nothing_open_that_has_passed() -> None:
    world = await a_world()
    card = await a_suggestion(world)
    await world.ask(Pause(reason="lunch"))
    see(world, CLEAN)
    await happen(world, Change.FILES, after=MINUTE)
    assert (await world.card(card.id)).status_reason is MoveReason.PASSED
