"""The stored values as everybody outside sees them."""

from datetime import datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from hub.contract.api import CrossPollStatus, Likelihood, Prediction, Settlement
from hub.contract.phrasing import Phrasing
from hub.contract.runs import ChangedFile, CommitPlan, DefinedBy, FileToCommit, PlannedRun, WorkResult
from hub.contract.words import Autonomy, Origin, RunState, Verb
from hub.do import fixer_of, offers_of
from hub.domain.canonical import visible, wording_for
from hub.domain.likelihood import Estimate
from hub.domain.lookalikes import reveal
from hub.domain.masking import mask
from hub.domain.outcome import WorkOutcome
from hub.domain.plan import AnyPlan, CannotPlan, PlannedCommit, command_of, line_of
from hub.domain.policy import USD, Policy
from hub.domain.provenance import untrusted
from hub.domain.suggestion import Card
from hub.loop.alike_views import alike_of
from hub.loop.attention_views import attention_of
from hub.loop.away_views import away_of
from hub.loop.drive_views import status_part
from hub.loop.mute_views import count_of
from hub.loop.phases import NOTHING_LET, permissions_of, progress_of
from hub.loop.reach_views import reach_of
from hub.loop.state import State
from hub.loop.world_views import world_status
from hub.may import may_run_alone, spent
from hub.when import is_quiet, why_so


def prediction_of(card: Card, policy: Policy, run_state: RunState | None = None) -> Prediction:
    """Return a card as it goes over the wire; its text is made safe to show, never changed in what it means."""
    proposal, offers = card.proposal, offers_of(policy, card)
    fixer = fixer_of(policy, card) if Verb.FIX in offers else None
    return Prediction(
        id=card.id,
        prompt=visible(card.prompt),
        target_agent=proposal.agent,
        target_channel=proposal.channel,
        confidence=proposal.confidence,
        reasoning=visible(proposal.reasoning),
        created_at=card.created_at,
        status=card.status,
        source=proposal.source,
        expires_at=card.expires_at,
        risk=proposal.risk,
        card_hash=card.card_hash,
        cost_estimate_usd=proposal.cost_estimate_microusd / USD,
        status_reason=card.status_reason,
        badges=card.badges,
        returned_at=card.returned_at,
        snoozed_until=card.snoozed_until,
        snoozes_left=max(0, policy.timing.snoozes_max - card.snoozes),
        settled=None if card.settled is None else _settlement_of(card.settled),
        execution_id=card.execution_id,
        run_state=run_state,
        outcome=visible(card.outcome),
        outcome_worded=card.outcome_worded or _end_worded(card),
        attempts=card.attempts,
        round=card.round,
        runs=None if card.plan is None else runs_of(card.plan),
        origin=proposal.origin if card.prompt == proposal.prompt else Origin.PERSON,
        quotes=proposal.quotes,
        editable=card.is_editable,
        repository=visible(proposal.repository),
        branch=visible(proposal.branch),
        details=visible(proposal.details),
        in_person=proposal.second_yes,
        confidence_learnt=proposal.factors.twin is not None or proposal.is_guessed,
        likelihood=_likelihood_of(card.estimate),
        result=None if card.result is None else result_of(card.result),
        mended_at=card.mended_at,
        ended_at=card.ended_at,
        offers=offers,
        fixer=fixer.agent if fixer else "",
        held=card.held,
        permission=card.permission,
        alike=alike_of(card),
        always_asked=card.always_asked,
        always_asked_worded=card.always_asked_worded,
        asked="" if card.prompt == proposal.prompt else visible(proposal.prompt),
        edit_text="" if card.commit is None else visible(card.commit.message),
        prompt_worded=wording_for(proposal.prompt_worded, card.prompt),
        reasoning_worded=wording_for(proposal.reasoning_worded, proposal.reasoning),
    )


def _end_worded(card: Card) -> Phrasing | None:
    """Return what came of a card's run as a code, as long as the card says just that."""
    return None if card.result is None else wording_for(card.result.in_one_line.worded, card.outcome)


def _settlement_of(settled: Settlement) -> Settlement:
    """Return who settled it and what they typed, which may hold a secret that was meant for the agent alone."""
    said = settled.permission
    if said is not None:
        answers = {name: tuple(map(visible, given)) for name, given in said.answers.items()}
        said = replace(said, text=visible(said.text), answers=answers)
    return replace(settled, reason=visible(settled.reason), permission=said)


def _likelihood_of(estimate: Estimate | None) -> Likelihood | None:
    """Return an estimate as everybody outside sees it; None while the person has answered too little."""
    if estimate is None or not estimate.is_learnt:
        return None
    return Likelihood(p=estimate.p, low=estimate.low, high=estimate.high, yes=estimate.yes, answers=estimate.answers)


def result_of(outcome: WorkOutcome) -> WorkResult:
    """Return what came of a run as everybody outside sees it."""
    return WorkResult(
        execution_id=outcome.execution_id,
        ended=outcome.ended,
        summary=visible(outcome.summary.text),
        summary_worded=wording_for(outcome.summary.worded, outcome.summary.text),
        tests=outcome.tests,
        duration_s=outcome.duration_s,
        proven_by=visible(outcome.proven_by),
        proven_by_worded=wording_for(outcome.proven_by_worded, outcome.proven_by),
        advice=visible(outcome.advice),
        advice_worded=wording_for(outcome.advice_worded, outcome.advice),
        trouble=tuple(visible(untrusted(line)) for line in outcome.trouble),
        said=visible(untrusted(outcome.said)),
        form=outcome.form,
        note=visible(outcome.note),
        files=tuple(
            ChangedFile(path=visible(untrusted(file.path)), added=file.added, removed=file.removed)
            for file in outcome.files
        ),
        files_changed=outcome.files_changed,
        has_diff=outcome.has_diff,
        handed_over=outcome.handed_over,
        quotes=outcome.quotes,
        commit=outcome.commit,
    )


