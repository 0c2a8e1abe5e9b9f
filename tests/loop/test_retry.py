"""Trying failed work again: only at a person's word, once for each failure, and through the rails like everything."""

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.events import PredictionReturned, PredictionSettled
from hub.contract.topics import DeviceAddress
from hub.contract.words import AFTER_FAILURE, Status, Verb
from hub.domain.execution import Job, RunResult
from hub.domain.requests import Configure, Refused
from hub.domain.storage import ExecutionsOf
from hub.domain.suggestion import Card
from tests.fakes.world import DONE, World
from tests.loop.stage import a_world, never, refused, running, taken

BROKEN = RunResult(ended="exited", exit_code=1, output="2 failed")


async def a_failure(world: World) -> Card:
    card = await running(world)
    await world.finish(card.execution_id or "", BROKEN)
    found = await world.card(card.id)
    assert found.status is Status.FAILED
    return found


async def attempts(world: World, card: Card) -> int:
    found = await world.store.read(ExecutionsOf(user="me", card_id=card.id))
    return len(found)


async def test_a_failed_card_runs_again_and_may_then_succeed() -> None:
    world = await a_world()
    card = await a_failure(world)
    world.results = never
    assert taken(await world.answer(card, Verb.RETRY)).prediction.status is Status.CONFIRMED
    again = await world.card(card.id)
    assert (again.attempts, await attempts(world, card)) == (2, 2)
    assert world.state.open_count == 0
    await world.finish(again.execution_id or "", DONE)
    assert (await world.card(card.id)).status is Status.EXECUTED


async def test_one_failure_is_tried_again_once_however_often_it_is_tapped() -> None:
    world = await a_world()
    card = await a_failure(world)
    for surface in ("phone", "discord", "browser"):
        taken(await world.answer(card, Verb.RETRY, surface=surface, attempt=1))
        for job in world.jobs[1:]:
            await world.finish(job.execution_id, BROKEN)
    assert await attempts(world, card) == 2
    taken(await world.answer(card, Verb.RETRY, attempt=2))
    assert await attempts(world, card) == 3


async def test_a_late_approval_of_the_first_try_starts_nothing() -> None:
    world = await a_world()
    card = await a_failure(world)
    assert taken(await world.answer(card, Verb.APPROVE, surface="watch")).repeated
    assert await attempts(world, card) == 1


async def test_words_go_with_the_next_try() -> None:
    world = await a_world()
    card = await a_failure(world)
    jobs: list[Job] = []

    def keep(job: Job) -> RunResult:
        jobs.append(job)
        return DONE

    world.results = keep
    taken(await world.answer(card, Verb.RETRY, prompt="Run the tests. The person adds: use port 5433"))
    assert jobs[-1].prompt.endswith("use port 5433")


async def test_what_the_rails_refuse_waits_open_for_another_answer() -> None:
    world = await a_world()
    card = await a_failure(world)
    await world.ask(Configure(patch=ConfigPatch(emergency_stop=True), by="me"))
    reply = await world.answer(card, Verb.RETRY)
    assert isinstance(reply, Refused)
    assert (await world.card(card.id)).status is Status.PENDING
    assert await attempts(world, card) == 1
    assert [event.prediction.id for event in world.told(PredictionReturned) if isinstance(event, PredictionReturned)]
    assert world.state.open_count == 1


@pytest.mark.parametrize("attempt", [0, 7])
async def test_a_retry_of_what_never_was_is_refused(attempt: int) -> None:
    world = await a_world()
    card = await a_failure(world)
    if attempt:
        assert refused(await world.answer(card, Verb.RETRY, attempt=attempt)).code == "nothing-failed"
    else:
        other = await world.answer(replace(card, id="pred_none"), Verb.RETRY)
        assert refused(other).code == "unknown-card"


async def test_a_device_tries_again_with_the_token_it_was_handed_with_the_failure() -> None:
    world = await a_world()
    phone = DeviceAddress(surface="phone", device="mine")
    await world.pair(phone)
    card = await a_failure(world)
    handed = [one for _, to, one in world.deliveries if to == phone and one.verbs == AFTER_FAILURE]
    assert len(handed) == 1
    await world.hand_in(handed[0], phone, Verb.RETRY, card.card_hash)
    assert world.verdicts[-1][1].accepted
    assert await attempts(world, card) == 2
    settled = [event for event in world.told(PredictionSettled) if isinstance(event, PredictionSettled)]
    assert settled[-1].prediction.settled is not None
    assert settled[-1].prediction.settled.verb is Verb.RETRY
