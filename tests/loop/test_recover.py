"""A stop at any moment and a start after it: nothing is lost, nothing runs twice."""

from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.events import PredictionReturned
from hub.contract.words import Autonomy, RunState, Status, Verb
from hub.domain.requests import Configure, Pause, Spoke
from hub.domain.storage import ExecutionsOf, MoveExecution
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, NOON, PHONE, a_card, a_policy, a_world, idempotent, running, taken


async def states(world: World, card_id: str) -> list[RunState]:
    return [run.state for run in await world.store.read(ExecutionsOf(user="me", card_id=card_id))]


async def test_what_waited_for_its_turn_starts_after_the_restart() -> None:
    world = await a_world(running_max=1)
    await running(world, "First")
    second = await running(world, "Second")
    await world.reopen()
    assert [job.prompt for job in world.jobs] == ["First", "Second"]
    assert await states(world, second.id) == [RunState.ACTIVE]


async def test_what_ran_goes_back_to_the_person() -> None:
    world = await a_world()
    card = await running(world)
    await world.reopen()
    after = await world.card(card.id)
    assert (after.status, after.execution_id, after.settled) == (Status.PENDING, None, None)
    assert "is unknown" in after.outcome
    assert await states(world, card.id) == [RunState.INTERRUPTED]
    assert len(world.told(PredictionReturned)) == 1
    assert (len(world.jobs), world.state.open_count, world.state.running) == (1, 1, ())


async def test_a_card_that_had_nearly_expired_comes_back_with_time_to_answer() -> None:
    world = await a_world()
    card = await running(world)
    await world.clock.sleep_until(card.expires_at + HOUR)
    await world.reopen()
    assert (await world.card(card.id)).expires_at == world.now + (2 + 9 + 6) * HOUR  # the night between does not count


async def test_the_person_may_run_it_again_as_a_second_attempt() -> None:
    world = await a_world()
    card = await running(world)
    await world.reopen()
    taken(await world.answer(card, Verb.APPROVE))
    runs = await world.store.read(ExecutionsOf(user="me", card_id=card.id))
    assert [(run.attempt, run.state) for run in runs] == [(1, RunState.INTERRUPTED), (2, RunState.ACTIVE)]
    assert len({job.execution_id for job in world.jobs}) == 2


async def test_an_idempotent_agent_is_resumed_with_the_same_key() -> None:
    world = await a_world(idempotent(a_policy()))
    card = await running(world)
    await world.reopen()
    assert [job.execution_id for job in world.jobs] == [card.execution_id] * 2
    assert world.jobs[0] == world.jobs[1]
    assert world.state.running == (card.execution_id,)
    await world.finish(card.execution_id or "")
    assert (await world.card(card.id)).status is Status.EXECUTED


async def test_even_an_idempotent_agent_is_not_resumed_under_an_emergency() -> None:
    world = await a_world(idempotent(a_policy()))
    card = await running(world)
    world.holding = lambda _command: True
    await world.ask_unheard(Configure(patch=ConfigPatch(emergency_stop=True), by="me"))
    world.holding = lambda _command: False
    await world.reopen()
    assert len(world.jobs) == 1
    assert (await world.card(card.id)).status is Status.PENDING


async def test_an_execution_whose_card_is_settled_is_only_closed() -> None:
    world = await a_world()
    card = await running(world)
    run = (await world.store.read(ExecutionsOf(user="me", card_id=card.id)))[0]
    await world.finish(run.id)
    finished = (await world.store.read(ExecutionsOf(user="me", card_id=card.id)))[0]
    await world.store.commit([(MoveExecution(execution=run, expect_state=finished.state),)])
    await world.reopen()
    assert await states(world, card.id) == [RunState.INTERRUPTED]
    assert (await world.card(card.id)).status is Status.EXECUTED


async def test_the_mind_and_the_clocks_of_cards_survive() -> None:
    world = await a_world()
    await world.pair(PHONE)
    snoozed = await a_card(world, "Snooze me")
    taken(await world.answer(snoozed, Verb.SNOOZE))
    done = await a_card(world, "Do me")
    taken(await world.answer(done, Verb.APPROVE))
    await world.ask(Spoke(at=NOON, source="api"))
    await world.ask(Configure(patch=ConfigPatch(dnd_until=NOON + 3 * HOUR), by="me"))
    await world.ask(Pause(reason="later"))
    before = world.state
    await world.until(NOON + 5 * MINUTE)
    before = world.state
    await world.reopen()
    after = world.state
    assert after.mind == replace(before.mind, started_at=world.now)
    assert after.mind.ledger.links
    assert after.mind.ledger.spending.day_microusd == 50_000
    assert (after.known, after.open_count) == (before.known, before.open_count)
    assert [replace(device, online=True, left_at=None) for device in after.devices] == list(before.devices)
    assert await world.cards() == ()
    await world.until(NOON + HOUR)
    assert [card.id for card in await world.cards()] == [snoozed.id]
    await world.until(NOON + 2 * HOUR)
    assert world.autonomy is Autonomy.WATCHING


async def test_a_card_that_expired_while_the_hub_was_away() -> None:
    world = await a_world()
    card = await a_card(world)
    await world.clock.sleep_until(card.expires_at + HOUR)
    await world.reopen()
    await world.until(world.now + MINUTE)
    assert (await world.card(card.id)).status is Status.EXPIRED
    assert world.state.open_count == 0


async def test_a_cycle_that_was_missed_is_made_up_for_once() -> None:
    world = await a_world()
    await world.until(NOON + 31 * MINUTE)
    last = world.state.mind.last_cycle_at
    await world.clock.sleep_until(NOON + 5 * HOUR + MINUTE)
    await world.reopen()
    await world.until(world.now + 2 * MINUTE)
    assert last == NOON + 30 * MINUTE
    made_up = world.state.mind.last_cycle_at
    assert made_up is not None
    assert NOON + 5 * HOUR + MINUTE < made_up <= NOON + 5 * HOUR + 2 * MINUTE
    await world.until(NOON + 5 * HOUR + 29 * MINUTE)
    assert world.state.mind.last_cycle_at == made_up
