"""What happened while the person was away is told once, when they are back, and never twice."""

from msgspec.structs import replace

from hub.contract.words import Verb
from hub.domain.moment import Change
from hub.domain.requests import AgentFinished, Spoke
from hub.loop.away_views import away_of
from hub.loop.events import Changed
from tests.fakes.world import DONE, World
from tests.loop.stage import HOUR, MINUTE, NOON, a_card, a_question, a_world, taken
from tests.loop.test_lessons import two
from tests.loop.test_open_again import NEXT, an_open_card


def told(world: World) -> str | None:
    away = away_of(world.state, world.now)
    return None if away is None else away.says


async def back(world: World) -> None:
    await world.happen(Changed(change=Change.EDIT))


async def test_what_was_done_alone_and_answered_is_told_on_return() -> None:
    world, card = await an_open_card()
    await world.until(NEXT)
    other = await a_card(world, "Write a note")
    taken(await world.answer(other, Verb.APPROVE))
    taken(await world.answer(await a_question(world), Verb.REJECT))
    await a_card(world, "Write another")
    assert told(world) is None
    await back(world)
    minutes = (world.now - world.state.mind.returned.absence.since).total_seconds() // 60  # type: ignore[union-attr]  # told
    assert minutes == 55
    assert told(world) == (
        "While you were away (55 min): 1 done on autopilot, 1 approved by you, 1 dismissed, "
        "2 new suggestions, 1 waiting."
    )
    assert card.id not in [one.id for one in await world.cards()]


async def test_it_is_told_once_for_an_absence_and_an_hour_long() -> None:
    world, _ = await an_open_card()
    await world.until(NEXT)
    await back(world)
    first = world.state.mind.returned
    assert first is not None
    await world.until(NEXT + 5 * MINUTE)
    await back(world)
    assert world.state.mind.returned == replace(first, told=True)
    await world.reopen()
    assert (told(world) or "").startswith("While you were away")
    await world.until(first.at + HOUR)
    assert told(world) is None


async def test_agents_that_finished_meanwhile_are_told_of() -> None:
    world = await a_world()
    await back(world)
    await world.until(NOON + HOUR)
    for _ in range(2):
        await world.ask(AgentFinished(agent="claude-code"))
    await back(world)
    assert told(world) == "While you were away (1 h): agents finished 2 times."


async def test_new_training_pairs_are_told_of() -> None:
    world = await a_world()
    code, docs = await two(world)
    await back(world)
    await world.until(NOON + HOUR)
    for card, verb in ((code, Verb.APPROVE), (docs, Verb.REJECT)):
        taken(await world.answer(card, verb))
    await back(world)
    assert told(world) == "While you were away (1 h): 1 approved by you, 1 dismissed, 1 new training pair."


async def test_an_absence_in_which_nothing_happened_is_not_worth_a_word() -> None:
    world = await a_world()
    await back(world)
    await world.until(NOON + HOUR)
    await a_card(world)
    await back(world)
    assert told(world) is None


async def test_who_never_left_is_told_nothing() -> None:
    world = await a_world()
    for minute in range(0, 60, 10):
        await world.until(NOON + minute * MINUTE)
        await world.ask(Spoke(at=world.now, source="api"))
        taken(await world.answer(await a_card(world, f"Note {minute}"), Verb.APPROVE))
    assert told(world) is None


async def test_what_failed_is_told_too_and_a_clock_set_back_tells_nothing() -> None:
    world = await a_world()
    await back(world)
    await world.until(NOON + HOUR)
    world.results = lambda _job: replace(DONE, exit_code=1)
    taken(await world.answer(await a_card(world), Verb.APPROVE))
    await back(world)
    assert "1 failed, 1 approved by you" in (told(world) or "")
    assert away_of(world.state, NOON) is None
