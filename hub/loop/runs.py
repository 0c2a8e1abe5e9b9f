"""The second half of the loop: do, verify, learn. An execution is recorded as active before its agent starts."""

from typing import Literal

from msgspec.structs import replace

from hub.contract.events import (
    ExecutionFailed,
    ExecutionProgress,
    ExecutionStarted,
    PredictionExecuted,
    PredictionSettled,
)
from hub.contract.words import MoveReason, RunState
from hub.do import CannotRun, in_time, prepare
from hub.domain.canonical import visible
from hub.domain.episode import Line, Ran
from hub.domain.execution import Execution, Finding, RunResult
from hub.domain.moment import Change, Occasion
from hub.domain.provenance import TaskText, say
from hub.domain.situation import Task
from hub.domain.storage import MoveExecution, PutTask
from hub.domain.suggestion import Card
from hub.loop import away, drives, earned, mended, outside_wakes, waking, world_commands
from hub.loop.commands import Run, Start
from hub.loop.costs import book
from hub.loop.cycle_begin_end import begin
from hub.loop.draft import Draft
from hub.loop.events import Progressed, RunEnded, StartDue
from hub.loop.habits import note_word
from hub.loop.held import ask_again
from hub.loop.lessons import teach
from hub.loop.news import note
from hub.loop.tell import mention, tell
from hub.loop.views import is_killed, killed_reason
from hub.verify import check, outcome_of

TITLE_CHARS_MAX = 120
RESULT_CHARS_MAX = 500
WELL = frozenset({RunState.VERIFIED, RunState.FINISHED})
"""How a run ends of which nothing is known to be missing."""
FailureKind = Literal["failed", "stopped", "interrupted", "timeout"]


def on_start_due(draft: Draft, event: StartDue) -> None:
    """Give a queued execution its turn, unless enough are running or it was settled otherwise meanwhile."""
    execution, card = draft.facts.execution, draft.facts.card
    if execution is not None and card is not None and waking.is_again(draft, execution):
        waking.try_again(draft, execution, card)
        return
    if execution is None or card is None or execution.state is not RunState.QUEUED:
        draft.state = replace(draft.state, queued=_without(draft.state.queued, event.execution_id))
        _start_next(draft)
        return
    if is_killed(draft.state):  # a permit from before does not outlive the kill switch
        finish(draft, execution, card, never_began(f"not started, Pulse is stopped: {killed_reason(draft.state)}"))
        return
    if card.check_of and not world_commands.is_wanted(draft, card):
        finish(draft, execution, card, never_began("not started, its session has moved on"))
        return
    if len(draft.state.running) >= draft.state.limits.running_max:
        return
    job = prepare(execution.permit, draft.state.policy)
    draft.state = replace(
        draft.state,
        queued=_without(draft.state.queued, execution.id),
        running=(*draft.state.running, execution.id),
    )
    if isinstance(job, CannotRun):
        lost = RunResult(ended="failed-to-start", exit_code=None, output="", cost_microusd=0, detail=job.reason)
        finish(draft, execution, card, lost)
        return
    active = replace(execution, state=RunState.ACTIVE, started_at=draft.now, session_id=job.session_id)
    draft.changes.append(MoveExecution(execution=active, expect_state=RunState.QUEUED))
    draft.note(card.id, Ran(execution_id=execution.id, state=RunState.ACTIVE, text=job.agent.name))
    if not execution.autonomous and not outside_wakes.is_quiet(draft, card, execution):
        started = ExecutionStarted(
            prediction=draft.view(card, RunState.ACTIVE), execution_id=active.id, autonomous=False
        )
        tell(draft, started, card)
    draft.commands.append(Run(card_id=card.id, job=job))


def on_progress(draft: Draft, event: Progressed) -> None:
    """Pass on what a running agent says."""
    for number, line in enumerate(event.lines, start=event.first):
        draft.note(event.card_id, Line(execution_id=event.execution_id, number=number, text=line))
        progress = ExecutionProgress(
            card_id=event.card_id,
            execution_id=event.execution_id,
            number=number,
            line=visible(line),
        )
        mention(draft, progress)


