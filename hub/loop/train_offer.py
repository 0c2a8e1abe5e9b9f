"""A training that is due is offered by a card; a person's yes begins it, its model is used, one undo takes that back.

Theory: what a model learns from leaves the machine, and costs money. So the card says how much of what goes where, for
how much at most, its hash is bound to the very file, and only a yes that is known to be a person's counts. What a yes
begins is slow: it is a command that goes out, and an event that comes back, perhaps after a restart. Who says no is
asked again by the schedule of trainings, not sooner.
"""

from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.words import MoveReason, Origin, Risk, Source, Status, Verb
from hub.domain.figures import dollars
from hub.domain.lessons import MarkExported
from hub.domain.provenance import counted, say
from hub.domain.requests import Reply
from hub.domain.suggestion import Answer, Card, Factors, Need, Proposal, Work
from hub.domain.training import TrainingOffer
from hub.learn import is_offered
from hub.loop import refusals
from hub.loop.answered import keep, settled_by
from hub.loop.commands import StopTraining, TrainModel
from hub.loop.costs import book
from hub.loop.draft import Draft
from hub.loop.events import ModelTrained, TrainingDue
from hub.loop.fresh_card import fresh_card
from hub.loop.grants import note_answer
from hub.loop.own_cards import put_own, undo_own
from hub.loop.tell import tell_settled
from hub.loop.training import use_model, use_model_before
from hub.loop.views import is_killed
from hub.what import is_kind_wanted

KIND = "train-model"
BEGUN = "The training has started. You will be notified when its model answers."
STOPPED = "The training was stopped. What was sent stays at the service until you delete it there."


def on_due(draft: Draft, event: TrainingDue) -> None:
    """Ask the person, if that is still to be asked."""
    offer, policy, mind = event.offer, draft.state.policy, draft.mind
    if not policy.dpo_export or draft.state.open_suggestions >= policy.pending_max or not policy.open_channels:
        return
    proposal = _proposal(draft, offer)
    is_welcome = is_kind_wanted(mind, KIND, None, proposal.channel, draft.now)
    if not is_welcome or not is_offered(offer.pairs, mind.training, draft.now):
        return
    asked = replace(mind.training, offered_at=draft.now, offered_pairs=offer.pairs)
    draft.set_mind(replace(mind, training=asked))
    put_own(draft, replace(fresh_card(draft, proposal, None, trigger="cron"), training=offer))


def approve(draft: Draft, card: Card, offer: TrainingOffer, answer: Answer) -> Reply:
    """Begin what the person said yes to, and book what it may cost."""
    if answer.verb is not Verb.APPROVE:
        return refusals.not_editable()
    if not answer.is_persons or answer.card_hash != card.card_hash:
        return refusals.persons_yes_to_training(draft.view(card))
    if is_killed(draft.state):
        return refusals.killed(draft.state)
    note_answer(draft, answer)
    book(draft, offer.price_microusd)
    confirmed = draft.move(replace(settled_by(card, answer, draft.now), outcome=BEGUN), MoveReason.APPROVED)
    shown = tell_settled(draft, confirmed)
    draft.commands.append(TrainModel(card_id=card.id, offer=offer))
    return AnswerReply(prediction=shown, message=BEGUN)


def on_trained(draft: Draft, event: ModelTrained) -> None:
    """Use the model, and say so; or say why there is none."""
    card = draft.facts.card
    if card is None or card.training is None or card.status is not Status.CONFIRMED:
        return
    if not event.name:
        failed = draft.move(replace(card, outcome=event.wrong), MoveReason.NOT_VERIFIED)
        tell_settled(draft, failed)
        return
    use_model(draft, event.name, by="together", pairs=card.training.pairs)
    draft.changes.append(MarkExported(user=draft.state.user, through=card.training.through, at=draft.now))
    pairs = counted(card.training.pairs, "pair").text
    outcome = f"It has learnt from {pairs}, and is in use from now on: {event.name}."
    done = draft.move(replace(card, outcome=outcome), MoveReason.VERIFIED)
    tell_settled(draft, done)


def take_back(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Stop a training that is under way, or use the model before it again."""
    if card.status is Status.CONFIRMED:
        note_answer(draft, answer)
        stopped = draft.move(replace(keep(card, answer), outcome=STOPPED), MoveReason.STOPPED)
        draft.commands.append(StopTraining(card_id=card.id))
        return AnswerReply(prediction=tell_settled(draft, stopped), message=STOPPED)
    use_model_before(draft)
    name = draft.mind.training.active or say("that of the settings")
    return undo_own(draft, card, answer, say("The previous model is in use again: {name}.", name=name))


def _proposal(draft: Draft, offer: TrainingOffer) -> Proposal:
    policy, pairs = draft.state.policy, counted(offer.pairs, "pair")
    where = offer.url.partition("://")[2].partition("/")[0]
    prompt = say(
        "Train a model on {pairs} of your answers at {where}, for about {price}?",
        pairs=pairs,
        where=where,
        price=dollars(offer.price_microusd),
    )
    first, again = say("The first training is due."), say("Another training is due.")
    reasoning = first if draft.mind.training.last is None else again
    return Proposal(
        prompt=prompt.text,
        channel=policy.open_channels[0].name,
        agent=policy.playbook_agent.name,
        confidence=1.0,
        factors=Factors(twin=None, pattern=1.0, urgency=0.0, time=0.0),
        reasoning=reasoning.text,
        source=Source.TEMPLATE,
        kind=KIND,
        reason_key=KIND,
        signature=offer.sha256,
        need=_need(offer),
        work=Work(),
        risk=Risk.HIGH,
        cost_estimate_microusd=offer.price_microusd,
        routed_by="affinity",
        origin=Origin.PULSE,
        quotes=(),
        details=(
            f"Sent to {offer.url}: {offer.size_bytes:,} bytes, with what was going on, what you chose and what you"
            f" turned away; secrets are masked. {offer.model} learns there, and is asked in place of the present model"
            " once it answers. Answering costs what the service asks for it."
        ),
        prompt_worded=prompt.worded,
        reasoning_worded=reasoning.worded,
    )


def _need(offer: TrainingOffer) -> Need:
    """Bind the card's hash to the file, the place and the model: a yes is to these and no others."""
    bound = f"{offer.url} {offer.model} {offer.epochs} {offer.sha256} {offer.price_microusd}"
    return Need(text="The new model answers.", exit_code=None, expected_text=bound)
