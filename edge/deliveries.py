"""What the hub says, as happenings of the conversation. Pure."""

from edge.speech import saying
from edge.speech.aloud import aloud
from edge.speech.sentences import Sentences
from edge.speech.turn import AnyHappened, CanUndo, CardCame, CardGone, Ended, Outcome, Runs
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
)
from hub.contract.surface import CardDelivery, Verdict
from hub.contract.words import Verb
from hub.kit.text import duration

ANSWERED = {
    Verb.APPROVE: "running",
    Verb.EDIT: "running",
    Verb.REJECT: "skipped",
    Verb.SNOOZE: "later",
    Verb.UNDO: "undone",
    Verb.STOP: "stopped",
}


def happenings(delivery: CardDelivery, sentences: Sentences) -> tuple[AnyHappened, ...]:
    """Return what a delivery means for the conversation."""
    event = delivery.event
    match event:
        case PredictionNew() | PredictionReturned():
            return (CardCame(delivery=delivery),)
        case PredictionSettled(prediction=prediction):
            gone = CardGone(card_id=prediction.id, text=_settled(event, sentences))
            return (gone, CanUndo(delivery=delivery)) if Verb.UNDO in delivery.verbs else (gone,)
        case PredictionSnoozed(prediction=prediction):
            return (CardGone(card_id=prediction.id, text=sentences.say("later")),)
        case PredictionExpired(prediction_id=card_id):
            return (CardGone(card_id=card_id, text=sentences.say("expired")),)
        case ExecutionStarted(prediction=prediction):
            gone = CardGone(card_id=prediction.id, text=sentences.say("running"))
            return (gone, Runs(delivery=delivery)) if Verb.STOP in delivery.verbs else (gone,)
        case _:
            return _outcome(delivery, sentences)


def _outcome(delivery: CardDelivery, sentences: Sentences) -> tuple[AnyHappened, ...]:
    heard = delivery.loudness != "silent"
    match delivery.event:
        case PredictionExecuted(prediction_id=card_id, result=result):
            said = saying.outcome("done", "result", result, sentences)
        case ExecutionFailed(prediction_id=card_id, error=error):
            said = saying.outcome("failed", "error", error, sentences)
        case Paused(reason=reason):
            card_id, said = "", aloud(reason, sentences)
        case CostApproaching(spent_usd=spent, cap_usd=cap):
            card_id, said = "", aloud(sentences.phrases.title("cost", spent=spent, cap=cap), sentences)
        case _:
            return ()
    ended = (Ended(card_id=card_id),) if card_id else ()
    return (*ended, Outcome(text=said, delivery_id=delivery.delivery_id)) if heard else ended


def _settled(event: PredictionSettled, sentences: Sentences) -> str:
    settled = event.prediction.settled
    if settled is None:
        return sentences.say("expired")
    return sentences.say(
        "settled", what=sentences.phrases.say(event.prediction.status.value), where=aloud(settled.surface, sentences)
    )


def verdict_text(verdict: Verdict, verb: Verb | None, sentences: Sentences, *, minutes: int = 0) -> str:
    """Return what is said to the hub's verdict."""
    if not verdict.accepted:
        return saying.outcome("refused", "message", verdict.message, sentences)
    if verb is Verb.SNOOZE and minutes:
        return aloud(sentences.say("later_minutes", time=_time(minutes, sentences)), sentences)
    return sentences.say(ANSWERED.get(verb, "answered") if verb is not None else "answered")


def _time(minutes: int, sentences: Sentences) -> str:
    return duration(60 * minutes, sentences.language, "spoken", rounded="exact")
