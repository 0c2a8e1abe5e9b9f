"""Waking an agent outside: what a cycle of need proposes then, and trying again what did not arrive (DRIVES 4)."""

from msgspec.structs import replace

from hub.contract.words import MoveReason, RunState, Status
from hub.do import is_ignored
from hub.domain.drives import Handed
from hub.domain.episode import Proposed
from hub.domain.execution import Execution
from hub.domain.judgement import Permit, RunRequest
from hub.domain.moment import Moment, Occasion
from hub.domain.suggestion import WAKE_AGENT, Card
from hub.loop import drives, outside_wakes
from hub.loop.draft import Draft
from hub.loop.grants import asked_as_it_stands, confirm, note_judgement, rule
from hub.loop.state import Cycle
from hub.may import after_trigger
from hub.what import is_always_asked, is_kind_wanted, wake_key, wake_proposal
from hub.when import decide

WAITS = "A message to your agent is already waiting for your answer."


def goes_outside(draft: Draft, cycle: Cycle) -> bool:
    """Say whether a cycle is to wake the agent outside: a need began it, and the person wants such messages."""
    channel = draft.state.policy.wake_channel
    if cycle.wake is None or channel is None:
        return False
    return is_kind_wanted(draft.mind, WAKE_AGENT, None, channel.name, draft.now)


def proposed(draft: Draft, cycle: Cycle) -> Proposed | None:
    """Return the message to the agent as a proposal; None while an earlier one for this drive waits."""
    wake, channel = cycle.wake, draft.state.policy.wake_channel
    if wake is None or channel is None or wake_key(wake.drive) in draft.facts.open_keys:
        return None
    drive = draft.mind.drives.named(wake.drive)
    return Proposed(proposal=wake_proposal(wake, drive, drives.rules_of(draft), channel), ideas=1)


def is_again(draft: Draft, execution: Execution) -> bool:
    """Say whether a start is one more try of a message that did not arrive."""
    return execution.state is RunState.FAILED and outside_wakes.to_try(draft, execution.id) is not None


def try_again(draft: Draft, execution: Execution, card: Card) -> None:
    """Judge the same message anew, and let the same card have one more attempt where every rail permits it.

    A yes that the person gave to it stands; what runs by the setting alone is asked for as at first. A card that they
    have put aside, or had tried again themselves, is left alone.
    """
    found = outside_wakes.to_try(draft, execution.id)
    if found is None:
        return
    if card.status is not Status.FAILED or is_ignored(card) or card.attempts != execution.attempt:
        outside_wakes.give_up(draft, found)
        return
    asked, ledger = _asked(draft, card, found), draft.mind.ledger
    judgement = rule(draft, card.proposal, asked)
    if not isinstance(judgement.outcome, Permit):
        return
    note_judgement(draft, asked, judgement, ledger)
    if found.answer is None:
        after = after_trigger(draft.mind.ledger, card.proposal, asked, draft.state.policy, draft.now)
        draft.set_mind(replace(draft.mind, ledger=after))
    back = replace(draft.move(card, MoveReason.RETRIED), settled=card.settled, settled_at=card.settled_at)
    outside_wakes.tried(draft, found, judgement.outcome.execution_id)
    confirm(draft, back, judgement.outcome, answer=found.answer)


def _asked(draft: Draft, card: Card, found: Handed) -> RunRequest:
    may_act = found.answer is None and _may_act(draft, card)
    return replace(asked_as_it_stands(draft, card), may_act=may_act, answer=found.answer)


def _may_act(draft: Draft, card: Card) -> bool:
    mind, proposal = draft.mind, card.proposal
    silence = None if mind.last_message_at is None else draft.now - mind.last_message_at
    moment = decide(mind, draft.state.policy, Occasion.DRIVE, now=draft.now, silence=silence)
    is_pinned = is_always_asked(mind, proposal.kind, None, proposal.channel)
    return isinstance(moment, Moment) and moment.may_act and not is_pinned
