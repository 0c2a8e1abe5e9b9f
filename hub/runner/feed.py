"""The live feed of events for WebSocket clients: numbered, with the last ones kept for clients that missed some."""

from collections import deque
from collections.abc import Callable

from hub.contract.events import AnyEvent
from hub.ports import Numbered

KEPT_EVENTS_MAX = 1_000


Listener = Callable[[Numbered], None]


class LiveFeed:
    """Hands each event to every listener at once; a listener must not block (it queues, bounded)."""

    def __init__(self) -> None:
        self._kept: deque[Numbered] = deque(maxlen=KEPT_EVENTS_MAX)
        self._listeners: list[Listener] = []
        self._seq = 0

    @property
    def seq(self) -> int:
        """The number of the latest event."""
        return self._seq

    def tell(self, event: AnyEvent) -> None:
        """Number an event, keep it, hand it on."""
        self._seq += 1
        numbered = Numbered(seq=self._seq, event=event)
        self._kept.append(numbered)
        for listener in tuple(self._listeners):
            listener(numbered)

    def since(self, seq: int) -> tuple[Numbered, ...] | None:
        """Return what came after `seq`; None when some of it is no longer stored, so the client must start over."""
        oldest = self._kept[0].seq if self._kept else self._seq + 1
        if seq > self._seq or seq + 1 < oldest:
            return None
        return tuple(numbered for numbered in self._kept if numbered.seq > seq)

    def add(self, listener: Listener) -> None:
        """Begin to listen."""
        self._listeners.append(listener)

    def remove(self, listener: Listener) -> None:
        """Stop listening."""
        self._listeners.remove(listener)
