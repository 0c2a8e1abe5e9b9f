"""Held until a good moment: who is told when, what survives a restart, and what is never held."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.attention import AttentionStatus
from hub.contract.events import DigestReady, PredictionNew
from hub.contract.surface import Presence
from hub.contract.topics import DeviceAddress
from hub.contract.words import Status, Verb
from hub.domain.attention import Attention, Weighed
from hub.domain.episode import Released
from hub.domain.likelihood import Estimate
from hub.domain.mind import SPENT_DAYS_MAX, Mind, interruptions_on, with_interruption
from hub.domain.moment import Change
from hub.domain.provenance import CalendarText
from hub.domain.readings import CalendarReading, Reading
from hub.domain.requests import AddMute, Configure, GiveDigest, ReportPresence, Spoke, Trigger
from hub.domain.situation import Meeting
from hub.domain.suggestion import Card
from hub.domain.teaching import YesModel
from hub.loop.attention_views import attention_of, day_of
from hub.loop.state import Habits
from hub.loop.views import status_of
from hub.where import how_to_tell
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, NOON, PHONE, a_card, a_policy, a_question, a_world, taken
from tests.loop.test_change import CLEAN, SECOND, changed, failed, happen, see, shop

TERMINAL = DeviceAddress(surface="terminal", device="mine")
ONE = "13:00"


def learnt(world: World, margin: float) -> None:
    """Let so much be known of the person's answers that every estimate is about as sure."""
    world.state = replace(world.state, habits=Habits(model=YesModel(answers=50, shift=margin)))


async def a_person(margin: float = 1.3, attention: Attention | None = None) -> World:
    """Somebody with a phone and a terminal whose answers are known; a margin of 1.3 is a yes in nine of ten cases."""
    rules = attention or Attention(digest_times=(ONE,))
    world = await a_world(a_policy(attention=rules))
    await world.pair(PHONE, TERMINAL)
    learnt(world, margin)
    return world


async def found(world: World, *modules: str, change: Change = Change.FILES) -> Card:
    """Let Pulse notice changed modules, and return the card that it makes of it."""
    see(world, changed(*modules))
    await happen(world, change, after=MINUTE)
    return (await world.cards())[0]


def proposed(card: Card) -> Estimate:
    assert card.proposal.likelihood is not None
    return card.proposal.likelihood


def told(world: World, address: DeviceAddress = PHONE) -> list[tuple[str, str]]:
    """Return what a device was handed, and how loudly."""
    return [(type(one.event).__name__, one.loudness) for _, to, one in world.deliveries if to == address]


async def how(world: World, card: Card) -> Weighed:
    (weighed,) = [body for body in await world.story(card.id) if isinstance(body, Weighed)]
    return weighed


def a_meeting(world: World, begins: datetime, ends: datetime) -> None:
    one = Meeting(uid=CalendarText("m"), title=CalendarText("Planning"), starts_at=begins, ends_at=ends)
    world.readings["calendar"] = Reading(sensor="calendar", at=NOON, body=CalendarReading(meetings=(one,)))


async def test_a_card_waits_for_a_breakpoint_and_is_listed_meanwhile() -> None:
    world = await a_person()
    card = await found(world, "hub")
    assert card.held is not None
    assert card.held.until == "breakpoint"
    assert told(world) == []
    assert told(world, TERMINAL) == [("PredictionNew", "silent")]
    (event,) = world.told(PredictionNew)
    assert isinstance(event, PredictionNew)
    assert event.prediction.held == card.held
    await happen(world, Change.GIT, after=MINUTE)
    assert told(world) == [("PredictionNew", "notify")]
    assert told(world, TERMINAL)[-1] == ("PredictionNew", "notify")
    after = await world.card(card.id)
    assert (after.held, after.status, world.state.held) == (None, Status.PENDING, 0)
    assert [body for body in await world.story(card.id) if isinstance(body, Released)]
    assert world.state.mind.spent.interruptions == 1


