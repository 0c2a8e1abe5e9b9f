"""From the queue to the proof: what an execution costs, says, leads to, and how many run at once."""

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.events import (
    CostApproaching,
    ExecutionFailed,
    ExecutionProgress,
    ExecutionStarted,
    PredictionExecuted,
    PredictionNew,
)
from hub.contract.words import RunState, Status, Verb
from hub.domain.canonical import card_hash
from hub.domain.episode import Line, Ran
from hub.domain.execution import RunResult
from hub.domain.mind import Tally
from hub.domain.policy import Caps
from hub.domain.requests import Configure
from hub.domain.storage import ExecutionsOf, LogSince, MoveCard, Send, Tasks
from hub.domain.suggestion import Need
from hub.loop.autonomy import TALLIES_MAX
from hub.loop.commands import Mention, Tell
from hub.loop.draft import Draft
from hub.loop.events import Facts, Progressed, RunEnded, Stamped, StartDue
from hub.loop.runs import on_progress
from tests.fakes.world import DONE, World
from tests.loop.stage import MINUTE, NOON, a_card, a_policy, a_world, finish_proven, never, running, started, taken

PRICE = 50_000


async def end(world: World, result: RunResult) -> ExecutionFailed | PredictionExecuted:
    card = await running(world)
    await world.finish(card.execution_id or "", result)
    return [*world.told(ExecutionFailed), *world.told(PredictionExecuted)][-1]  # type: ignore[return-value]  # of these


def spent(world: World) -> int:
    return world.state.mind.ledger.spending.day_microusd


async def test_what_was_only_handed_over_is_neither_done_nor_proven() -> None:
    world = await a_world()
    told = await end(world, DONE)
    assert isinstance(told, PredictionExecuted)
    shown = told.prediction
    assert (shown.status, shown.run_state, told.task_id) == (Status.EXECUTED, RunState.FINISHED, "")
    assert shown.result is not None
    assert (shown.result.ended, shown.result.handed_over) == ("done", True)
    assert await world.store.read(Tasks(user="me", limit=9)) == ()
    states = [body.state for body in await world.story(told.card_id) if isinstance(body, Ran)]
    assert states == [RunState.QUEUED, RunState.ACTIVE, RunState.FINISHED]


async def test_a_proven_run_is_executed_and_leaves_a_task() -> None:
    world = await a_world()
    await finish_proven(world, await running(world))
    told = world.told(PredictionExecuted)[-1]
    assert isinstance(told, PredictionExecuted)
    assert told.prediction.result is not None
    assert not told.prediction.result.handed_over
    assert told.prediction.status is Status.EXECUTED
    assert told.prediction.run_state is RunState.VERIFIED
    task = (await world.store.read(Tasks(user="me", limit=9)))[0]
    assert (task.id, task.card_id, task.status) == (told.task_id, told.card_id, "completed")
    states = [body.state for body in await world.story(told.card_id) if isinstance(body, Ran)]
    assert states == [RunState.QUEUED, RunState.ACTIVE, RunState.FINISHED, RunState.VERIFIED]


@pytest.mark.parametrize(
    ("result", "status", "kind"),
    [
        (replace(DONE, exit_code=1), Status.FAILED, "failed"),
        (replace(DONE, exit_code=None), Status.FAILED, "failed"),
        (RunResult(ended="timeout", exit_code=None, output=""), Status.FAILED, "timeout"),
        (RunResult(ended="lost", exit_code=None, output=""), Status.FAILED, "failed"),
        (RunResult(ended="failed-to-start", exit_code=None, output=""), Status.FAILED, "failed"),
        (RunResult(ended="stopped", exit_code=None, output=""), Status.CANCELLED, "stopped"),
    ],
)
async def test_a_run_without_proof_says_how_it_ended(result: RunResult, status: Status, kind: str) -> None:
    world = await a_world()
    told = await end(world, result)
    assert isinstance(told, ExecutionFailed)
    assert (told.kind, told.prediction.status) == (kind, status)
    assert await world.store.read(Tasks(user="me", limit=9)) == ()
    assert world.state.running == ()


