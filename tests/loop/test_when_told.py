"""What an answer to a held card teaches: the moment of its telling, about what it was as it was proposed."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Status, Verb
from hub.domain.attention import Attention
from hub.domain.episode import Released
from hub.domain.likelihood import Features, WhenTold
from hub.domain.moment import Change
from hub.domain.reports import TaughtLately
from hub.domain.requests import GiveDigest, Spoke
from hub.domain.storage import MoveCard
from hub.domain.suggestion import Card
from hub.domain.teaching import Taught
from hub.loop.decide_again import decide_again
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, NOON, a_card, never, taken
from tests.loop.test_attention import a_meeting, a_person, found, learnt
from tests.loop.test_change import happen
from tests.loop.test_decide_again import kept
from tests.loop.test_open_again import BEGUN, NEXT, an_open_card


async def row_of(world: World, card: Card) -> Taught:
    rows = await world.store.read(TaughtLately(user=world.state.user, limit=99))
    (row,) = [row for row in rows if row.card_id == card.id]
    return row


def proposed(card: Card) -> Features:
    assert card.proposal.likelihood is not None
    return card.proposal.likelihood.about


def timeless(about: Features) -> Features:
    """Return what does not depend on the moment."""
    levels = replace(about.levels, silence=0.0, calendar=0.0)
    return replace(about, at=NOON, hour=0.0, weekday=0, silence_s=None, presence="unknown", happened="", levels=levels)


@pytest.mark.slow
async def test_a_card_that_was_released_teaches_the_moment_of_its_release() -> None:
    world = await a_person(attention=Attention(digest_times=()))
    world.results = never
    await world.ask(Spoke(at=world.now, source="api"))
    await world.until(NOON + 10 * MINUTE)
    card = await found(world, "hub")
    assert (card.held is not None, proposed(card).happened) == (True, "files")
    await world.until(NOON + 20 * MINUTE)
    await happen(world, Change.GIT, after=MINUTE)
    (released_at,) = [step.at for step in await kept(world, card) if isinstance(step.body, Released)]
    assert world.now - MINUTE <= released_at <= world.now
    await world.until(released_at + 10 * MINUTE)
    after = await world.card(card.id)
    assert after.proposal == card.proposal
    taken(await world.answer(after, Verb.APPROVE))
    about = (await row_of(world, card)).about
    assert (about.at, about.weekday, about.happened) == (released_at, released_at.weekday(), "git")
    assert about.hour == pytest.approx(12 + released_at.minute / 60)
    assert about.silence_s == (released_at - NOON).total_seconds()
    assert about.levels.silence > proposed(card).levels.silence > 0.0
    assert timeless(about) == timeless(proposed(card))


@pytest.mark.slow
async def test_a_digest_teaches_its_own_time_even_after_a_restart_and_is_decided_again_the_same() -> None:
    world = await a_person(margin=0.0)
    card = await found(world, "hub")
    await world.until(NOON + 61 * MINUTE)
    told = (await world.card(card.id)).when_told
    assert told is not None
    await world.reopen()
    taken(await world.answer(await world.card(card.id), Verb.REJECT))
    about = (await row_of(world, card)).about
    assert (about.at, int(about.hour), about.happened) == (told.at, 13, "")
    assert proposed(card).happened == "files"
    again = decide_again(await kept(world, card))
    assert {one.room for one in again} == {"what", "may", "where"}
    assert [one.same for one in again] == [True] * len(again)


async def test_a_held_card_that_is_answered_in_a_list_teaches_the_moment_of_the_answer() -> None:
    world = await a_person(margin=0.0)
    world.results = never
    card = await found(world, "hub")
    await world.until(NOON + 30 * MINUTE)
    assert (await world.card(card.id)).held is not None
    answered_at = world.now
    taken(await world.answer(card, Verb.REJECT))
    assert (await row_of(world, card)).about.at == answered_at
    await world.until(world.now + MINUTE)
    taken(await world.answer(await world.card(card.id), Verb.UNDO))
    row = await row_of(world, card)
    assert (row.undone, row.about.at) == (True, answered_at)
    assert (await world.card(card.id)).status is Status.PENDING


async def test_undo_takes_back_all_that_an_answer_to_a_held_card_taught() -> None:
    world = await a_person(margin=0.0)
    card = await found(world, "hub")
    await world.ask(GiveDigest())
    before = world.state.habits.model
    taken(await world.answer(await world.card(card.id), Verb.REJECT))
    assert world.state.habits.model != before
    taken(await world.answer(await world.card(card.id), Verb.UNDO))
    assert world.state.habits.model.weights == {}


@pytest.mark.slow
async def test_the_next_meeting_is_the_one_that_is_near_when_it_is_told() -> None:
    world = await a_person(margin=0.0, attention=Attention(digest_times=("13:00",)))
    a_meeting(world, NOON + 90 * MINUTE, NOON + 2 * HOUR)
    card = await found(world, "hub")
    assert proposed(card).levels.calendar == 0.0
    await world.until(NOON + 61 * MINUTE)
    told = (await world.card(card.id)).when_told
    assert told is not None
    assert told.calendar == pytest.approx(0.5, abs=0.05)


async def test_what_was_told_at_once_teaches_what_was_known_when_it_was_made() -> None:
    world = await a_person()
    world.results = never
    card = await found(world, "hub", change=Change.GIT)
    assert card.held is None
    await world.until(world.now + 20 * MINUTE)
    taken(await world.answer(await world.card(card.id), Verb.APPROVE))
    assert (await row_of(world, card)).about == proposed(card)
    wish = await a_card(world)
    assert wish.when_told is None


async def test_what_is_made_anew_and_runs_alone_teaches_the_moment_at_which_it_was_made_anew() -> None:
    world, card = await an_open_card()
    about = proposed(card)
    told = WhenTold(at=BEGUN, hour=3.0, weekday=6, silence_s=None, presence="away", happened="git")
    before = replace(card, when_told=told, version=card.version + 1)
    stored = MoveCard(card=before, expect_version=card.version, expect_status=card.status)
    await world.store.commit([(stored,)])
    await world.until(NEXT)
    ran = await world.card(card.id)
    assert (ran.autonomous, ran.when_told) == (True, None)
    assert (await row_of(world, card)).about == proposed(ran) != about


async def test_what_was_weighed_anew_is_decided_again_the_same() -> None:
    world = await a_person(attention=Attention(digest_times=("13:00",)))
    card = await found(world, "hub")
    learnt(world, -0.6)
    await happen(world, Change.GIT, after=MINUTE)
    again = decide_again(await kept(world, card))
    assert [one.now[:9] for one in again if one.room == "where"] == ["Waits for", "Waits for"]
    assert all(one.same for one in again)
    assert len({one.now for one in again if one.room == "where"}) == 2
