"""What is said of an agent's question: its text, its choices by their places, and how it is answered here. Pure."""

from edge.speech.aloud import aloud, is_readable
from edge.speech.numbers import in_words
from edge.speech.phrasebook import CHOICES_MAX
from edge.speech.saying import DETAILS_CHARS_MAX, Said, cut
from edge.speech.turn import Manner, Turn
from hub.contract.events import PredictionNew, PredictionReturned
from hub.contract.permission import AgentQuestion
from hub.contract.surface import CardDelivery
from hub.contract.words import Verb
from hub.kit.naming import agent_title
from hub.kit.phrasebook import capital
from hub.kit.questions import Given, asked_now, questions_of
from hub.kit.wordings import question_said

TERMINAL_MARKS = (".", "?", "!", ":")


def questions_on(delivery: CardDelivery | None) -> tuple[AgentQuestion, ...]:
    """Return what a card asks; nothing where it asks for leave to do something."""
    event = None if delivery is None else delivery.event
    return questions_of(event.prediction.permission) if isinstance(event, PredictionNew | PredictionReturned) else ()


def given_so_far(turn: Turn) -> Given:
    """Return what the card in hand was answered so far."""
    event = None if turn.card is None else turn.card.event
    card_id = event.prediction.id if isinstance(event, PredictionNew | PredictionReturned) else ""
    return turn.given if turn.given_for == card_id else Given()


def question_now(turn: Turn) -> AgentQuestion | None:
    """Return the question that is asked now; None where the card asks none."""
    return asked_now(questions_on(turn.card), given_so_far(turn))


def listened_for(turn: Turn, manner: Manner) -> AgentQuestion | None:
    """Return the question whose answers count now: it is being read out, or its answer is waited for."""
    is_open = turn.phase == "listening" or (turn.phase == "speaking" and turn.then == "listening")
    return question_now(turn) if is_open and turn.pending is None and can_answer(turn, manner) else None


def can_answer(turn: Turn, manner: Manner) -> bool:
    """Say whether all that a card asks can be answered by this ear, and whether the hub lets it be answered here."""
    card = turn.card
    event = None if card is None else card.event
    if card is None or not isinstance(event, PredictionNew | PredictionReturned):
        return False
    is_offered = Verb.APPROVE in card.verbs and bool(card.token) and not event.prediction.in_person
    return is_offered and all(_is_heard(one, manner) for one in questions_on(card))


def reading(turn: Turn, manner: Manner, *, details: bool = False) -> Said:
    """Return the question that is asked now, as it is read out; with `details` also what its choices mean."""
    asked, sentences = question_now(turn), manner.sentences
    question = None if asked is None else question_said(asked, sentences.phrases)
    if question is None or not is_readable(question.text):
        return Said(text=sentences.say("unreadable"), whole=False)
    parts = [_beginning(turn, manner, question), *_choices(question, manner, details=details)]
    body = " ".join(parts)
    short = cut(body, DETAILS_CHARS_MAX)
    more = [] if short == body else [sentences.say("too_long")]
    return Said(text=" ".join([short, *more, hint(turn, manner)]), whole=short == body)


def hint(turn: Turn, manner: Manner) -> str:
    """Return the words that answer the question that is asked now, or where else it is answered."""
    question, say = question_now(turn), manner.sentences.say
    if question is None or not can_answer(turn, manner):
        return say("question_elsewhere")
    with_words = question.own_words and manner.answers == "words"
    if not question.choices:
        return say("say_words")
    if question.several:
        return say("say_several")
    return say("say_number_or_words" if with_words else "say_number")


def _is_heard(question: AgentQuestion, manner: Manner) -> bool:
    if not question.choices:
        return question.own_words and manner.answers == "words"
    return manner.answers != "none" and len(question.choices) <= CHOICES_MAX


def _beginning(turn: Turn, manner: Manner, question: AgentQuestion) -> str:
    sentences, text = manner.sentences, _ended(aloud(question.text, manner.sentences))
    if given_so_far(turn).asked:
        return sentences.say("next_question", text=text)
    event = None if turn.card is None else turn.card.event
    asking = event.prediction.target_agent if isinstance(event, PredictionNew | PredictionReturned) else ""
    return capital(sentences.say("asks", agent=agent_title(asking, sentences.phrases), text=text))


def _choices(question: AgentQuestion, manner: Manner, *, details: bool) -> list[str]:
    sentences = manner.sentences
    found = []
    for place, one in enumerate(question.choices[:CHOICES_MAX], start=1):
        about = f" {_ended(aloud(one.description, sentences))}" if details and is_readable(one.description) else ""
        label = _ended(aloud(one.label, sentences))
        found.append(capital(sentences.say("choice", place=_place_said(place, manner), label=label)) + about)
    return found


def _place_said(place: int, manner: Manner) -> str:
    """Return a choice's place as it is best said back: a poor sound leaves "second" understood where "two" is lost."""
    ordinals = manner.ordinals
    return ordinals[place - 1] if place <= len(ordinals) else in_words(place, manner.sentences.language)


def _ended(text: str) -> str:
    """Return a text that a voice ends."""
    return text if text.endswith(TERMINAL_MARKS) else f"{text}."
