"""What a notification says about an event: a title that gives nothing of the card's text away, and a body that may.

Pure. The sentences are data, one file for each language in `words/`.
"""

from collections.abc import Mapping

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.events import (
    AnyEvent,
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
from hub.contract.words import Risk, Source, Status

NAME_CHARS_MAX = 60
"""A channel's or a device's name within a title."""
AUTONOMY_TAG = "autonomy"
SURFACE = "browser"


class Words(Value):
    """The sentences of one language, by name."""

    lang: str
    texts: Mapping[str, str]

    def say(self, name: str, **values: str) -> str:
        """Return a sentence with its values filled in; a name that is unknown says itself."""
        text = self.texts.get(name, name)
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", value[:NAME_CHARS_MAX])
        return text


class Said(Value):
    """A notification's text. `tag` names what it is about: a later one with this tag replaces it in place.

    `card_id` is empty where it is about no card; `waits` is true while a person is asked for something.
    """

    tag: str
    title: str
    body: str = ""
    card_id: str = ""
    card: Prediction | None = None
    waits: bool = False


def say(event: AnyEvent, words: Words, device: str = "") -> Said | None:
    """Put an event into words for one browser; None for one that is not worth a notification (status and progress)."""
    match event:
        case PredictionNew(prediction=card):
            return _about(card, words.say(_new(card), channel=card.target_channel), told(card), waits=True)
        case PredictionReturned(prediction=card):
            return _about(card, words.say("returned", channel=card.target_channel), told(card), waits=True)
        case PredictionSettled(prediction=card):
            return _about(card, _settled(card, words, device), card.prompt)
        case PredictionSnoozed(prediction=card):
            return _about(card, words.say("snoozed"), card.prompt)
        case PredictionExpired(prediction_id=card_id):
            return Said(tag=card_id, card_id=card_id, title=words.say("expired"))
        case PredictionExecuted() | ExecutionStarted() | ExecutionFailed():
            return _about_run(event, words)
        case _:
            return _about_pulse(event, words)


def _about_run(event: PredictionExecuted | ExecutionStarted | ExecutionFailed, words: Words) -> Said:
    match event:
        case PredictionExecuted():
            name, body = "executed", event.result
        case ExecutionStarted():
            name, body = ("started_alone" if event.autonomous else "started"), ""
        case ExecutionFailed():
            name, body = event.kind, "\n".join(part for part in (event.prediction.prompt, event.error) if part)
    card = event.prediction
    return _about(card, words.say(name, channel=card.target_channel), body or card.prompt)


def _about_pulse(event: AnyEvent, words: Words) -> Said | None:
    match event:
        case CostApproaching():
            spent, cap = (f"{usd:.2f}".replace(".", words.say("decimal")) for usd in (event.spent_usd, event.cap_usd))
            return Said(tag=f"cost-{event.window}", title=words.say(f"cost_{event.window}", spent=spent, cap=cap))
        case Paused():
            return Said(tag=AUTONOMY_TAG, title=words.say("paused"), body=event.reason)
        case Resumed():
            return Said(tag=AUTONOMY_TAG, title=words.say("resumed"))
        case _:
            return None


def told(card: Prediction) -> str:
    """Return the text of a card with what would run below it: both are what a person says yes to."""
    return f"{card.prompt}\n{card.runs.line}" if card.runs is not None else card.prompt


def _about(card: Prediction, title: str, body: str, *, waits: bool = False) -> Said:
    return Said(tag=card.id, card_id=card.id, title=title, body=body, card=card, waits=waits)


def _new(card: Prediction) -> str:
    if card.source is Source.ASK:
        return "new_ask"
    return "new_risky" if card.risk is Risk.HIGH else "new"


def _settled(card: Prediction, words: Words, device: str) -> str:
    """Say what was answered and where; without a person, how it ended. A browser's own name would tell nobody much."""
    if card.settled is None or card.status in {Status.EXPIRED, Status.CANCELLED}:
        return words.say(card.status.value, channel=card.target_channel)
    verb, surface = card.settled.verb.value, card.settled.surface
    if surface != SURFACE:
        return words.say(f"{verb}_there", where=f"{surface}/{card.settled.device}")
    return words.say(f"{verb}_here") if card.settled.device == device else words.say(f"{verb}_there", where=surface)