async def test_where_no_device_hears_it_nothing_of_the_day_is_spent() -> None:
    world = await a_world(a_policy(attention=Attention(digest_times=(ONE,))))
    learnt(world, 1.3)
    card = await found(world, "hub", change=Change.GIT)
    assert (await how(world, card)).telling == "loud"
    assert world.state.mind.spent.interruptions == 0


async def test_just_after_a_commit_there_is_nothing_to_wait_for() -> None:
    world = await a_person()
    card = await found(world, "hub", change=Change.GIT)
    assert (card.held, (await how(world, card)).circumstances.doing) == (None, "between")
    assert told(world) == [("PredictionNew", "notify")]


async def test_what_waited_is_weighed_anew_when_its_moment_comes() -> None:
    world = await a_person()
    card = await found(world, "hub")
    assert card.held is not None
    assert card.held.until == "breakpoint"
    learnt(world, -0.6)  # meanwhile it has become unlikely
    await happen(world, Change.GIT, after=MINUTE)
    assert told(world) == []
    waits = await world.card(card.id)
    assert waits.held is not None
    assert (waits.held.until, waits.when_told, world.state.held) == ("digest", None, 1)
    await world.until(NOON + 61 * MINUTE)
    (digest,) = world.told(DigestReady)
    assert isinstance(digest, DigestReady)
    shown = digest.cards[0].likelihood
    made_anew = (await world.card(card.id)).when_told
    assert shown is not None
    assert made_anew is not None
    assert made_anew.estimate is not None
    assert shown.p == made_anew.estimate.p < 0.4 < proposed(card).p
    found_again, waiting = [body for body in await world.story(card.id) if isinstance(body, Weighed)]
    assert (found_again.telling, waiting.telling) == ("breakpoint", "digest")


async def test_what_became_less_urgent_to_hear_comes_silently() -> None:
    world = await a_person(attention=Attention(digest_times=()))
    card = await found(world, "hub")
    learnt(world, -0.1)
    await happen(world, Change.GIT, after=MINUTE)
    assert told(world) == [("PredictionNew", "silent")]
    assert ((await world.card(card.id)).held, world.state.mind.spent.interruptions) == (None, 0)


async def test_beside_what_was_just_heard_another_comes_silently() -> None:
    world = await a_person()
    await found(world, "hub", change=Change.GIT)
    assert told(world) == [("PredictionNew", "notify")]
    see(world, failed(world.now))
    await happen(world, Change.TESTS, after=30 * SECOND)
    assert told(world)[-1] == ("PredictionNew", "silent")
    newest = (await world.cards())[0]
    assert (await how(world, newest)).circumstances.just_told
    assert world.state.mind.spent.interruptions == 1


async def test_while_somebody_types_only_a_pause_lets_it_out() -> None:
    world = await a_person(attention=Attention(digest_times=()))
    see(world, failed(NOON))
    await happen(world, Change.TESTS, after=SECOND)
    await happen(world, Change.EDIT, after=5 * SECOND)
    (card,) = await world.cards()
    assert (await how(world, card)).circumstances.doing == "typing"
    assert told(world) == []
    await world.until(world.now + 2 * MINUTE)
    assert told(world) == []
    await world.until(world.now + 2 * MINUTE)
    assert told(world) == [("PredictionNew", "notify")]


@pytest.mark.slow
async def test_a_meeting_is_sat_out() -> None:
    world = await a_person(margin=2.0)
    a_meeting(world, NOON - MINUTE, NOON + 30 * MINUTE)
    await world.until(NOON + SECOND)
    card = await found(world, "hub", change=Change.GIT)
    assert (await how(world, card)).circumstances.doing == "meeting"
    await happen(world, Change.GIT, after=20 * MINUTE)
    assert told(world) == []
    await world.until(NOON + 31 * MINUTE)
    assert told(world) == [("PredictionNew", "notify")]


