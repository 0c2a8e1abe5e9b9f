"""The keys of the answers that a card was given, kept as long as the card: an answer brings about one thing, once.

Theory: whoever hands in an answer cannot know whether it arrived (a broker, a proxy or a client hands it in again), and
by then the card may have come back: a run was interrupted, a dismissal undone, a snooze over. So every answer that was
taken stays with its card, whatever becomes of it: the same key says again what it said, and moves nothing. A key
belongs to the surface and device that used it, so that two of them never meet. Answers that were refused moved
nothing, and are not kept.

A key alone does not help against an answer of before under a new key. So a card counts its rounds: it begins a new one
whenever it comes back to the person, and an answer that names an earlier round is not taken.
"""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.words import AFTER_FAILURE, DISMISSING, Verb
from hub.domain.canonical import digest
from hub.domain.suggestion import Answer, AnsweredKey, Card
from hub.loop.permissions import settled_with

KEYS_PER_CARD_MAX = 64
"""Answers that a card takes; after them it can only be dismissed, stopped or ignored."""
ALWAYS = DISMISSING | {Verb.STOP, Verb.IGNORE}


def earlier(card: Card, answer: Answer) -> AnsweredKey | None:
    """Return what the card knows of this key, if it was used for it before."""
    return _earlier(card, answer, _name(answer))


def _earlier(card: Card, answer: Answer, name: str) -> AnsweredKey | None:
    found = next((one for one in card.answered if one.name == name), None)
    if found is None and card.settled_key == f"{answer.verb}:{answer.key}":  # stored before keys were kept for good
        return AnsweredKey(name=name, content=content_of(answer))
    return found


def content_of(answer: Answer) -> str:
    """Return a digest of what an answer says, as it was sent."""
    said = (answer.verb, answer.prompt, answer.reason)
    return answer.content or (digest(*said) if answer.permission is None else digest(*said, answer.permission))


def keep(card: Card, answer: Answer) -> Card:
    """Return the card with this answer's key; one that it has already is not kept twice."""
    name = _name(answer)
    if _earlier(card, answer, name) is not None:
        return card
    return replace(card, answered=(*card.answered, AnsweredKey(name=name, content=content_of(answer))))


def settled_by(card: Card, answer: Answer, now: datetime) -> Card:
    """Return the card as settled by this answer, which is kept with it."""
    settlement = Settlement(
        verb=answer.verb,
        by=answer.by,
        surface=answer.surface,
        device=answer.device,
        human_input=answer.human_input,
        at=now,
        reason=answer.reason,
        permission=None if card.permission is None else settled_with(answer),
    )
    return replace(keep(card, answer), settled=settlement, settled_at=now, snoozed_until=None)


def is_full(card: Card, verb: Verb) -> bool:
    """Say whether the card takes no more answers of this kind."""
    return len(card.answered) >= KEYS_PER_CARD_MAX and verb not in ALWAYS


def is_of_another_round(card: Card, answer: Answer) -> bool:
    """Say whether an answer was given before the card came back; one to a failure names its attempt instead."""
    return answer.round is not None and answer.round != card.round and answer.verb not in AFTER_FAILURE


def _name(answer: Answer) -> str:
    return digest(answer.surface, answer.device, answer.key)
