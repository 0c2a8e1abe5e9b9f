"""A change of the drives that loosens: a card, bound to that very change, to which only a person's yes counts."""

from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.words import Origin, Risk, Source, TextSource, Verb
from hub.domain.canonical import digest, visible
from hub.domain.drive_limits import REASON_CHARS_MAX
from hub.domain.mutations import Mutation, MutationOffer
from hub.domain.provenance import AgentText, as_said, quoted, say
from hub.domain.requests import MutationOutcome, Refused, Reply
from hub.domain.storage import AddCard
from hub.domain.suggestion import Answer, Card, Factors, Need, Proposal, Work
from hub.kit.text import one_line
from hub.loop import refusals
from hub.loop.draft import Draft
from hub.loop.drive_verdict import rules_in
from hub.loop.drives import wake_up
from hub.loop.fresh_card import fresh_card
from hub.loop.grants import note_answer
from hub.loop.mutation_records import add, begin, make, record_of, refusal_of, refused
from hub.loop.mutation_records import take_back as take_record_back
from hub.loop.mutation_words import as_outcome, as_question
from hub.loop.own_cards import NOTHING_RUNS, put_own, settle_own, undo_own
from hub.loop.views import is_killed
from hub.may import MutationRuling, judge_mutation
from hub.what import is_kind_wanted

KIND = "change-drives"
BACK = say("It is back to what it was.")
LATER = "Submit it again later."


def ask(draft: Draft, ruling: MutationRuling, by: str, undoes: str = "") -> MutationOutcome:
    """Put a change before the person; one question about the same is enough."""
    proposal = _proposal(draft, ruling, by, undoes)
    why_not = _why_not(draft, proposal)
    if why_not is not None:
        ruled = replace(ruling, outcome="refused", code=why_not.code, reason=why_not.detail, fix=why_not.fix)
        outcome = refused(draft, ruled, by)
        return replace(outcome, record=add(draft, outcome.record))
    record = add(draft, replace(record_of(draft, ruling, by, "asked"), undoes=undoes))
    offer = MutationOffer(mutation=ruling.mutation, by=by, undoes=undoes)
    card = replace(fresh_card(draft, proposal, None, trigger="cron"), mutation=offer)
    put_own(draft, card)
    return MutationOutcome(record=record, card_id=card.id)


def approve(draft: Draft, card: Card, offer: MutationOffer, answer: Answer) -> Reply:
    """Make the change that the person said yes to, if it can still be made."""
    if answer.verb is not Verb.APPROVE:
        return refusals.not_editable()
    if not answer.is_persons or answer.card_hash != card.card_hash:
        return refusals.persons_yes_to_mutation(draft.view(card))
    if is_killed(draft.state):
        return refusals.killed(draft.state)
    made = _made(draft, card, offer)
    if isinstance(made, Refused):
        return replace(made, prediction=draft.view(card))
    note_answer(draft, answer)
    outcome = as_said(as_outcome(made.record.mutation))
    kept = replace(offer, made_id=made.record.id)
    shown = settle_own(draft, replace(card, mutation=kept), answer, outcome)
    wake_up(draft)
    return AnswerReply(prediction=shown, message=f"{outcome.text} Undo this card to go back.")


def take_back(draft: Draft, card: Card, offer: MutationOffer, answer: Answer) -> Reply:
    """Take back what a yes changed."""
    made = take_record_back(draft, offer.made_id, f"{answer.surface}/{answer.device}")
    if isinstance(made, Refused):
        return replace(made, prediction=draft.view(card))
    reply = undo_own(draft, card, answer, BACK)
    wake_up(draft)
    return reply


def _made(draft: Draft, card: Card, offer: MutationOffer) -> MutationOutcome | Refused:
    """Make what a card asks about: the limits hold as they are now, the steps of agents no more."""
    begin(draft)
    note = f"The person said yes to {card.id}."
    if offer.undoes:
        return take_record_back(draft, offer.undoes, offer.by, note)
    ruling = judge_mutation(offer.mutation, draft.mind.drives, rules_in(draft.state), draft.now, is_person=True)
    if ruling.outcome == "refused":
        return refusal_of(refused(draft, ruling, offer.by))
    return make(draft, ruling, offer.by, note)


def _why_not(draft: Draft, proposal: Proposal) -> Refused | None:
    """Return why the person is not to be asked now."""
    policy = draft.state.policy
    if not policy.open_channels or draft.state.open_suggestions >= policy.pending_max:
        detail = "The user has too many open questions right now."
        return Refused(code="mutations-too-many", status=429, detail=detail, fix=LATER)
    if not is_kind_wanted(draft.mind, KIND, None, proposal.channel, draft.now):
        detail = "The user does not want to be asked about this right now."
        return Refused(code="mutations-off", status=403, detail=detail, fix=LATER)
    added = {one.card.proposal.reason_key for one in draft.changes if isinstance(one, AddCard)}
    if proposal.reason_key in {*draft.facts.open_keys, *added}:
        detail = "The user is already being asked about this."
        return Refused(code="mutation-asked-already", status=409, detail=detail, fix="Wait for their answer.")
    return None


def _proposal(draft: Draft, ruling: MutationRuling, by: str, undoes: str) -> Proposal:
    policy, mutation = draft.state.policy, ruling.mutation
    channel = policy.open_channels[0].name if policy.open_channels else ""
    return Proposal(
        prompt=as_question(mutation, by),
        channel=channel,
        agent=policy.playbook_agent.name,
        confidence=1.0,
        factors=Factors(twin=None, pattern=1.0, urgency=0.0, time=0.0),
        reasoning=f"{ruling.note} Undo this card to go back.".strip(),
        source=Source.TEMPLATE,
        kind=KIND,
        reason_key=f"{KIND}:{mutation.kind}:{mutation.drive}",
        signature=digest(mutation, by, undoes),
        need=_need(mutation, by, undoes),
        work=Work(),
        risk=Risk.MEDIUM,
        cost_estimate_microusd=0,
        routed_by="affinity",
        origin=Origin.PULSE,
        quotes=(TextSource.AGENT,),
        details=f"{visible(by)} says why: {_reason_of(mutation)}",
    )


def _reason_of(mutation: Mutation) -> str:
    """Return an agent's reason as its words, in one line: none of them look like Pulse's own."""
    reason = one_line(visible(mutation.reason), REASON_CHARS_MAX)
    return quoted(AgentText(reason)).text if reason else "nothing."


def _need(mutation: Mutation, by: str, undoes: str) -> Need:
    """Bind the card's hash to the change: a yes is to this one and no other."""
    bound = f"{mutation.kind} {mutation.drive} {mutation.value!r} {by} {undoes}"
    return Need(text=NOTHING_RUNS, exit_code=None, expected_text=bound)
