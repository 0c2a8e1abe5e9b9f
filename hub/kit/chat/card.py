"""One card as a chat knows it. Pure."""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.surface import CardDelivery
from hub.kit import cards
from hub.kit.cards import CardProjection
from hub.kit.chat.post import binding_of
from hub.kit.questions import Given


class ChatCard(CardProjection):
    """A card, what was answered so far to its questions, and whether all of its text was asked for and shown.

    A `folded` one is a line among several until somebody brings it up. `refused` is why the hub took no answer.
    """

    given: Given = Given()
    is_unfolded_text: bool = False
    unfolding: frozenset[str] = frozenset()
    """The names of the messages that are still to be in the chat before all of its text was shown."""
    is_unshowable: bool = False
    """One of them was refused, so part of its text was not shown."""
    folded: bool = False
    refused: str = ""
    pending: str = ""
    """A yes that was pressed once, and takes a second press."""

    @property
    def key(self) -> str:
        """The name of its message: another one each time it is opened."""
        return f"card:{self.id}:{self.round}"

    @property
    def end_key(self) -> str:
        """The name of the message that tells how its run ended."""
        return f"end:{self.id}:{self.run_id or self.round}"

    @property
    def binding(self) -> str:
        """What the choices of its message are bound to."""
        return binding_of(self.prediction.card_hash, self.round)

    @property
    def is_hidden(self) -> bool:
        """Whether the chat is not to show what this is about, before somebody asks for it."""
        return self.privacy != "full" and not self.is_unfolded_text

    @property
    def is_nameless(self) -> bool:
        """Whether the chat is not even to name who asks and where it belongs."""
        return self.privacy == "nothing" and not self.is_unfolded_text


def take(card: ChatCard | None, delivery: CardDelivery, at: datetime) -> ChatCard | None:
    """Take what the hub hands over; one opened again, or with another text, is answered from the beginning."""
    known = cards.take(card, delivery, at, ChatCard)
    return known if known is None or card is None else _fresh(card, known)


def correct(card: ChatCard, told: ChatCard) -> ChatCard:
    """Take a card as the hub has it now."""
    return _fresh(card, told)


def _fresh(before: ChatCard, now: ChatCard) -> ChatCard:
    if before.binding == now.binding:
        return replace(now, refused="", pending="") if now.phase != before.phase else now
    return replace(
        now,
        given=Given(),
        is_unfolded_text=False,
        unfolding=frozenset(),
        is_unshowable=False,
        folded=False,
        refused="",
        pending="",
    )
