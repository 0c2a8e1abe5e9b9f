"""What the hub says, as happenings of the conversation. Pure."""

from edge.speech import saying
from edge.speech.aloud import aloud
from edge.speech.sentences import Sentences
from edge.speech.turn import AnyHappened, CanUndo, CardCame, CardGone, Ended, Outcome, Runs
from hub.contract.api import CrossPollStatus
from hub.contract.events import CostApproaching, DigestReady, ExecutionFailed, Paused, PredictionExecuted
from hub.contract.surface import LOUD, CardDelivery, Verdict
from hub.contract.words import AFTER_FAILURE, Verb
from hub.kit.cards import CardProjection
from hub.kit.digests import heading, opening
from hub.kit.fates import fate_of
from hub.kit.naming import where_of
from hub.kit.phrasebook import capital
from hub.kit.text import duration
from hub.kit.wordings import end_said

ANSWERED = {
    Verb.APPROVE: "running",
    Verb.EDIT: "running",
    Verb.REJECT: "skipped",
    Verb.SNOOZE: "later",
    Verb.UNDO: "undone",
    Verb.STOP: "stopped",
    Verb.LESS: "less",
    Verb.NEVER: "never",
    Verb.RETRY: "running",
    Verb.FIX: "handed_over",
    Verb.IGNORE: "ignored",
}


def happenings(delivery: CardDelivery, card: CardProjection | None, sentences: Sentences) -> tuple[AnyHappened, ...]:
    """Return what a delivery means for the conversation; `card` is what is known of its card after it."""
    if card is None:
        return _said_beside(delivery, sentences)
    if card.phase == "open":
        return (CardCame(delivery=delivery),)
    if card.phase == "snoozed":
        return (CardGone(card_id=card.id, text=sentences.say("later")),)
    if card.phase == "running":
        gone = CardGone(card_id=card.id, text=sentences.say("running"))
        return (gone, Runs(delivery=delivery)) if Verb.STOP in delivery.verbs else (gone,)
    if isinstance(delivery.event, PredictionExecuted | ExecutionFailed):
        if delivery.token and not set(AFTER_FAILURE).isdisjoint(delivery.verbs):
            return (Ended(card_id=card.id), CardCame(delivery=delivery))
        well = "handed_on" if card.ending == "handed_over" else "done"
        said = ("failed", "error") if card.has_failed else (well, "result")
        text = end_said(card.prediction, card.result, sentences.phrases)
        return (Ended(card_id=card.id), *_outcome(delivery, saying.outcome(*said, text, sentences)))
    gone = CardGone(card_id=card.id, text=_settled(card, sentences))
    return (gone, CanUndo(delivery=delivery)) if Verb.UNDO in delivery.verbs else (gone,)


def is_verified_anew(before: CrossPollStatus, now: CrossPollStatus) -> bool:
    """Say whether a session was verified since, and may be heard: not in quiet hours, nor if the person wants none."""
    earlier = before.world.verified_at if before.world is not None else None
    later = now.world.verified_at if now.world is not None else None
    return later is not None and (earlier is None or later > earlier) and not now.quiet and now.dnd_until is None


def _said_beside(delivery: CardDelivery, sentences: Sentences) -> tuple[AnyHappened, ...]:
    match delivery.event:
        case Paused(reason=reason):
            return _outcome(delivery, aloud(reason, sentences))
        case CostApproaching(spent_usd=spent, cap_usd=cap):
            return _outcome(delivery, aloud(sentences.phrases.title("cost", spent=spent, cap=cap), sentences))
        case DigestReady():
            return (_opening(delivery, delivery.event, sentences),)
        case _:
            return ()


def _opening(delivery: CardDelivery, digest: DigestReady, sentences: Sentences) -> Outcome:
    """Say what happened meanwhile, and how many cards follow; told silently, it is for who asks what happened."""
    meanwhile = opening(digest, sentences.phrases, "spoken")
    waiting = f"{sentences.phrases.put(heading(digest))}." if digest.cards else ""
    text = " ".join(capital(aloud(part, sentences)) for part in (*meanwhile, waiting) if part)
    return Outcome(text=text, delivery_id=delivery.delivery_id, is_spoken=delivery.loudness in LOUD)


def _outcome(delivery: CardDelivery, text: str) -> tuple[AnyHappened, ...]:
    return () if delivery.loudness == "silent" else (Outcome(text=text, delivery_id=delivery.delivery_id),)


def _settled(card: CardProjection, sentences: Sentences) -> str:
    settled, fate = card.prediction.settled, fate_of(card.prediction)
    if fate in {"passed", "mended"}:
        return aloud(sentences.phrases.title(fate), sentences)
    if settled is None:
        return sentences.say("expired")
    said, where = (
        sentences.phrases.say(fate),
        sentences.phrases.written(where_of(settled.surface)),
    )
    return sentences.say("settled", what=said, where=aloud(where, sentences))


def verdict_text(verdict: Verdict, verb: Verb | None, sentences: Sentences, *, minutes: int = 0) -> str:
    """Return what is said to the hub's verdict."""
    if not verdict.accepted:
        return saying.outcome("refused", "message", verdict.message, sentences)
    if verb is Verb.SNOOZE and minutes:
        return aloud(sentences.say("later_minutes", time=_time(minutes, sentences)), sentences)
    return sentences.say(ANSWERED.get(verb, "answered") if verb is not None else "answered")


def _time(minutes: int, sentences: Sentences) -> str:
    return duration(60 * minutes, sentences.language, "spoken", rounded="exact")
