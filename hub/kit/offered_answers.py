"""Answers that a notification carries as opaque names, each good for one answer to one card. Pure.

A name is a keyed hash of the card as it was shown and of what is said to it, so whoever sees one can make no other, and
it says nothing of the card. The same card shown again has the same names: a button that is pressed twice, or after a
restart, is one answer, for the name is also the decision's id. The hub's signed token never leaves this process.
"""

import base64
import hashlib
import hmac
from datetime import datetime

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.permission import Act, Permission, PermissionAnswer
from hub.contract.phrasing import Phrasing
from hub.contract.surface import CardDelivery, Decision
from hub.contract.words import HumanInput, Verb
from hub.kit.bounded import BoundedMap
from hub.kit.shown import shown_part
from hub.kit.text import cut

OFFERS_MAX = 2_000
NAME_BYTES = 20
NAME_CHARS = 32
OWN_WORDS = "own-words"
LABEL_CHARS_MAX = 200
"""No label is longer (`hub.contract.permission.Label`)."""


class OfferedAnswer(Value):
    """What one button says, and the leave to say it."""

    delivery_id: str
    card_id: str
    card_hash: str
    token: str
    verb: Verb
    expires_at: datetime
    permission: PermissionAnswer | None = None
    question: str = ""
    """The id of the question that the person's own words answer."""
    is_whole: bool = False

    def __repr__(self) -> str:
        return f"OfferedAnswer({self.verb.value} to {self.card_id})"


class OfferedChoice(Value):
    """One way to answer the one question of a card: a label of the agent's, or (`own_words`) what the person writes."""

    question: str
    label: str
    own_words: bool = False
    label_worded: Phrasing | None = None


class OfferedAnswers:
    """What was offered, by name; the oldest is forgotten first."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._offers: BoundedMap[str, OfferedAnswer] = BoundedMap(OFFERS_MAX)

    def offer(
        self,
        delivery: CardDelivery,
        card: Prediction,
        verb: Verb,
        choice: OfferedChoice | None = None,
        *,
        is_whole: bool = False,
    ) -> str:
        """Offer one answer, and note whether all of the text stands beside it; return the name by which it is given."""
        own_words = choice is not None and choice.own_words
        label = "" if choice is None else OWN_WORDS if own_words else f"={choice.label}"
        said = (card.id, card.card_hash, str(card.round), str(card.attempts), verb.value, label)
        digest = hmac.digest(self._key, "\0".join(said).encode(), hashlib.sha256)
        name = base64.b32encode(digest[:NAME_BYTES]).decode().lower()
        labelled = choice is not None and not own_words
        self._offers[name] = OfferedAnswer(
            delivery_id=delivery.delivery_id,
            card_id=card.id,
            card_hash=card.card_hash,
            token=delivery.token,
            verb=verb,
            expires_at=delivery.expires_at,
            permission=PermissionAnswer(answers={choice.question: (choice.label,)}) if choice and labelled else None,
            question=choice.question if choice and own_words else "",
            is_whole=is_whole,
        )
        return name

    def find(self, name: str) -> OfferedAnswer | None:
        """Return what a name says; None for a name that was never given out, or too long ago."""
        return self._offers.get(name) if len(name) == NAME_CHARS else None

    def decide(self, name: str, human_input: HumanInput, at: datetime, words: str = "") -> Decision | None:
        """Return the decision that a name stands for, with the person's own words where it asks for them.

        None where there is no such name, where its time is over, or where it asks for words and there are none.
        """
        found, words = self.find(name), words.strip()
        wants_words = found is not None and (found.question or found.verb is Verb.EDIT)
        if found is None or found.expires_at <= at or (wants_words and not words):
            return None
        said = PermissionAnswer(answers={found.question: (words,)}) if found.question else found.permission
        return Decision(
            decision_id=name,
            card_id=found.card_id,
            verb=found.verb,
            card_hash=found.card_hash,
            token=found.token,
            human_input=human_input,
            at=at,
            prompt=words if found.verb is Verb.EDIT else None,
            permission=said,
            shown=shown_part(is_whole=found.is_whole),
        )


def choices_of(permission: Permission | None, label_chars_max: int = LABEL_CHARS_MAX) -> tuple[OfferedChoice, ...]:
    """Return how a card with one question is answered, but for choices that look alike once cut; nothing for others."""
    if permission is None or permission.act is not Act.QUESTION or len(permission.questions) != 1:
        return ()
    asked = permission.questions[0]
    listed = tuple(
        OfferedChoice(question=asked.id, label=one.label, label_worded=one.label_worded) for one in asked.choices
    )
    if len({cut(one.label, label_chars_max) for one in listed}) < len(listed):
        listed = ()
    return (*listed, OfferedChoice(question=asked.id, label="", own_words=True)) if asked.own_words else listed
