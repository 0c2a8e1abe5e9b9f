"""Which of our messages in a chat is what, also after a restart: a name, its message's id, and what it shows. Pure.

It holds no text and no leave to answer, only ids.
"""

import msgspec

from hub.contract.base import Value
from hub.kit.bounded import BoundedMap

SHOWN_MAX = 400


class ShownPost(Value):
    """A message of ours: its id in the chat, what it shows, and whether something can still become of it."""

    message_id: str
    face: str
    is_settled: bool = False


class ShownPosts:
    """All of them by name, the latest last."""

    def __init__(self, known: dict[str, ShownPost] | None = None) -> None:
        self._by_key: BoundedMap[str, ShownPost] = BoundedMap(SHOWN_MAX, (known or {}).items())

    def get(self, key: str) -> ShownPost | None:
        """Return a message by its name."""
        return self._by_key.get(key)

    def key_of(self, message_id: str) -> str:
        """Return the name of a message; empty where it is none of ours."""
        return next((key for key, one in reversed(self._by_key.items()) if one.message_id == message_id), "")

    def keep(self, key: str, post: ShownPost) -> None:
        """Remember what a message shows."""
        self._by_key[key] = post

    def forget(self, key: str) -> None:
        """It no longer exists."""
        self._by_key.pop(key, None)

    def unsettled_cards(self) -> tuple[str, ...]:
        """Return the ids of the cards whose messages look as if something could still become of them."""
        parts = (key.split(":") for key, one in self._by_key.items() if not one.is_settled)
        return tuple(dict.fromkeys(part[1] for part in parts if part[0] == "card"))

    def rounds_of(self, card_id: str) -> tuple[str, ...]:
        """Return the names of all messages of a card."""
        return tuple(key for key in self._by_key if key.startswith(f"card:{card_id}:"))

    def messages_of(self, card_id: str) -> tuple[str, ...]:
        """Return the names of all messages of a card, those about its runs too."""
        return tuple(key for key in self._by_key if key.startswith((f"card:{card_id}:", f"end:{card_id}:")))

    def written(self) -> bytes:
        """Return them as they are kept in a file."""
        return msgspec.json.encode(dict(self._by_key))


def read_shown(content: bytes) -> ShownPosts:
    """Read them back; of a damaged file nothing."""
    try:
        return ShownPosts(msgspec.json.decode(content, type=dict[str, ShownPost]))
    except msgspec.DecodeError:
        return ShownPosts()
