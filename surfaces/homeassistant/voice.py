"""What a satellite asks aloud, and which words answer it. Pure.

Whoever is in the room can answer. So only what waits loudly is asked, only while the person is at home, and never what
its device may not show or approve.
"""

from typing import Any

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.events import PredictionNew, PredictionReturned
from hub.contract.surface import LOUD, CardDelivery
from hub.contract.words import Risk, Verb
from hub.kit.naming import place_of
from hub.kit.offered_answers import OfferedAnswers
from hub.kit.permissions import sentence
from hub.kit.phrasebook import Phrases
from hub.kit.shown import yes_text
from hub.kit.text import one_line
from hub.kit.wordings import card_in

QUESTION_CHARS_MAX = 200
AT_HOME = "home"


class SpokenQuestion(Value):
    """A question and its answers, each by the name that it is given by."""

    card_id: str
    text: str
    answers: tuple[dict[str, Any], dict[str, Any]]
    wants_confirmation: bool = False


def spoken(delivery: CardDelivery, offers: OfferedAnswers, words: Phrases) -> SpokenQuestion | None:
    """Return what is asked aloud; None where this is not asked aloud."""
    event = delivery.event
    if not isinstance(event, PredictionNew | PredictionReturned) or delivery.loudness not in LOUD:
        return None
    card, verbs = event.prediction, {Verb.APPROVE, Verb.REJECT}
    asked = card.permission
    if delivery.privacy != "full" or not verbs <= {*delivery.verbs} or not delivery.token:
        return None
    if asked is not None and asked.questions:
        return None
    text = _told(card, words)
    said = one_line(text, QUESTION_CHARS_MAX)
    if said != " ".join(text.split()) or card.runs is not None:
        return None  # nobody approves what they did not hear
    yes = offers.offer(delivery, card, Verb.APPROVE, is_whole=True)
    answers = (
        {"id": yes, "sentences": words.say("home.yes").split("|")},
        {"id": offers.offer(delivery, card, Verb.REJECT), "sentences": words.say("home.no").split("|")},
    )
    return SpokenQuestion(card_id=card.id, text=said, answers=answers, wants_confirmation=card.risk is not Risk.LOW)


def confirming(question: SpokenQuestion, words: Phrases) -> SpokenQuestion:
    """Return what is asked after a yes to something that is not without risk."""
    yes, no = question.answers
    answers = ({**yes, "sentences": words.say("home.confirm").split("|")}, no)
    return SpokenQuestion(card_id=question.card_id, text=words.say("home.sure"), answers=answers)


def _told(card: Prediction, words: Phrases) -> str:
    """Say all that would be done: of what an agent asks, its exact text too, unless the sentence has it all."""
    asked, text = card.permission, yes_text(card)
    if asked is None:
        return f"{place_of(card, words)}: {card_in(card, words).prompt}"
    return f"{sentence(asked, words)}: {text}" if text else sentence(asked, words)
