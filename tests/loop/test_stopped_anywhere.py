"""Stopped after any event, before or after its transaction, and opened again: nothing is lost, nothing runs twice."""

from collections import Counter
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.contract.words import RunState, Status, Verb
from hub.domain.execution import Job, RunResult
from hub.domain.requests import Spoke
from hub.domain.storage import ExecutionsOf, RecentCards
from tests.fakes.stopped import StoppedError
from tests.fakes.world import DONE, World
from tests.loop.stage import MINUTE, NOON, PHONE, a_card, a_policy, a_question, a_world, idempotent

TURNS_MAX = 60


def odd_ones_hang(job: Job) -> RunResult | None:
    return None if "1" in job.prompt or "3" in job.prompt else DONE


async def a_morning(world: World, day: str = "Monday") -> None:
    """Cards, questions, answers, runs, snoozes and ticks, one after the other."""
    await world.pair(PHONE)
    for number in range(3):
        card = await a_card(world, f"{day}, idea {number}")
        await world.answer(card, Verb.APPROVE)
    await world.answer(await a_question(world, day), Verb.APPROVE)
    await world.answer(await a_card(world, f"{day}, idea 4"), Verb.SNOOZE)
    await world.answer(await a_card(world, f"{day}, idea 5"), Verb.REJECT)
    await world.ask(Spoke(at=world.now, source="api"))
    await world.until(world.now + 2 * MINUTE)
    for job in tuple(world.jobs):
        await world.finish(job.execution_id)
    await world.until(world.now + MINUTE)


async def stopped(world: World, story: Callable[[World], Awaitable[None]]) -> None:
    try:
        await story(world)
    except StoppedError:
        return


async def hold(world: World, *, resumes: bool) -> None:
    cards = await world.store.read(RecentCards(user="me", limit=99))
    for card in cards:
        runs = await world.store.read(ExecutionsOf(user="me", card_id=card.id))
        alive = [run for run in runs if run.state in {RunState.QUEUED, RunState.ACTIVE}]
        assert len(alive) == (1 if card.status is Status.CONFIRMED and card.asker == "" else 0), card
        assert [run.attempt for run in runs] == list(range(1, len(runs) + 1))
        for run in alive:
            assert run.id in world.state.running + world.state.queued
    pending = sum(card.status is Status.PENDING for card in cards)
    assert world.state.open_count == pending
    starts = Counter(job.execution_id for job in world.jobs)
    assert max(starts.values(), default=0) <= (2 if resumes else 1)


@pytest.mark.slow
@given(st.integers(1, TURNS_MAX), st.booleans(), st.booleans())
@settings(max_examples=35, deadline=None)
async def test_nothing_is_lost_and_nothing_runs_twice(turn: int, is_written: bool, resumes: bool) -> None:  # noqa: FBT001  drawn
    policy = idempotent(a_policy()) if resumes else a_policy()
    world = await a_world(policy, NOON, running_max=2)
    world.results = odd_ones_hang
    world.stopping = (world.turns + turn, is_written)
    await stopped(world, a_morning)
    before = {card.id: card for card in await world.store.read(RecentCards(user="me", limit=99))}
    await world.reopen()
    await hold(world, resumes=resumes)
    after = {card.id: card for card in await world.store.read(RecentCards(user="me", limit=99))}
    assert set(before) <= set(after)
    for card_id, card in before.items():
        if card.status in {Status.REJECTED, Status.EXECUTED, Status.CANCELLED, Status.FAILED}:
            assert after[card_id] == card
    await a_morning(world, "Tuesday")
    await hold(world, resumes=resumes)