async def test_the_need_decides_and_not_the_agent() -> None:
    world = await a_world()
    world.results = never
    card = await a_card(world)
    need = Need(text="the report is there", exit_code=0, changed_files=("report.md",))
    bound = card_hash(prompt=card.prompt, channel=card.proposal.channel, work=card.proposal.work, need=need)
    row = replace(card, version=2, card_hash=bound, proposal=replace(card.proposal, need=need))
    await world.store.commit([(MoveCard(card=row, expect_version=1, expect_status=card.status),)])
    taken(await world.answer(row, Verb.APPROVE))
    run = (await world.store.read(ExecutionsOf(user="me", card_id=card.id)))[0]
    assert run.need == need
    await world.finish(run.id, DONE)
    assert (await world.card(card.id)).status is Status.FAILED
    assert "report.md" in (await world.card(card.id)).outcome


async def test_the_estimate_is_booked_before_and_the_truth_after() -> None:
    world = await a_world()
    card = await running(world)
    assert spent(world) == PRICE
    await world.finish(card.execution_id or "", replace(DONE, cost_microusd=20_000))
    assert spent(world) == 20_000
    run = (await world.store.read(ExecutionsOf(user="me", card_id=card.id)))[0]
    assert run.cost_microusd == 20_000


@pytest.mark.parametrize(("reported", "booked"), [(None, PRICE), (0, 0), (PRICE, PRICE), (90_000, 90_000)])
async def test_what_an_agent_reports_counts(reported: int | None, booked: int) -> None:
    world = await a_world()
    await end(world, replace(DONE, cost_microusd=reported))
    assert spent(world) == booked


async def test_an_agent_that_is_gone_costs_nothing_and_says_why() -> None:
    world = await a_world(running_max=1)
    first = await running(world)
    second = await running(world, "Second")
    world.state = replace(world.state, policy=replace(world.state.policy, agents=()))
    await world.finish(first.execution_id or "")
    after = await world.card(second.id)
    assert after.status is Status.FAILED
    assert "There is no agent 'worker'" in after.outcome
    assert spent(world) == PRICE


async def test_only_so_many_run_at_once_and_the_rest_in_order() -> None:
    world = await a_world(running_max=2)
    cards = [await running(world, f"Work {number}") for number in range(5)]
    assert [job.prompt for job in world.jobs] == ["Work 0", "Work 1"]
    assert len(world.state.queued) == 3
    for card in cards:
        await world.finish(card.execution_id or "")
        assert len(world.state.running) <= 2
    assert [job.prompt for job in world.jobs] == [f"Work {number}" for number in range(5)]
    assert world.state.running + world.state.queued == ()
    assert len(set(started(world))) == len(started(world)) == 5


async def test_a_queue_goes_on_when_its_first_is_gone() -> None:
    world = await a_world(running_max=1)
    first = await running(world, "First")
    second = await running(world, "Second")
    world.state = replace(world.state, queued=("exec_gone_1", *world.state.queued))
    await world.finish(first.execution_id or "")
    assert world.state.running == (second.execution_id,)


async def test_a_permit_does_not_outlive_the_kill_switch() -> None:
    for patch in (ConfigPatch(enabled=False), ConfigPatch(emergency_stop=True)):
        world = await a_world(running_max=1)
        first = await running(world, "First")
        second = await running(world, "Second")
        await world.ask(Configure(patch=patch, by="me"))
        await world.finish(first.execution_id or "")
        after = await world.card(second.id)
        assert after.status is Status.CANCELLED
        assert "Pulse is stopped" in after.outcome
        assert [job.prompt for job in world.jobs] == ["First"]


