"""Work that a person ordered: a card of its own says what would run, and the rails judge it like any other.

Their order begins it, and is no yes to what would run: that they see first. Where they have let this very agent do this
in this folder before, or said yes to more tries of it, that word is their yes to it as well; else the card waits for
one. Either way the rails are asked again.
"""

from msgspec.structs import replace

from hub.contract.words import Badge, MoveReason, Risk, Verb
from hub.domain.episode import Proposed
from hub.domain.judgement import AskHuman, Refusal
from hub.domain.plan import AnyPlan
from hub.domain.requests import Refused
from hub.domain.suggestion import Answer, Card, Proposal
from hub.loop.answered import settled_by
from hub.loop.draft import Draft
from hub.loop.fresh_card import fresh_card
from hub.loop.grants import asked_as_it_stands, grant, log_entry, note_judgement, rule
from hub.loop.tell import tell_new, tell_settled
from hub.may import after_trigger, held_back, is_known, risky


def put(
    draft: Draft, proposal: Proposal, plan: AnyPlan, *, yes: Answer | None, only_if_known: bool
) -> tuple[Card, Refusal | None]:
    """Put a card before the person, or go on at once by a `yes` of theirs.

    Return the card as it is then, and why the rails let it run for nobody, if they do not.

    Args:
        draft: the step.
        proposal: what is to be done.
        plan: what would run for it.
        yes: the person's earlier word, if it may be one to this.
        only_if_known: it is one only where they let just this run before.
    """
    badges = (Badge.RISKY,) if proposal.risk is Risk.HIGH else ()
    card = fresh_card(draft, proposal, plan, trigger="manual", badges=badges)
    asked, ledger = replace(asked_as_it_stands(draft, card), force=True), draft.mind.ledger
    judgement = rule(draft, proposal, asked)
    held = held_back(proposal, judgement)
    if held is not None:
        card = replace(card, proposal=risky(proposal, held), badges=(Badge.RISKY,))
    draft.add(card)
    draft.note(card.id, Proposed(proposal=proposal, ideas=1))
    note_judgement(draft, asked, judgement, ledger)
    if held is not None:
        draft.note(card.id, Proposed(proposal=card.proposal, ideas=1))  # as the person's answer is judged by
    match judgement.outcome:
        case Refusal() as refusal:
            blocked = draft.move(replace(card, outcome=refusal.reason), MoveReason.BLOCKED)
            draft.changes.append(log_entry(draft, card, refusal.rule))
            tell_settled(draft, blocked)
            return blocked, refusal
        case AskHuman():
            after = after_trigger(draft.mind.ledger, proposal, asked, draft.state.policy, draft.now)
            draft.set_mind(replace(draft.mind, ledger=after))
            is_yes = yes is not None and (not only_if_known or is_known(draft.mind.ledger, proposal, asked))
            granted = _go_on(draft, card, yes) if yes is not None and is_yes else None
            if granted is None:
                tell_new(draft, card)
            return granted or card, None
        case _:
            raise AssertionError("nothing here may act without a person")


def _go_on(draft: Draft, card: Card, yes: Answer) -> Card | None:
    """Take an earlier word as the yes to this card; None where a rail wants to hear it of this one."""
    yes = replace(yes, card_id=card.id, verb=Verb.APPROVE, card_hash=card.card_hash, prompt=None, attempt=None, round=0)
    granted = grant(draft, settled_by(card, yes, draft.now), yes)
    if isinstance(granted, Refused):
        return None
    tell_settled(draft, granted)
    return granted
