"""`ask`: an agent or script asks a person for approval of something of its own; Pulse runs nothing for it."""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.events import PredictionNew, PredictionSettled
from hub.contract.words import Badge, Origin, Risk, Source, Status, TextSource
from hub.domain.canonical import card_hash
from hub.domain.life import Reason
from hub.domain.requests import Ask, Refused, Taken, Withdraw
from hub.domain.storage import AddCard
from hub.domain.suggestion import Card, Factors, Need, Proposal, Work
from hub.loop.draft import Draft
from hub.loop.refusals import already_settled, unknown_card
from hub.loop.tell import tell
from hub.loop.views import prediction_of

ASK_CHANNEL = "ask"


def on_ask(draft: Draft, request: Ask, reply_to: str) -> None:
    """Put the question before the person on every surface; the same key again is the same question."""
    snoozes_max = draft.state.policy.timing.snoozes_max
    if draft.facts.repeated is not None:
        draft.reply(reply_to, Taken(prediction=prediction_of(draft.facts.repeated, snoozes_max), repeated=True))
        return
    if draft.state.open_count >= draft.state.policy.pending_max:
        draft.reply(reply_to, _full(draft.state.open_count))
        return
    card = _card(draft, request)
    draft.changes.append(AddCard(card=card))
    draft.state = replace(draft.state, open_count=draft.state.open_count + 1)
    view = prediction_of(card, snoozes_max)
    tell(draft, PredictionNew(prediction=view), card)
    draft.reply(reply_to, Taken(prediction=view))


def on_withdraw(draft: Draft, request: Withdraw, reply_to: str) -> None:
    """Take a question back; it disappears everywhere."""
    card = draft.facts.card
    snoozes_max = draft.state.policy.timing.snoozes_max
    if card is None or card.proposal.source is not Source.ASK:
        draft.reply(reply_to, unknown_card(request.card_id))
        return
    if card.status is not Status.PENDING:
        draft.reply(reply_to, already_settled(prediction_of(card, snoozes_max), draft.state))
        return
    gone = draft.move(card, Reason.WITHDRAWN)
    draft.state = replace(draft.state, open_count=max(0, draft.state.open_count - 1))
    view = prediction_of(gone, snoozes_max)
    tell(draft, PredictionSettled(prediction=view), gone)
    draft.reply(reply_to, Taken(prediction=view, message="Withdrawn."))


def ask_id(key: str) -> str:
    """Return the card id of an ask; it follows from the key, so that a repeated ask finds the same card."""
    return f"pred_ask_{key}"


def _card(draft: Draft, request: Ask) -> Card:
    need, work = Need(text="the asker acts on the answer", exit_code=None), Work()
    proposal = Proposal(
        prompt=request.question,
        channel=ASK_CHANNEL,
        agent=request.asker,
        confidence=1.0,
        factors=Factors(twin=None, pattern=0.0, urgency=1.0, time=0.0),
        reasoning=request.details or f"{request.asker} asks and waits for your answer.",
        source=Source.ASK,
        kind="ask",
        reason_key=f"ask:{request.key}",
        signature=request.key,
        need=need,
        work=work,
        risk=request.risk,
        cost_estimate_microusd=0,
        routed_by="person",
        origin=Origin.WORLD,
        quotes=(TextSource.AGENT,),
    )
    return Card(
        id=ask_id(request.key),
        user=draft.state.user,
        version=1,
        status=Status.PENDING,
        proposal=proposal,
        prompt=request.question,
        card_hash=card_hash(prompt=request.question, channel=ASK_CHANNEL, work=work, need=need),
        created_at=draft.now,
        expires_at=draft.now + timedelta(seconds=request.timeout_s),
        trigger="manual",
        badges=(Badge.RISKY,) if request.risk is Risk.HIGH else (),
        asker=request.asker,
    )


def _full(waiting: int) -> Refused:
    return Refused(
        code="too-many-open",
        status=429,
        detail=f"{waiting} suggestions are waiting already; this one was not added.",
        fix="Answer or dismiss some, then ask again.",
    )