def on_run_ended(draft: Draft, event: RunEnded) -> None:
    """Verify a finished run and settle its card."""
    execution, card = draft.facts.execution, draft.facts.card
    if execution is None or card is None or execution.state is not RunState.ACTIVE:
        draft.state = replace(draft.state, running=_without(draft.state.running, event.execution_id))
        _start_next(draft)
        return
    if event.result.ended == "changed":
        _let_go(draft, execution)
        ask_again(draft, execution, card, event.result)
        _start_next(draft)
        return
    finish(draft, execution, card, in_time(event.result, execution.permit))


def never_began(why: str) -> RunResult:
    """Return the end of a queued execution that is not started any more; it cost nothing."""
    return RunResult(ended="stopped", exit_code=None, output="", cost_microusd=0, detail=why)


def finish(draft: Draft, execution: Execution, card: Card, result: RunResult) -> Card:
    """Finish → verified or failed: the need decides, not the agent. Return the settled card."""
    _let_go(draft, execution)
    finding = check(execution.need, result, by_agent=execution.permit.work.is_by_agent)
    outcome = outcome_of(execution, result, finding, draft.now)
    cost = card.proposal.cost_estimate_microusd if result.cost_microusd is None else result.cost_microusd
    book(draft, cost - card.proposal.cost_estimate_microusd, booked_at=execution.queued_at)
    ended = replace(
        execution,
        state=finding.state,
        ended_at=draft.now,
        result=result,
        proof=finding.proof,
        proof_worded=finding.proof_worded,
        outcome=outcome,
        cost_microusd=cost,
    )
    draft.changes.append(MoveExecution(execution=ended, expect_state=execution.state))
    if finding.state is not RunState.FINISHED:
        draft.note(card.id, Ran(execution_id=execution.id, state=RunState.FINISHED, text=result.detail))
    ran = Ran(execution_id=execution.id, state=finding.state, text=finding.proof, text_worded=finding.proof_worded)
    draft.note(card.id, ran)
    if not outside_wakes.is_wake(card):  # a message changes nothing here
        note(draft, Change.RUN)
    came = replace(card, outcome=outcome.in_one_line.text, result=outcome, ended_at=draft.now)
    is_well = finding.state in WELL
    if is_well or not outside_wakes.is_quiet(draft, card, ended):
        away.ended(draft, card, is_well=is_well)
    settle = _settle_wake if outside_wakes.is_wake(card) else _settle_try if card.works_for else _settle
    settled = settle(draft, came, ended, finding)
    _start_next(draft)
    return settled


def _let_go(draft: Draft, execution: Execution) -> None:
    draft.state = replace(
        draft.state,
        running=_without(draft.state.running, execution.id),
        queued=_without(draft.state.queued, execution.id),
    )


def _start_next(draft: Draft) -> None:
    for waiting in draft.state.queued[:1]:
        draft.commands.append(Start(execution_id=waiting))


def _settle(draft: Draft, card: Card, execution: Execution, finding: Finding) -> Card:
    match finding.state:
        case RunState.VERIFIED:
            done = draft.move(card, MoveReason.VERIFIED)
            _tell_done(draft, done, execution)
            earned.offer(draft, done)
            drives.note_done(draft, done, "success")
            mended.clear_proven(draft, done)
            begin_follow_up(draft, done)
            return done
        case RunState.FINISHED:  # nothing shows that it is done: what pressed for it presses on
            handed = draft.move(card, MoveReason.VERIFIED)
            _tell_done(draft, handed, execution)
            begin_follow_up(draft, handed)
            return handed
        case RunState.STOPPED:
            stopped = draft.move(card, MoveReason.STOPPED)
            tell(draft, _failed(draft, stopped, execution, "stopped"), stopped)
            return stopped
        case _:
            failed = draft.move(card, MoveReason.NOT_VERIFIED)
            if not failed.autonomous:
                note_word(draft, failed, "failed")
            drives.note_done(draft, failed, "blocked")
            kind: FailureKind = "timeout" if execution.result and execution.result.ended == "timeout" else "failed"
            tell(draft, _failed(draft, failed, execution, kind), failed)
            return failed