@pytest.mark.slow
async def test_what_can_wait_comes_at_the_time_of_the_digest_even_after_a_restart() -> None:
    world = await a_person(margin=0.0)
    card = await found(world, "hub")
    assert card.held is not None
    assert card.held.until == "digest"
    await happen(world, Change.GIT, after=MINUTE)
    assert told(world) == []
    await world.reopen()
    assert world.state.held == 1
    await world.until(NOON + 59 * MINUTE)
    assert told(world) == []
    await world.until(NOON + 61 * MINUTE)
    (digest,) = world.told(DigestReady)
    assert isinstance(digest, DigestReady)
    assert [(one.id, one.held) for one in digest.cards] == [(card.id, None)]
    assert (await world.card(card.id)).held is None
    await world.until(NOON + 3 * HOUR)
    assert len(world.told(DigestReady)) == 1
    assert world.state.mind.spent.interruptions == 1


async def test_several_that_are_due_at_once_are_one_interruption() -> None:
    world = await a_person()
    await found(world, "hub")
    see(world, changed("hub"), changed("web", repository=shop()))
    await happen(world, Change.FILES, after=MINUTE)
    assert [card.held is not None for card in await world.cards()] == [True, True]
    await happen(world, Change.GIT, after=MINUTE)
    assert told(world) == [("DigestReady", "notify")]
    assert world.state.mind.spent.interruptions == 1


async def test_who_comes_back_is_told_what_waited() -> None:
    world = await a_person(margin=0.5)
    await world.ask(Spoke(at=world.now, source="api"))
    await world.until(NOON + 40 * MINUTE)
    card = await found(world, "hub")
    assert (await how(world, card)).circumstances.doing == "away"
    assert card.held is not None
    assert told(world) == []
    back = Presence(online=True, person_active_at=world.now)
    await world.ask(ReportPresence(sender=PHONE, presence=back))
    await world.until(world.now + MINUTE)
    assert told(world)[-1] == ("DigestReady", "notify")
    assert (await world.card(card.id)).held is None


async def test_who_has_been_away_for_long_is_not_expected_back_soon() -> None:
    world = await a_person(margin=0.5, attention=Attention(digest_times=()))
    await world.ask(Spoke(at=world.now, source="api"))
    await world.until(NOON + 6 * HOUR, tick=10 * MINUTE)
    weighed = await how(world, await found(world, "hub"))
    assert (weighed.circumstances.doing, weighed.telling) == ("away", "quiet")
    assert (weighed.circumstances.digest_in_s or 0.0) >= 6 * HOUR.total_seconds()


@pytest.mark.slow
async def test_the_days_budget_ends_what_is_heard_and_begins_anew_with_the_day() -> None:
    world = await a_person(attention=Attention(interruptions_per_day=1, digest_times=()))
    await found(world, "hub", change=Change.GIT)
    see(world, changed("hub"), changed("web", repository=shop()))
    await happen(world, Change.GIT, after=MINUTE)
    assert told(world) == [("PredictionNew", "notify"), ("PredictionNew", "silent")]
    await world.until(NOON + 23 * HOUR, tick=10 * MINUTE)
    see(world, changed("hub", "web", "edge"))
    await happen(world, Change.GIT, after=MINUTE)
    assert told(world)[-1] == ("PredictionNew", "notify")


async def test_trends_count_the_interruptions_of_a_day_as_settings_do() -> None:
    world = await a_person(attention=Attention(interruptions_per_day=1, digest_times=()))
    await found(world, "hub", change=Change.GIT)
    first = day_of("UTC", world.now)
    assert (interruptions_on(world.state.mind, first), attention_of(world.state, world.now).spent) == (1, 1)
    await world.until(NOON + 23 * HOUR, tick=10 * MINUTE)
    assert attention_of(world.state, world.now).spent == 0
    see(world, changed("hub", "web", "edge"))
    await happen(world, Change.GIT, after=MINUTE)
    second = day_of("UTC", world.now)
    assert second != first
    assert [interruptions_on(world.state.mind, day) for day in (first, second)] == [1, 1]
    assert attention_of(world.state, world.now).spent == 1


