"""What is announced of an event, in phrases of the phrasebook: the same on every surface that pushes. Pure."""

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    DigestReady,
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
from hub.contract.words import MoveReason, Risk, Source
from hub.kit.digests import heading
from hub.kit.fates import fate_of
from hub.kit.naming import where_of
from hub.kit.phrasebook import Phrase
from hub.kit.shown import fields_text


class Announcement(Value):
    """One notification. `waits` is true while a person is asked for something.

    `prompt` is the card's own text, `text` what came of it, `detail` a phrase of ours. `digest` is what lists several.
    """

    title: Phrase
    detail: Phrase | None = None
    prompt: str = ""
    text: str = ""
    card: Prediction | None = None
    card_id: str = ""
    waits: bool = False
    digest: DigestReady | None = None


def announce(event: AnyEvent) -> Announcement | None:
    """Put an event into phrases; None for one that is not worth a notification (status and progress)."""
    match event:
        case PredictionNew(prediction=card, alike=alike):
            return _about(card, _new(card, alike), told(card), waits=True)
        case PredictionReturned(prediction=card):
            return _about(card, Phrase(name="returned"), told(card), waits=True)
        case PredictionSettled(prediction=card):
            return _about(card, settled(card), card.prompt)
        case PredictionSnoozed(prediction=card):
            return _about(card, Phrase(name="snooze.done"), card.prompt)
        case PredictionExpired(card_id=card_id, reason=reason):
            how = "passed.long" if reason is MoveReason.PASSED else "expired.long"
            return Announcement(card_id=card_id, title=Phrase(name=how))
        case ExecutionStarted() | PredictionExecuted() | ExecutionFailed():
            return _about_run(event)
        case _:
            return _about_pulse(event)


def told(card: Prediction) -> str:
    """Return the text of a card with what would run, and how, below it: all of it is what a person says yes to."""
    runs = "" if card.runs is None else card.runs.line
    return "\n".join(filter(None, (card.prompt, runs, fields_text(card.permission))))


def settled(card: Prediction) -> Phrase:
    """Say what was answered and where; without a person, how it ended."""
    fate = fate_of(card)
    if card.settled is None or fate in {"expired", "passed", "cancelled", "mended"}:
        return Phrase(name="confirmed.rails" if fate == "confirmed" else fate)
    return Phrase(name=f"{card.settled.verb.value}.there", values={"where": where_of(card.settled.surface)})


def _about_run(event: ExecutionStarted | PredictionExecuted | ExecutionFailed) -> Announcement:
    card = event.prediction
    match event:
        case ExecutionStarted(autonomous=alone):
            return _about(card, Phrase(name="started.alone" if alone else "started"), card.prompt)
        case PredictionExecuted(result=text):
            how = "handed_over" if fate_of(card) == "handed_over" else "executed"
            return _about(card, Phrase(name=how), "" if text else card.prompt, text)
        case ExecutionFailed(error=text, kind=kind):
            return _about(card, Phrase(name=kind), card.prompt, text)


def _about_pulse(event: AnyEvent) -> Announcement | None:
    match event:
        case CostApproaching(window=window, spent_usd=spent, cap_usd=cap):
            detail = Phrase(name="cost", values={"spent": spent, "cap": cap})
            return Announcement(title=Phrase(name=f"cost.{window}"), detail=detail)
        case Paused(reason=reason):
            return Announcement(title=Phrase(name="paused"), text=reason)
        case Resumed():
            return Announcement(title=Phrase(name="resumed"))
        case DigestReady(cards=cards, away=away, day=day):
            is_news = bool(cards) or away is not None or day is not None
            return Announcement(title=heading(event), waits=bool(cards), digest=event) if is_news else None
        case _:
            return None


def _about(card: Prediction, title: Phrase, prompt: str, text: str = "", *, waits: bool = False) -> Announcement:
    return Announcement(card_id=card.id, title=title, prompt=prompt, text=text, card=card, waits=waits)


def _new(card: Prediction, alike: int = 0) -> Phrase:
    if alike:
        return Phrase(name="new_alike", values={"number": str(alike + 1)})
    if card.source is Source.ASK:
        return Phrase(name="new_ask")
    return Phrase(name="new_risky" if card.risk is Risk.HIGH else "new")
