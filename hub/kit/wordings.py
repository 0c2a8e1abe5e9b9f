"""The hub's own sentences in the reader's language, by the codes that come beside them. Pure."""

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.events import (
    AnyEvent,
    DigestReady,
    ExecutionFailed,
    ExecutionStarted,
    PredictionExecuted,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
)
from hub.contract.permission import AgentQuestion, Permission
from hub.contract.phrasing import Phrasing
from hub.contract.words import Status
from hub.kit.naming import agent_title
from hub.kit.phrasebook import Phrases
from hub.kit.text import day_said, listed

Clock = Callable[[datetime], str]
DEPTH_MAX = 8
"""Phrases within phrases."""


def worded(wording: Phrasing | None, text: str, words: Phrases, clock: Clock | None = None) -> str:
    """Return a sentence in the language of `words`; `text`, as the hub said it, where they have no such phrase.

    `clock` writes a moment as the reader's clock has it; without one, a sentence with a moment is said in English.
    """
    return _said(wording, words, clock, DEPTH_MAX) or text


def follows_said(card: Prediction, words: Phrases) -> str:
    """Return what follows from a no to a card, in the language of `words`; empty where nothing does."""
    is_no = card.status is Status.REJECTED and card.outcome_worded is not None
    return worded(card.outcome_worded, card.outcome, words) if is_no else ""


def card_in(card: Prediction, words: Phrases) -> Prediction:
    """Return a card as it is read in the language of `words`; an edit begins with the prompt as the hub has it."""
    prompt = worded(card.prompt_worded, card.prompt, words)
    is_same = prompt == card.prompt or not card.editable
    return replace(
        card,
        prompt=prompt,
        prompt_worded=None,
        reasoning=worded(card.reasoning_worded, card.reasoning, words),
        reasoning_worded=None,
        outcome=worded(card.outcome_worded, card.outcome, words),
        edit_text=card.edit_text if is_same else card.edit_text or card.prompt,
    )


def event_in(event: AnyEvent, words: Phrases) -> AnyEvent:
    """Return an event with its cards, and what came of a run, as they are read in the language of `words`."""
    match event:
        case PredictionExecuted(prediction=card, result=result):
            return replace(event, prediction=card_in(card, words), result=end_said(card, result, words))
        case ExecutionFailed(prediction=card, error=error):
            return replace(event, prediction=card_in(card, words), error=end_said(card, error, words))
        case PredictionNew() | PredictionReturned() | PredictionSettled() | PredictionSnoozed() | ExecutionStarted():
            return replace(event, prediction=card_in(event.prediction, words))
        case DigestReady(cards=cards):
            return replace(event, cards=tuple(card_in(one, words) for one in cards))
        case _:
            return event


def end_said(card: Prediction, text: str, words: Phrases) -> str:
    """Return what came of a card's run, in the language of `words`; another text than the card's own as it is."""
    return worded(card.outcome_worded, text, words) if text == card.outcome else text


def unusual_said(permission: Permission, words: Phrases) -> tuple[str, ...]:
    """Return what is unusual about a request."""
    texts, wordings = permission.unusual, permission.unusual_worded
    if len(texts) != len(wordings):
        return texts
    return tuple(worded(wording, text, words) for text, wording in zip(texts, wordings, strict=True))


def question_said(question: AgentQuestion, words: Phrases) -> AgentQuestion:
    """Return a question as it is shown; what is answered is the label of the choice at the same place of the other."""
    choices = tuple(replace(one, label=worded(one.label_worded, one.label, words)) for one in question.choices)
    return replace(question, text=worded(question.text_worded, question.text, words), choices=choices)


def asked_said(card: Prediction, words: Phrases) -> str:
    """Return the question that the hub itself asks by a card, in the language of `words`; empty for other cards."""
    asked = () if card.permission is None else card.permission.questions
    own = asked[0] if len(asked) == 1 and asked[0].text_worded is not None else None
    return "" if own is None else question_said(own, words).text


def _said(wording: Phrasing | None, words: Phrases, clock: Clock | None, depth: int) -> str:
    if wording is None or not depth or wording.code not in words.texts:
        return ""
    values = dict(wording.values)
    if "agent" in values:
        values["agent"] = agent_title(values["agent"], words)
    if wording.listed:
        values["listed"] = listed(wording.listed, language=words.language)
    if wording.day is not None:
        values["day"] = day_said(wording.day, words.language)
    if wording.moment is not None and clock is not None:
        values["time"] = clock(wording.moment)
    values |= {slot: f"{number:.1f}".replace(".", words.texts["decimal"]) for slot, number in wording.numbers.items()}
    within = dict(wording.parts) if wording.about is None else {**wording.parts, "about": wording.about}
    values |= {slot: said for slot, part in within.items() if (said := _said(part, words, clock, depth - 1))}
    return words.say(wording.code, **values) if words.slots(wording.code) <= values.keys() else ""