def test_as_many_days_of_interruptions_are_kept_as_the_charts_show() -> None:
    mind = Mind()
    for day in range(SPENT_DAYS_MAX + 9):
        mind = with_interruption(with_interruption(mind, str(day), NOON), str(day), NOON)
    assert len(mind.spent_before) == SPENT_DAYS_MAX
    assert (interruptions_on(mind, "0"), interruptions_on(mind, str(SPENT_DAYS_MAX + 8))) == (0, 2)
    assert interruptions_on(mind, str(SPENT_DAYS_MAX)) == 2


async def test_with_no_interruptions_at_all_a_digest_comes_silently_too() -> None:
    world = await a_person(margin=0.0, attention=Attention(interruptions_per_day=0, digest_times=(ONE,)))
    card = await found(world, "hub")
    assert card.held is not None
    await world.until(NOON + HOUR + MINUTE)
    assert told(world) == [("DigestReady", "silent")]
    assert world.state.mind.spent.interruptions == 0


async def test_questions_and_what_a_person_asked_for_are_never_held() -> None:
    world = await a_person(attention=Attention(interruptions_per_day=0, needless_interruption="awful"))
    a_meeting(world, NOON - HOUR, NOON + HOUR)
    await happen(world, Change.EDIT, after=SECOND)
    asked = await a_question(world)
    wanted = await a_card(world)
    see(world, changed("hub"))
    reply = await world.ask(Trigger(force=True))
    assert (asked.held, wanted.held, getattr(reply, "prediction").held) == (None, None, None)  # noqa: B009  a TriggerAnswer
    assert told(world) == [("PredictionNew", "notify"), ("DigestReady", "silent"), *[("PredictionNew", "notify")] * 2]


async def test_quiet_hours_stand_above_everything() -> None:
    world = await a_person(attention=Attention(digest_times=(ONE,)))
    await found(world, "hub")
    await world.ask(Configure(patch=ConfigPatch(dnd_until=NOON + 2 * HOUR), by="me"))
    await happen(world, Change.GIT, after=MINUTE)
    await world.until(NOON + 2 * HOUR - MINUTE)
    assert told(world) == []
    await world.until(NOON + 2 * HOUR + MINUTE)
    assert told(world) == [("DigestReady", "notify")]


async def test_a_card_of_the_night_is_told_in_the_morning() -> None:
    world = await a_person(attention=Attention(digest_times=(), digest_on_return=False))
    await world.until(NOON + 11 * HOUR + 30 * MINUTE)
    card = await found(world, "hub")
    assert (card.held is not None, told(world)) == (True, [])
    await world.until(NOON + 20 * HOUR - MINUTE)
    assert told(world) == []
    await world.until(NOON + 20 * HOUR + MINUTE)
    assert told(world) == [("PredictionNew", "notify")]
    assert (await world.card(card.id)).expires_at > NOON + 27 * HOUR


async def test_ending_do_not_disturb_tells_what_it_held() -> None:
    world = await a_person(attention=Attention(digest_times=(), digest_on_return=False))
    await world.ask(Configure(patch=ConfigPatch(dnd_until=NOON + 5 * HOUR), by="me"))
    await found(world, "hub")
    assert told(world) == []
    await world.ask(Configure(patch=ConfigPatch(dnd_off=True), by="me"))
    await world.until(NOON + 2 * MINUTE)
    assert told(world) == [("PredictionNew", "notify")]


async def test_before_anything_is_known_what_is_found_is_told() -> None:
    world = await a_person()
    world.state = replace(world.state, habits=Habits())
    card = await found(world, "hub")
    assert (card.held, told(world)) == (None, [("PredictionNew", "notify")])


