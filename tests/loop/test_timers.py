"""What time alone brings: ends of snoozes and pauses, expiry, cycles, clock changes, new months."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from hub.contract.api import TriggerAnswer
from hub.contract.events import PredictionExpired, PredictionReturned, Resumed
from hub.contract.words import Autonomy, Status, Verb
from hub.domain.episode import Learned
from hub.domain.judgement import Ledger, Spending
from hub.domain.mind import Mind
from hub.domain.requests import Pause, Trigger
from hub.domain.storage import SaveMind
from hub.loop.commands import Look
from hub.loop.views import status_of
from tests.fakes.world import World, a_state, utc
from tests.loop.stage import HOUR, MINUTE, NOON, PROFILES, a_card, a_policy, a_question, a_world, taken


async def test_a_snooze_ends_and_the_card_is_there_again() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.SNOOZE, until=NOON + 10 * MINUTE))
    assert await world.cards() == ()
    await world.until(NOON + 9 * MINUTE)
    assert world.told(PredictionReturned) == []
    await world.until(NOON + 10 * MINUTE)
    assert [one.id for one in await world.cards()] == [card.id]
    assert (await world.card(card.id)).snoozed_until is None
    await world.until(NOON + HOUR)
    assert len(world.told(PredictionReturned)) == 1


@pytest.mark.slow
async def test_a_card_that_nobody_saw_expires_once_and_teaches_nothing() -> None:
    world = await a_world()
    card = await a_card(world)
    await world.until(card.expires_at + HOUR)
    assert (await world.card(card.id)).status is Status.EXPIRED
    assert world.told(PredictionExpired) == [PredictionExpired(card_id=card.id)]
    signals = [body for body in await world.story(card.id) if isinstance(body, Learned)]
    assert signals == []


async def test_a_question_that_expired_teaches_nothing() -> None:
    world = await a_world()
    card = await a_question(world)
    await world.until(card.expires_at)
    assert [body for body in await world.story(card.id) if isinstance(body, Learned)] == []


@pytest.mark.slow
async def test_many_cards_that_expire_at_once_are_all_settled_in_time() -> None:
    world = await a_world(a_policy(pending_max=300))
    for number in range(230):
        await a_question(world, f"q{number}")
    await world.until(NOON + 12 * MINUTE)
    assert len(world.told(PredictionExpired)) == 230
    assert world.state.open_count == 0


async def test_an_answer_that_finds_the_card_expired_and_the_tick_do_not_tell_twice() -> None:
    world = await a_world()
    card = await a_card(world)
    await world.clock.sleep_until(card.expires_at)
    await world.answer(card, Verb.APPROVE)
    await world.until(card.expires_at + MINUTE)
    assert len(world.told(PredictionExpired)) == 1


async def test_a_pause_ends_by_itself_after_two_hours() -> None:
    world = await a_world()
    await world.ask(Pause(reason="lunch"))
    await world.until(NOON + 2 * HOUR - MINUTE)
    assert world.autonomy.value == Autonomy.PAUSED
    await world.until(NOON + 2 * HOUR)
    assert world.autonomy.value == Autonomy.WATCHING
    assert len(world.told(Resumed)) == 1


async def looks(world: World, start: datetime, end: datetime) -> list[str]:
    """Return the local times of the cycles between two moments."""
    await world.until(start)
    found: list[str] = []
    zone = ZoneInfo(world.state.policy.zone)

    def note(command: object) -> bool:
        if isinstance(command, Look):
            found.append(f"{world.now.astimezone(zone):%H:%M %z}")
        return False

    world.holding = note
    await world.until(end)
    return found


async def test_a_cycle_every_half_hour_of_the_wall_clock() -> None:
    world = await a_world()
    assert await looks(world, NOON, NOON + 2 * HOUR) == ["12:30 +0000", "13:00 +0000", "13:30 +0000", "14:00 +0000"]


async def test_the_night_in_which_the_clocks_go_forward() -> None:
    start = utc(2026, 3, 29, 0, 10)
    world = await a_world(a_policy("Europe/Berlin"), start)
    assert await looks(world, start, utc(2026, 3, 29, 2, 0)) == [
        "01:30 +0100",
        "03:00 +0200",
        "03:30 +0200",
        "04:00 +0200",
    ]


async def test_the_night_in_which_the_clocks_go_back() -> None:
    start = utc(2026, 10, 25, 0, 10)
    world = await a_world(a_policy("Europe/Berlin"), start)
    assert await looks(world, start, utc(2026, 10, 25, 2, 0)) == [
        "02:30 +0200",
        "02:00 +0100",
        "02:30 +0100",
        "03:00 +0100",
    ]


async def test_a_cycle_that_finds_another_under_way_comes_later_and_is_not_lost() -> None:
    world = await a_world()
    held: list[Look] = []

    def hold(command: object) -> bool:
        held.extend([command] if isinstance(command, Look) else [])
        return isinstance(command, Look) and len(held) == 1

    world.holding = hold
    await world.clock.sleep_until(NOON + 29 * MINUTE + MINUTE / 2)
    assert world.replies.get("r1") is None
    await world.ask_unheard(Trigger())
    await world.until(NOON + 30 * MINUTE)
    assert len(held) == 1
    await world.until(NOON + 33 * MINUTE)
    assert len(held) == 2
    reply = world.replies["r1"]
    assert isinstance(reply, TriggerAnswer)
    assert not reply.triggered


async def test_a_new_month_begins_its_budget_anew_and_a_stop_stays() -> None:
    eve = utc(2026, 3, 31, 23, 50)
    world = World(a_state(a_policy(), PROFILES), eve)
    spending = Spending(day="2026-03-31", day_microusd=5_000_000, month="2026-03", month_microusd=200_000_000)
    ledger = Ledger(spending=spending, month_stopped="2026-03")
    await world.store.commit([(SaveMind(user="me", mind=Mind(ledger=ledger)),)])
    await world.open()
    assert status_of(world.state, world.now).cost_this_month == 200.0
    await world.until(eve + 20 * MINUTE)
    status = status_of(world.state, world.now)
    assert (status.cost_this_month, status.cost_today) == (0.0, 0.0)
    reply = await world.ask(Trigger(hint="Spend more"))
    assert isinstance(reply, TriggerAnswer)
    assert not reply.triggered
    assert "used up" in reply.message


async def test_a_new_month_is_the_persons_own() -> None:
    eve = utc(2026, 3, 31, 21, 50)
    world = World(a_state(a_policy("Europe/Berlin"), PROFILES), eve)
    spending = Spending(day="2026-03-31", day_microusd=1_000_000, month="2026-03", month_microusd=1_000_000)
    await world.store.commit([(SaveMind(user="me", mind=Mind(ledger=Ledger(spending=spending))),)])
    await world.open()
    assert status_of(world.state, world.now).cost_this_month == 1.0
    await world.until(eve + 10 * MINUTE)
    assert status_of(world.state, world.now).cost_this_month == 0.0


async def test_a_question_expires_on_its_second_not_at_the_next_tick() -> None:
    world = await a_world()
    card = await a_question(world, timeout_s=45)
    await world.until(card.expires_at - MINUTE / 60)
    assert world.told(PredictionExpired) == []
    await world.until(card.expires_at + MINUTE / 60)
    assert [moment for moment, event in world.events if isinstance(event, PredictionExpired)] == [card.expires_at]
