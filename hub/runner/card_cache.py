"""The cards written last, so that an answer soon after a card need not ask the store's other thread for it.

Safe because every write is a compare-and-set: a card that somebody else has moved meanwhile makes the transaction
lose, the card is forgotten, and the event is decided again from the store.
"""

from collections.abc import Iterable, Sequence

from hub.domain.storage import AddCard, AddExecution, CardsByIds, Change, MoveCard, MoveExecution
from hub.domain.suggestion import Card
from hub.kit.bounded import BoundedMap
from hub.ports import Store

CARDS_KEPT_MAX = 4_096
PROMPT_CHARS_KEPT_MAX = 4_096
"""A longer text is rare, and read anew each time, so that what is kept stays small: 8.5 MB where texts are short."""


def moves(changes: Sequence[Change]) -> list[Change]:
    """Return what these changes do to cards and executions."""
    return [one for one in changes if isinstance(one, AddCard | MoveCard | AddExecution | MoveExecution)]


class CardCache:
    """Reads cards, from memory if they were written lately, else from the store."""

    def __init__(self, store: Store, user: str) -> None:
        self._store = store
        self._user = user
        self._cards: BoundedMap[str, Card] = BoundedMap(CARDS_KEPT_MAX)

    async def cards(self, ids: Iterable[str]) -> dict[str, Card]:
        """Return the cards with these ids; unknown ids are missing."""
        wanted = set(ids)
        found = {card_id: self._cards[card_id] for card_id in wanted if card_id in self._cards}
        missing = tuple(wanted - found.keys())
        if missing:
            stored = await self._store.read(CardsByIds(user=self._user, ids=missing))
            found.update(stored)
        return found

    def keep(self, changes: Sequence[Change]) -> None:
        """Keep the cards of a transaction that was committed."""
        for change in changes:
            if isinstance(change, AddCard | MoveCard):
                self._keep(change.card)

    def _keep(self, card: Card) -> None:
        if len(card.prompt) > PROMPT_CHARS_KEPT_MAX:
            self.forget(card.id)
            return
        self._cards[card.id] = card

    def forget(self, card_id: str | None) -> None:
        """Forget a card, because the store has another version of it."""
        if card_id is not None:
            self._cards.pop(card_id, None)
