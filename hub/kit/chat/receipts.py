"""What became of each delivery: shown when it really is in the chat, cleared when it never will be. Pure."""

from typing import Protocol

from hub.contract.words import DeliveryState
from hub.kit.bounded import BoundedMap, BoundedSet

KEPT_MAX = 10_000
ANSWERED_MAX = 1_000


class SendReceipt(Protocol):
    """Tells the hub what became of a delivery; `trouble` is why it does not reach the person, `fix` what helps."""

    def __call__(self, delivery_id: str, state: DeliveryState, *, trouble: str = "", fix: str = "") -> None:
        """Tell it."""


class ChatReceipts:
    """The last word on each delivery; a repeat of a delivery gets the same word again."""

    def __init__(self, send: SendReceipt) -> None:
        self._send = send
        self._said: BoundedMap[str, DeliveryState] = BoundedMap(KEPT_MAX)
        self._waiting: dict[str, str] = {}
        self._answered: BoundedSet[str] = BoundedSet(ANSWERED_MAX)

    def expect(self, key: str, delivery_id: str) -> None:
        """A delivery will be shown by this message; one that it takes the place of never will be."""
        before = self._waiting.get(key)
        if before is not None and before != delivery_id and before not in self._answered:
            self.say(before, DeliveryState.CLEARED)
        self._waiting[key] = delivery_id

    def answered(self, delivery_id: str) -> None:
        """Somebody answered what it showed, and the hub has the last word on that."""
        self._answered.add(delivery_id)

    def shown(self, key: str, delivery_id: str) -> None:
        """The message shows it."""
        if self._waiting.get(key) == delivery_id:
            del self._waiting[key]
        if delivery_id:
            self.say(delivery_id, DeliveryState.SHOWN)

    def gone(self, key: str) -> None:
        """The message will not be shown."""
        delivery_id = self._waiting.pop(key, "")
        if delivery_id:
            self.say(delivery_id, DeliveryState.CLEARED)

    def refused(self, key: str, why: str, fix: str) -> None:
        """The chat refused the message for good."""
        delivery_id = self._waiting.pop(key, "")
        if delivery_id:
            self._said[delivery_id] = DeliveryState.UNKNOWN
            self._send(delivery_id, DeliveryState.UNKNOWN, trouble=why, fix=fix)

    def still_trying(self, key: str, why: str, fix: str) -> None:
        """The chat has not taken the message for a while; it is still tried, and the person is told."""
        delivery_id = self._waiting.get(key, "")
        if delivery_id:
            self._send(delivery_id, DeliveryState.QUEUED, trouble=why, fix=fix)

    def say(self, delivery_id: str, state: DeliveryState) -> None:
        """Say it, unless it was the last word already."""
        if self._said.get(delivery_id) == state or self._said.get(delivery_id) is DeliveryState.ACTED:
            return
        self._said[delivery_id] = state
        self._send(delivery_id, state)

    def repeat(self, delivery_id: str) -> None:
        """The hub did not get our receipt: say again what was said last."""
        state = self._said.get(delivery_id)
        if state is not None:
            self._send(delivery_id, state)
