"""From a person's approval to a recorded execution: `may` judges, and only its Permit gets written down."""

from msgspec.structs import replace

from hub.contract.words import MoveReason, RunState, Verb
from hub.domain.canonical import card_hash
from hub.domain.episode import Decided, Judged, Ran
from hub.domain.execution import Execution
from hub.domain.judgement import AskHuman, Judgement, Ledger, Permit, Refusal, RunRequest
from hub.domain.requests import Refused
from hub.domain.storage import AddExecution, LogEntry
from hub.domain.suggestion import Answer, Card, Proposal
from hub.loop import outside_wakes
from hub.loop.commands import Start
from hub.loop.costs import book
from hub.loop.draft import Draft
from hub.loop.refusals import by_rail
from hub.loop.reworded import with_message
from hub.may import after_consent, after_judgement, filter_overridden, judge, switched_off_by

OVER_FILTER = "approved despite the content filter, by the person's second yes"


def grant(draft: Draft, card: Card, answer: Answer) -> Card | Refused:
    """Judge a person's approval of `card` (already carrying the settlement); return the confirmed card, or why not."""
    if answer.verb is not Verb.APPROVE and answer.prompt:
        card = with_message(card, answer.prompt)
    other = answer.prompt if answer.verb is not Verb.APPROVE and card.commit is None else None
    prompt = other or card.prompt
    asked = _asked(draft, card, prompt, answer)
    ledger = draft.mind.ledger
    judgement = rule(draft, card.proposal, asked)
    note_judgement(draft, asked, judgement, ledger)
    if isinstance(judgement.outcome, Permit):
        draft.set_mind(replace(draft.mind, ledger=after_consent(draft.mind.ledger, card.proposal, asked)))
        over = OVER_FILTER if filter_overridden(judgement) else ""
        if outside_wakes.is_wake(card):
            outside_wakes.note_yes(draft, card, answer)
        granted = replace(card, prompt=prompt, card_hash=asked.card_hash)
        return confirm(draft, granted, judgement.outcome, answer=answer, note=over)
    refusal = _refusal(judgement.outcome)
    draft.changes.append(log_entry(draft, card, refusal.rule))
    unanswered = replace(card, settled=None, settled_at=None)
    return by_rail(refusal, draft.view(unanswered))


def _refusal(outcome: Refusal | AskHuman) -> Refusal:
    if isinstance(outcome, Refusal):
        return outcome
    return Refusal(rule="gate.ask", reason=outcome.why, fix="Answer it yourself, on one of your surfaces.")


def rule(draft: Draft, proposal: Proposal, asked: RunRequest) -> Judgement:
    """Let `may` judge, and keep what its ledger learns from the judgement itself."""
    policy, ledger = draft.state.policy, draft.mind.ledger
    judgement = judge(proposal, policy=policy, ledger=ledger, now=draft.now, asked=asked)
    draft.set_mind(replace(draft.mind, ledger=after_judgement(ledger, judgement, policy, draft.now)))
    return judgement


def execution_id(card_id: str, attempt: int) -> str:
    """Return the id of a card's n-th execution; the card's own id can be read back from it."""
    return f"{card_id.replace('pred_', 'exec_', 1)}_{attempt}"


def confirm(draft: Draft, card: Card, permit: Permit, *, answer: Answer | None, note: str = "") -> Card:
    """Write down the confirmed card and its execution, before anything starts; `note` is what stands out about it."""
    if answer:
        note_answer(draft, answer, note)
    confirmed = draft.move(
        replace(card, execution_id=permit.execution_id, attempts=permit.attempt, autonomous=permit.autonomous),
        MoveReason.APPROVED if answer else MoveReason.AUTO_APPROVED,
    )
    record_execution(draft, confirmed, permit, note)
    return confirmed


def note_answer(draft: Draft, answer: Answer, note: str = "") -> None:
    """Keep in the episode that a person's answer was taken."""
    draft.note(answer.card_id, Decided(answer=answer, accepted=True, note=note))


def record_execution(draft: Draft, card: Card, permit: Permit, note: str) -> None:
    """Queue one permitted execution: in the store first, then with the runner."""
    execution = Execution(
        id=permit.execution_id,
        card_id=card.id,
        user=card.user,
        attempt=permit.attempt,
        state=RunState.QUEUED,
        channel=permit.channel,
        agent=permit.agent,
        autonomous=permit.autonomous,
        need=permit.need,
        permit=permit,
        queued_at=draft.now,
    )
    draft.changes.append(AddExecution(execution=execution))
    entry = replace(log_entry(draft, card), block_reason=note)
    draft.changes.append(replace(entry, trigger="autonomous") if permit.autonomous else entry)
    draft.note(card.id, Ran(execution_id=execution.id, state=RunState.QUEUED))
    book(draft, card.proposal.cost_estimate_microusd)
    draft.state = replace(draft.state, queued=(*draft.state.queued, execution.id))
    draft.commands.append(Start(execution_id=execution.id))


def note_judgement(draft: Draft, asked: RunRequest, judgement: Judgement, ledger: Ledger) -> None:
    """Keep every rail's verdict, with what it looked at, so that the decision can be made again offline.

    `ledger` is the one from before the judgement: judging itself changes it.
    """
    draft.note(
        asked.card_id,
        Judged(
            verdicts=judgement.verdicts,
            conclusion=type(judgement.outcome).__name__,
            ledger=ledger,
            policy=draft.state.policy,
            asked=asked,
        ),
    )


def asked_as_it_stands(draft: Draft, card: Card) -> RunRequest:
    """Return the question about the next run of a card: nothing in it may act without a person."""
    attempt = card.attempts + 1
    return RunRequest(
        card_id=card.id,
        card_hash=card.card_hash,
        attempt=attempt,
        execution_id=execution_id(card.id, attempt),
        prompt=card.prompt,
        trigger=card.trigger,
        may_act=False,
        plan=card.plan,
        switched_off_by=switched_off_by(draft.state.file_policy, draft.state.patch),
    )


def _asked(draft: Draft, card: Card, prompt: str, answer: Answer) -> RunRequest:
    return replace(asked_as_it_stands(draft, card), card_hash=hash_of(card, prompt), prompt=prompt, answer=answer)


def hash_of(card: Card, prompt: str) -> str:
    """Return the hash of a card with this prompt; an unchanged one keeps its own, whatever form that was made in."""
    proposal = card.proposal
    if prompt == card.prompt:
        return card.card_hash
    return card_hash(prompt=prompt, channel=proposal.channel, work=proposal.work, need=proposal.need, plan=card.plan)


def log_entry(draft: Draft, card: Card, blocked_by: str = "") -> LogEntry:
    """Return the execution log's line for a run, or for one that the rail `blocked_by` did not allow."""
    return LogEntry(
        user=card.user,
        card_id=card.id,
        trigger=card.trigger,
        channel=card.proposal.channel,
        prompt=card.prompt,
        cost_microusd=0 if blocked_by else card.proposal.cost_estimate_microusd,
        blocked=bool(blocked_by),
        block_reason=blocked_by,
        at=draft.now,
    )
