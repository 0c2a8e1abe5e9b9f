"""A run that did not begin, because what would run is no longer what the person saw: the card comes back with that."""

from msgspec.structs import replace

from hub.contract.events import PredictionReturned
from hub.contract.words import MoveReason, RunState
from hub.domain.canonical import card_hash
from hub.domain.episode import Ran
from hub.domain.execution import Execution, RunResult
from hub.domain.storage import MoveExecution
from hub.domain.suggestion import Card
from hub.loop.costs import book
from hub.loop.draft import Draft
from hub.loop.tell import tell
from hub.when import open_until

COMMIT_CHANGED = "It has changed since you were asked; this is the current version."


def ask_again(draft: Draft, execution: Execution, card: Card, result: RunResult) -> Card:
    """End the execution, which cost nothing, and put the card as it is now before the person; return it."""
    ended = replace(
        execution, state=RunState.STOPPED, ended_at=draft.now, result=result, proof=result.detail, cost_microusd=0
    )
    draft.changes.append(MoveExecution(execution=ended, expect_state=execution.state))
    draft.note(card.id, Ran(execution_id=execution.id, state=RunState.STOPPED, text=result.detail))
    book(draft, -card.proposal.cost_estimate_microusd, booked_at=execution.queued_at)
    back = draft.move(_as_it_is_now(draft, card, result), MoveReason.CHANGED)
    tell(draft, PredictionReturned(prediction=draft.view(back), reason=result.detail), back)
    return back


def _as_it_is_now(draft: Draft, card: Card, result: RunResult) -> Card:
    proposal, plan = card.proposal, result.plan
    if card.commit is not None:
        proposal = replace(proposal, reasoning=COMMIT_CHANGED)
    return replace(
        card,
        proposal=proposal,
        plan=plan,
        card_hash=card_hash(card.prompt, proposal.channel, proposal.work, proposal.need, plan),
        autonomous=False,
        outcome=result.detail,
        expires_at=max(card.expires_at, open_until(draft.state.policy, draft.mind.dnd_until, draft.now)),
    )
