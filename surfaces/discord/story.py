"""What the hub says, told to one card. Pure: a card and an event in, the card as it is now out.

Events carry the time at which the hub made them; one that is older than what the card already knows changes nothing, so
a delivery that overtakes another does no harm.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.events import (
    CostApproaching,
    ExecutionFailed,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    Resumed,
)
from hub.contract.surface import CardDelivery
from hub.contract.words import Source, Status
from surfaces.discord.card import Card, Note, Phase

OVERTAKEN = timedelta(minutes=10)
"""An event older than this is no late delivery: the hub's clock was set back, and it counts."""


def card_id_of(delivery: CardDelivery) -> str:
    """Return the id of the card that a delivery is about; empty for what is about none."""
    match delivery.event:
        case (
            PredictionNew(prediction=prediction)
            | PredictionReturned(prediction=prediction)
            | PredictionSettled(prediction=prediction)
            | PredictionSnoozed(prediction=prediction)
            | ExecutionStarted(prediction=prediction)
            | PredictionExecuted(prediction=prediction)
            | ExecutionFailed(prediction=prediction)
        ):
            return prediction.id
        case PredictionExpired(prediction_id=card_id):
            return card_id
        case _:
            return ""


def tell(card: Card | None, delivery: CardDelivery, at: datetime, now: datetime) -> Card | None:
    """Return the card after this delivery; None when it is not shown here."""
    if card is not None and card.heard_at is not None and timedelta() < card.heard_at - at < OVERTAKEN:
        return card
    told = _told(card, delivery, at, now)
    return None if told is None else replace(told, heard_at=at)


def _told(card: Card | None, delivery: CardDelivery, at: datetime, now: datetime) -> Card | None:
    match delivery.event:
        case PredictionNew(prediction=prediction):
            return _opened(card, delivery, prediction, at, now, anew=False)
        case PredictionReturned(prediction=prediction):
            return _opened(card, delivery, prediction, at, now, anew=True)
        case ExecutionStarted(prediction=prediction, autonomous=True, execution_id=run_id) if card is None:
            fresh = Card(prediction=prediction, opened_at=at, phase="running", autonomous=True, run_id=run_id)
            return _with(fresh, delivery)
        case PredictionExecuted(prediction=prediction) | ExecutionFailed(prediction=prediction) if card is None:
            return _ended(Card(prediction=prediction, opened_at=at, listed=False), delivery)
        case _:
            return None if card is None else _changed(card, delivery, now)


def correct(card: Card, prediction: Prediction, now: datetime) -> Card:
    """Take a card as the hub has it: after a refusal, or when a delivery may have been missed."""
    if prediction.status is Status.PENDING:
        snoozed = prediction.snoozed_until is not None and prediction.snoozed_until > now
        return replace(card, prediction=prediction, phase="snoozed" if snoozed else "open")
    phase: Phase = "settled"
    if prediction.status is Status.CONFIRMED and prediction.source is not Source.ASK:
        phase = "running" if card.phase == "running" else "waiting"
    return replace(card, prediction=prediction, phase=phase, refused="")


def note_of(delivery: CardDelivery) -> Note | None:
    """Return what is to be said beside the cards, if anything."""
    made = Note(delivery_id=delivery.delivery_id, title="", text="", tone="warn", loudness=delivery.loudness)
    match delivery.event:
        case CostApproaching(window=window, spent_usd=spent, cap_usd=cap):
            text = f"${spent:.2f} of ${cap:.2f} are spent this {window}. At the cap Pulse stops acting by itself."
            return replace(made, title="💸 Spending comes close to its cap", text=text)
        case Paused(reason=reason):
            return replace(made, title="⏸️ Paused", text=reason or "Pulse does nothing by itself.", to_log=True)
        case Resumed():
            text = "Pulse may act by itself again."
            return replace(made, title="▶️ Resumed", text=text, tone="good", to_log=True)
        case _:
            return None


def _opened(
    card: Card | None, delivery: CardDelivery, prediction: Prediction, at: datetime, now: datetime, *, anew: bool
) -> Card:
    snoozed = prediction.snoozed_until is not None and prediction.snoozed_until > now
    phase: Phase = "snoozed" if snoozed else "open"
    if card is None:
        return _with(Card(prediction=prediction, opened_at=prediction.opened_at, phase=phase), delivery)
    again = anew or card.phase not in {"open", phase} or card.hash != prediction.card_hash
    changed = replace(card, prediction=prediction, phase=phase)
    if again:
        changed = replace(changed, round=card.round + 1, opened_at=at, refused="", result="", failure="", run_id="")
    return _with(changed, delivery)


def _changed(card: Card, delivery: CardDelivery, now: datetime) -> Card:
    match delivery.event:
        case PredictionSettled(prediction=prediction):
            return _with(correct(card, prediction, now), delivery)
        case PredictionSnoozed(prediction=prediction):
            return _with(replace(card, prediction=prediction, phase="snoozed", refused=""), delivery)
        case ExecutionStarted(prediction=prediction, execution_id=run_id, autonomous=autonomous):
            begun = replace(card, prediction=prediction, phase="running", run_id=run_id, autonomous=autonomous)
            return _with(replace(begun, result="", failure=""), delivery)
        case PredictionExpired():
            expired = replace(card.prediction, status=Status.EXPIRED)
            return _with(replace(card, prediction=expired, phase="settled"), delivery)
        case _:
            return _ended(card, delivery)


def _ended(card: Card, delivery: CardDelivery) -> Card:
    match delivery.event:
        case PredictionExecuted(prediction=prediction, result=result, task_id=task_id):
            run_id = card.run_id or prediction.execution_id or task_id
            done = replace(card, prediction=prediction, phase="settled", result=result, failure="", run_id=run_id)
            return _with(done, delivery)
        case ExecutionFailed(prediction=prediction, error=error, execution_id=run_id, kind=kind):
            failure = error or f"The run ended: {kind}."
            return _with(
                replace(card, prediction=prediction, phase="settled", failure=failure, run_id=run_id), delivery
            )
        case _:
            return card


def _with(card: Card, delivery: CardDelivery) -> Card:
    """Take over what may be answered with this delivery."""
    return replace(
        card,
        delivery_id=delivery.delivery_id,
        token=delivery.token,
        verbs=delivery.verbs,
        loudness=delivery.loudness,
        privacy=delivery.privacy,
    )