async def test_an_emergency_ends_what_runs() -> None:
    world = await a_world(running_max=1)
    first = await running(world, "First")
    second = await running(world, "Second")
    await world.ask(Configure(patch=ConfigPatch(emergency_stop=True), by="me"))
    assert [(await world.card(card.id)).status for card in (first, second)] == [Status.CANCELLED] * 2
    assert world.state.running + world.state.queued == ()


async def test_a_second_end_of_the_same_run_changes_nothing() -> None:
    world = await a_world()
    card = await running(world)
    await world.finish(card.execution_id or "")
    before, events = await world.card(card.id), list(world.events)
    await world.finish(card.execution_id or "", replace(DONE, exit_code=1))
    await world.happen(StartDue(execution_id=card.execution_id or ""))
    await world.happen(RunEnded(execution_id="exec_gone_1", result=DONE))
    assert (await world.card(card.id), world.events) == (before, events)


async def test_progress_is_kept_and_mentioned_and_never_waits_in_the_outbox() -> None:
    world = await a_world()
    card = await running(world)
    execution_id = card.execution_id or ""
    await world.happen(Progressed(execution_id=execution_id, card_id=card.id, first=1, lines=("one", "two")))
    told = world.told(ExecutionProgress)
    assert [(one.number, one.line) for one in told if isinstance(one, ExecutionProgress)] == [(1, "one"), (2, "two")]
    kept = [body for body in await world.story(card.id) if isinstance(body, Line)]
    assert [(line.number, line.text) for line in kept] == [(1, "one"), (2, "two")]
    draft = Draft(world.state, Stamped(at=NOON, seed="x", event=StartDue(execution_id=""), facts=Facts()))
    on_progress(draft, Progressed(execution_id=execution_id, card_id=card.id, first=3, lines=("three",)))
    assert [type(command) for command in draft.commands] == [Tell, Mention]
    assert not any(isinstance(change, Send) for change in draft.changes)


async def test_finished_work_may_suggest_the_next_step_as_a_card() -> None:
    from tests.loop.test_cycle import changed_tests  # noqa: PLC0415  the same repository

    world = await a_world()
    card = await running(world)
    world.readings["git"] = changed_tests()
    await world.finish(card.execution_id or "")
    assert len(world.told(PredictionNew)) == 2
    assert len(world.jobs) == 1


async def test_a_failed_run_suggests_nothing() -> None:
    world = await a_world()
    card = await running(world)
    await world.finish(card.execution_id or "", replace(DONE, exit_code=1))
    assert world.state.cycle is None
    assert len(world.told(PredictionNew)) == 1


@pytest.mark.slow
async def test_the_log_has_a_line_for_each_run() -> None:
    world = await a_world()
    await end(world, DONE)
    log = await world.store.read(LogSince(user="me", since=NOON, limit=9))
    assert [(line.blocked, line.cost_microusd, line.trigger) for line in log] == [(False, PRICE, "manual")]


async def test_an_approval_is_announced_once_when_it_starts() -> None:
    world = await a_world(a_policy(), NOON + MINUTE)
    card = await running(world)
    told = world.told(ExecutionStarted)
    assert [(one.execution_id, one.autonomous) for one in told if isinstance(one, ExecutionStarted)] == [
        (card.execution_id, False)
    ]


async def test_everybody_is_told_once_when_a_cap_comes_near() -> None:
    world = await a_world(a_policy(caps=Caps(hour_microusd=10 * PRICE)))
    for number in range(10):
        await running(world, f"Work {number}")
    told = world.told(CostApproaching)
    assert told == [CostApproaching(window="hour", spent_usd=0.45, cap_usd=0.5)]


async def test_what_kinds_are_answered_is_counted_up_to_a_bound() -> None:
    world = await a_world()
    full = {f"kind {number}": Tally(approved=1) for number in range(TALLIES_MAX)}
    world.state = replace(world.state, mind=replace(world.state.mind, tallies=full))
    await running(world)
    assert world.state.mind.tallies == full