async def test_a_held_card_is_open_like_any_other() -> None:
    world = await a_person(margin=0.0)
    card = await found(world, "hub")
    assert (await world.ask(GiveDigest())) is not None
    assert (await world.card(card.id)).held is None
    see(world, changed("hub"), changed("web", repository=shop()))
    await happen(world, Change.FILES, after=MINUTE)
    other = (await world.cards())[0]
    assert (other.held is not None, world.state.held) == (True, 1)
    taken(await world.answer(other, Verb.APPROVE))
    assert ((await world.card(other.id)).held, world.state.held) == (None, 0)
    assert len(world.jobs) == 1


async def test_a_held_card_goes_when_its_matter_has_passed_and_nobody_hears_of_it() -> None:
    world = await a_person()
    card = await found(world, "hub")
    see(world, replace(CLEAN, last_test_run_at=world.now))
    await happen(world, Change.TESTS, after=MINUTE)
    assert (await world.card(card.id)).status is Status.EXPIRED
    assert ("PredictionNew", "notify") not in told(world)
    assert world.state.held == 0


async def test_a_device_that_comes_online_is_handed_no_held_card() -> None:
    world = await a_person(margin=0.0)
    await found(world, "hub")
    for online in (False, True):
        for address in (PHONE, TERMINAL):
            await world.ask(ReportPresence(sender=address, presence=Presence(online=online)))
    assert told(world) == []
    assert told(world, TERMINAL)[-1] == ("PredictionNew", "silent")


async def test_the_decision_can_be_made_again_from_the_episode() -> None:
    world = await a_person()
    weighed = await how(world, await found(world, "hub"))
    assert how_to_tell(weighed.matter, weighed.circumstances, weighed.attention) == weighed


@pytest.mark.slow
@pytest.mark.parametrize("cards", [3, 9])
async def test_a_digest_has_room_for_eight_and_the_rest_waits_for_the_next(cards: int) -> None:
    world = await a_person(margin=0.0, attention=Attention(digest_times=("13:00", "17:00")))
    every = [
        changed("hub", repository=replace(shop(), path=f"/home/me/p{number}", last_test_run_at=NOON - HOUR))
        for number in range(cards)
    ]
    for number in range(cards):
        see(world, *every[: number + 1])
        await happen(world, Change.FILES, after=MINUTE)
    assert world.state.held == cards
    await world.until(NOON + 2 * HOUR)
    (digest,) = [one for one in world.told(DigestReady) if isinstance(one, DigestReady)]
    assert (len(digest.cards), digest.more, world.state.held) == (min(cards, 8), max(0, cards - 8), max(0, cards - 8))
    await world.until(NOON + 5 * HOUR + timedelta(minutes=1))
    assert world.state.held == 0


async def test_what_a_person_says_of_it_holds_at_once_and_over_a_restart() -> None:
    world = await a_person(margin=0.0)
    patch = ConfigPatch(needless_interruption="mild", missed_help="awful", digest_times=())
    await world.ask(Configure(patch=patch, by="me"))
    await world.reopen()
    learnt(world, 0.0)
    card = await found(world, "hub")
    assert (card.held, (await how(world, card)).attention.missed_help) == (None, "awful")
    status = status_of(world.state, world.now).attention
    assert status == AttentionStatus(spent=1, per_day=16)


async def test_the_day_and_what_waits_can_be_seen() -> None:
    world = await a_person(margin=0.0)
    await found(world, "hub")
    status = status_of(world.state, world.now).attention
    assert status == AttentionStatus(spent=0, per_day=16, held=1, next_digest_at=NOON + HOUR)


@pytest.mark.parametrize("pinned", [False, True])
async def test_what_always_asks_is_never_held(*, pinned: bool) -> None:
    world = await a_person(margin=0.0)
    if pinned:
        await world.ask(AddMute(degree="ask", kind="run-tests"))
    card = await found(world, "hub")
    assert card.proposal.kind == "run-tests"
    assert (card.held is None) is pinned
