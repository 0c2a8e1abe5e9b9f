"""What a notification says about an event. Pure; the sentences are data in `words/`, named here by their keys."""

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
AUTONOMY_TAG = "autonomy"


class Words(Value):
    """The sentences of one language. `version` counts their changes, so that an app knows whether it carries them."""

    lang: str
    version: int
    texts: Mapping[str, str]

    def say(self, sentence: "Sentence") -> str:
        """Return a sentence with its values in place, as the device itself would."""
        text = self.texts.get(sentence.key, sentence.key)
        for number, value in enumerate(sentence.values, start=1):
            text = text.replace(f"%{number}$@", value)
        return text.replace("%%", "%")


class Sentence(Value):
    """A sentence by its key, with its values in order. The last value may be shortened."""

    key: str
    values: tuple[str, ...] = ()


class Said(Value):
    """A notification's text. `tag` is what it is about: a later one about the same replaces it in place.

    `body` is somebody's own text, or a sentence around it; `waits` is true while a person is asked for something.
    """

    tag: str
    title: Sentence
    subtitle: Sentence | None = None
    body: Sentence | str = ""
    card: Prediction | None = None
    card_id: str = ""
    waits: bool = False


def say(event: AnyEvent) -> Said | None:
    """Put an event into words; None for one that is not worth a notification (status and progress)."""
    match event:
        case PredictionNew(prediction=card):
            return _about(card, _new(card), told(card), waits=True)
        case PredictionReturned(prediction=card):
            return _about(card, "RETURNED_TITLE", told(card), waits=True)
        case PredictionSettled(prediction=card):
            return _settled(card)
        case PredictionSnoozed(prediction=card):
            return _about(card, "SNOOZE_TITLE", card.prompt)
        case PredictionExpired(prediction_id=card_id):
            return Said(tag=card_id, card_id=card_id, title=Sentence(key="EXPIRED_TITLE"))
        case PredictionExecuted() | ExecutionStarted() | ExecutionFailed():
            return _about_run(event)
        case _:
            return _about_pulse(event)


def _about_run(event: PredictionExecuted | ExecutionStarted | ExecutionFailed) -> Said:
    match event:
        case PredictionExecuted():
            return _about(event.prediction, "DONE_TITLE", _around("DONE_BODY", event.result, event.prediction))
        case ExecutionStarted(autonomous=alone):
            return _about(
                event.prediction, "STARTED_ALONE_TITLE" if alone else "STARTED_TITLE", event.prediction.prompt
            )
        case ExecutionFailed():
            name = event.kind.upper()
            return _about(event.prediction, f"{name}_TITLE", _around(f"{name}_BODY", event.error, event.prediction))


def _around(key: str, text: str, card: Prediction) -> Sentence | str:
    return Sentence(key=key, values=(text,)) if text else card.prompt


def _about_pulse(event: AnyEvent) -> Said | None:
    match event:
        case CostApproaching(window=window, spent_usd=spent, cap_usd=cap):
            percent = f"{100 * spent / cap:.0f}" if cap else "100"
            return Said(
                tag=f"cost-{window}",
                title=Sentence(key=f"COST_{window.upper()}_TITLE", values=(percent,)),
                body=Sentence(key="COST_BODY", values=(f"{spent:.2f}", f"{cap:.2f}")),
            )
        case Paused(reason=reason):
            return Said(
                tag=AUTONOMY_TAG,
                title=Sentence(key="PAUSED_TITLE"),
                body=Sentence(key="PAUSED_BODY", values=(reason,)) if reason else "",
            )
        case Resumed():
            return Said(tag=AUTONOMY_TAG, title=Sentence(key="RESUMED_TITLE"))
        case _:
            return None


def told(card: Prediction) -> str:
    """Return the text of a card with what would run below it: both are what a person says yes to."""
    return f"{card.prompt}\n{card.runs.line}" if card.runs is not None else card.prompt


def _about(card: Prediction, title: str, body: Sentence | str, *, waits: bool = False) -> Said:
    channel = card.target_channel[:NAME_CHARS_MAX]
    subtitle = Sentence(key="CHANNEL_SUBTITLE", values=(channel,))
    if waits and card.source is not Source.ASK:
        subtitle = Sentence(key="CARD_SUBTITLE", values=(channel, f"{card.confidence * 100:.0f}"))
    return Said(
        tag=card.id,
        card_id=card.id,
        title=Sentence(key=title),
        subtitle=subtitle,
        body=body,
        card=card,
        waits=waits,
    )


def _new(card: Prediction) -> str:
    if card.source is Source.ASK:
        return "NEW_ASK_TITLE"
    return "NEW_RISKY_TITLE" if card.risk is Risk.HIGH else "NEW_TITLE"


def _settled(card: Prediction) -> Said:
    """Say who settled it and where; without a person it says how it ended."""
    said = _about(card, "SETTLED_TITLE", card.prompt)
    if card.status is Status.EXPIRED:
        title = Sentence(key="EXPIRED_TITLE")
    elif card.status is Status.CANCELLED or card.settled is None:
        title = Sentence(key="WITHDRAWN_TITLE" if card.status is Status.CANCELLED else "SETTLED_TITLE")
    else:
        where = f"{card.settled.surface}/{card.settled.device}"[:NAME_CHARS_MAX]
        title = Sentence(key=f"{card.settled.verb.value.upper()}_TITLE", values=(where,))
    return Said(tag=said.tag, card_id=said.card_id, title=title, subtitle=said.subtitle, body=said.body, card=card)
