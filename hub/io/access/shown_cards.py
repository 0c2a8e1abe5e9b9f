"""Which cards this hub showed at which shell, so that what is typed there answers what was seen there.

Kept in memory alone: what stood in a file could be written there. A look is a token that goes out with a card which
is to be looked at first; it is good once, for that card as it is, at that shell.
"""

import secrets
from collections.abc import Iterable
from typing import Final

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.domain.canonical import digest
from hub.domain.suggestion import Card
from hub.kit.bounded import BoundedMap
from hub.kit.shown import is_told_by_prompt

SHELLS_MAX: Final = 64
CARDS_MAX: Final = 200
LOOKS_MAX: Final = 64
LOOK_BYTES: Final = 16


class LookToken(Value):
    """What was handed out with a token: the card as it was, with other words in place of its own or not, and where."""

    place: str
    card_id: str
    mark: str
    words: str


class ShownAt(Value):
    """What one shell was shown: the mark of each card, the one shown last first; `alone` was shown by itself.

    `whole` are those of which all was shown that a yes is about: in a list, only what its prompt says.
    """

    marks: dict[str, str]
    alone: str = ""
    whole: frozenset[str] = frozenset()


NOTHING: Final = ShownAt(marks={})


class ShownCards:
    """What was shown at each shell since this hub was started; a shell is named by its process and when that began."""

    def __init__(self) -> None:
        self._at: BoundedMap[str, ShownAt] = BoundedMap(SHELLS_MAX)
        self._looks: BoundedMap[str, LookToken] = BoundedMap(LOOKS_MAX)

    def at(self, shell: str) -> ShownAt:
        """Return what a shell was shown."""
        return self._at.get(shell, NOTHING)

    def note_list(self, shell: str, cards: Iterable[Prediction]) -> None:
        """Take note of a list that is being shown; what was shown before counts no more."""
        newest_first = sorted(cards, key=lambda card: (card.created_at, card.id), reverse=True)
        listed = newest_first[:CARDS_MAX]
        whole = frozenset(card.id for card in listed if is_told_by_prompt(card))
        self._at[shell] = ShownAt(marks={card.id: mark_of(card) for card in listed}, whole=whole)

    def note_alone(self, shell: str, card: Prediction, *, is_row: bool = False) -> None:
        """Take note of a card that is shown by itself, whole or as a row of a list, beside what was shown before."""
        before, marks = self.at(shell), {card.id: mark_of(card)}
        earlier = [(name, mark) for name, mark in before.marks.items() if name not in marks]
        marks |= dict(earlier[: CARDS_MAX - 1])
        whole = before.whole - {card.id} if is_row and not is_told_by_prompt(card) else before.whole | {card.id}
        self._at[shell] = ShownAt(marks=marks, alone=card.id, whole=whole & marks.keys())

    def hand_out(self, place: str, card: Card) -> str:
        """Return a token that goes out with a card, to a shell or another client."""
        token = secrets.token_urlsafe(LOOK_BYTES)
        self._looks[token] = _look_at(place, card)
        return token

    def takes(self, token: str, place: str, card: Card) -> bool:
        """Return True if this token went out with this card, word for word, to this place; it is used up by that."""
        return self._looks.pop(token, None) == _look_at(place, card)


def _look_at(place: str, card: Card) -> LookToken:
    return LookToken(place=place, card_id=card.id, mark=mark_of(card), words=digest(card.edit_text))


def mark_of(card: Card | Prediction) -> str:
    """Return what tells a card from what it was, or was shown as, before."""
    return f"{card.card_hash}/{card.round}"