def runs_of(plan: AnyPlan) -> PlannedRun:
    """Return what would run as everybody outside sees it."""
    if isinstance(plan, CannotPlan):
        return PlannedRun(summary="", problem=visible(plan.why), problem_worded=wording_for(plan.why_worded, plan.why))
    line = line_of(plan)
    return PlannedRun(
        summary=visible(line.text),
        summary_worded=wording_for(line.worded, line.text),
        argv=tuple(map(visible, plan.argv)),
        folder=visible(plan.folder),
        prompt=plan.prompt,
        environment=tuple(map(visible, plan.environment)),
        defined_by=tuple(DefinedBy(path=visible(file.path), sha256=file.sha256) for file in plan.defined_by),
        script=visible(plan.script),
        containment=visible(plan.containment),
        containment_worded=wording_for(plan.containment_worded, plan.containment),
        then=None if plan.then is None else runs_of(plan.then),
        unclear=visible(plan.unclear),
        unclear_worded=wording_for(plan.unclear_worded, plan.unclear),
        commit=None if plan.commit is None else _commit_of(plan.commit),
        command=visible(command_of(plan)),
    )


def _commit_of(commit: PlannedCommit) -> CommitPlan:
    files = tuple(
        FileToCommit(
            path=visible(file.path),
            became=file.became,
            was=visible(file.was),
            added=file.added,
            removed=file.removed,
            size=file.size,
            size_before=file.size_before,
        )
        for file in commit.files
    )
    diff = reveal(mask(commit.diff))  # not by `visible`, which remembers what it was given
    return CommitPlan(message=visible(commit.message), files=files, diff=diff, diff_cut=commit.is_cut)


def status_of(state: State, now: datetime) -> CrossPollStatus:
    """Return the autonomous state and its budgets at `now`."""
    ledger, policy = state.mind.ledger, state.policy
    booked = spent(ledger, policy, now)
    killed = is_killed(state)
    reason, wording = _killed(state) if killed else (_held_back(state) or _why_so(state, now))
    return CrossPollStatus(
        enabled=not killed,
        autonomous=policy.autonomous,
        state=Autonomy.DISABLED if killed else state.mind.autonomy.state,
        reason=reason,
        reason_worded=wording,
        last_trigger_at=ledger.last_trigger_at,
        total_triggers=ledger.total_triggers,
        cost_this_hour=booked.hour_microusd / USD,
        cost_cap_per_hour=policy.caps.hour_microusd / USD,
        cost_today=booked.day_microusd / USD,
        cost_cap_per_day=policy.caps.day_microusd / USD,
        cost_this_month=booked.month_microusd / USD,
        cost_cap_per_month=policy.caps.month_microusd / USD,
        quiet=is_quiet(policy, state.mind.dnd_until, now),
        killed_by=killed_by(state),
        month_stopped=bool(ledger.month_stopped),
        model_trouble=state.model_trouble,
        model_trouble_worded=wording_for(state.model_trouble_worded, state.model_trouble),
        dnd_until=dnd if (dnd := state.mind.dnd_until) is not None and dnd > now else None,
        pending=state.open_count,
        loop_detections=ledger.loop_detections,
        mutes=count_of(state.mind),
        grants=permissions_of(state, now),
        progress=progress_of(state, now),
        away=away_of(state, now),
        attention=attention_of(state, now),
        drives=status_part(state, now),
        world=world_status(state),
        reach=reach_of(state, now),
    )


def _why_so(state: State, now: datetime) -> tuple[str, Phrasing | None]:
    reason, wording = why_so(state.mind.autonomy, state.policy)
    is_over = wording == NOTHING_LET.wording and may_run_alone(state.mind.ledger, state.policy, now) > 0
    return ("", None) if is_over else (reason, wording)


def _held_back(state: State) -> tuple[str, Phrasing] | None:
    """Return why nothing runs alone after a row of noes, where it otherwise might; None elsewhere."""
    if not state.policy.autonomous or state.mind.autonomy.state is Autonomy.PAUSED:
        return None
    count = state.mind.ledger.rejections_in_row
    if count < state.policy.rejections_to_pause:
        return None
    wording = Phrasing(code="because.noes", values={"count": str(count)})
    return f"You said no {count} times in a row, so autopilot is off until you say yes to something.", wording


def is_killed(state: State) -> bool:
    """Return True if any level of the kill switch is on."""
    return state.is_killed


def killed_by(state: State) -> Literal["", "emergency", "file", "run-time"]:
    """Name the strongest level of the kill switch that is on (CROSSPOLL 3.7); empty for none."""
    if state.mind.ledger.emergency:
        return "emergency"
    if not state.file_policy.enabled:
        return "file"
    return "" if state.policy.enabled else "run-time"


def killed_reason(state: State) -> str:
    """Say which level of the kill switch is on, and what lifts it."""
    return _killed(state)[0]


def _killed(state: State) -> tuple[str, Phrasing]:
    match killed_by(state):
        case "emergency":
            return "emergency stop is on; `pulse resume --emergency` lifts it", Phrasing(code="because.stopped")
        case "file":
            return "switched off in the settings file", Phrasing(code="because.off_in_file")
        case _:
            return "switched off while running; `pulse resume` switches it back on", Phrasing(
                code="because.off_at_run_time"
            )


def seconds(amount: float) -> timedelta:
    """Return a number of seconds as a span."""
    return timedelta(seconds=amount)