def _settle_wake(draft: Draft, card: Card, execution: Execution, finding: Finding) -> Card:
    """Settle a message to the agent outside: that it arrived proves no work, so it lets nothing fall and leads on."""
    match finding.state:
        case RunState.VERIFIED | RunState.FINISHED:
            line = outside_wakes.arrived(draft, card)
            told = replace(card, outcome=line.text, outcome_worded=line.wording)
            done = draft.move(told, MoveReason.VERIFIED)
            _tell_done(draft, done, execution)
            return done
        case RunState.STOPPED:
            outside_wakes.stopped(draft, card)
            return _settle(draft, card, execution, finding)
        case _:
            is_quiet = outside_wakes.is_quiet(draft, card, execution)
            failed = draft.move(card, MoveReason.NOT_VERIFIED)
            why = say("{says}.", says=finding.says)
            outside_wakes.missed(draft, card, execution, why, draft.state.policy.drives.again_s)
            if not is_quiet:
                kind: FailureKind = "failed"
                tell(draft, _failed(draft, failed, execution, kind), failed)
            return failed


def _settle_try(draft: Draft, card: Card, execution: Execution, finding: Finding) -> Card:
    """Settle a try at a session: that it ended well proves nothing yet, and if not, the session goes on or asks."""
    if finding.state is RunState.STOPPED:
        return _settle(draft, card, execution, finding)
    is_well = finding.state in WELL
    outcome = f"{card.outcome}. Checking whether it is done." if is_well else card.outcome
    settled = draft.move(replace(card, outcome=outcome), MoveReason.VERIFIED if is_well else MoveReason.NOT_VERIFIED)
    tell(draft, PredictionSettled(prediction=draft.view(settled, execution.state)), settled)
    return settled


def _tell_done(draft: Draft, done: Card, execution: Execution) -> None:
    """Keep proven work as a finished task, and tell everybody; what was only handed over is no finished task."""
    task = _task(draft, done) if execution.state is RunState.VERIFIED else None
    if task is not None:
        draft.changes.append(PutTask(user=draft.state.user, task=task))
    if done.autonomous and task is not None:
        teach(draft, done, "auto-executed")
    executed = PredictionExecuted(
        card_id=done.id,
        task_id="" if task is None else task.id,
        result=visible(done.outcome)[:RESULT_CHARS_MAX],
        prediction=draft.view(done, execution.state),
    )
    tell(draft, executed, done)


def begin_follow_up(draft: Draft, card: Card) -> None:
    """Finished work may suggest the next step (CROSSPOLL appendix A, 14:32)."""
    if draft.state.cycle is None:
        begin(draft, Occasion.FOLLOW_UP, after=card.proposal.channel)


def _task(draft: Draft, card: Card) -> Task:
    return Task(
        id=draft.new_id("task"),
        title=TaskText(card.prompt[:TITLE_CHARS_MAX]),
        status="completed",
        created_at=card.settled_at or card.created_at,
        updated_at=draft.now,
        channel=card.proposal.channel,
        notes=TaskText(card.outcome),
        card_id=card.id,
        title_worded=card.proposal.prompt_worded,
    )


def _failed(draft: Draft, card: Card, execution: Execution, kind: FailureKind) -> ExecutionFailed:
    return ExecutionFailed(
        card_id=card.id,
        execution_id=execution.id,
        kind=kind,
        error=visible(card.outcome)[:RESULT_CHARS_MAX],
        prediction=draft.view(card, execution.state),
    )


def _without(ids: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(one for one in ids if one != gone)
