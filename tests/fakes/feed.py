"""A feed for tests: the same as the real one, with fewer events kept so that losing some is easily tried."""

from collections.abc import Callable

from hub.contract.events import AnyEvent
from hub.ports import Numbered

Listener = Callable[[Numbered], None]


class FakeFeed:
    """The `Feed` port; `tell` is the loop's side of it."""

    def __init__(self, kept_max: int = 1_000) -> None:
        self._events: list[AnyEvent] = []
        self._kept_max = kept_max
        self.listeners: list[Listener] = []

    @property
    def seq(self) -> int:
        return len(self._events)

    def tell(self, event: AnyEvent) -> None:
        self._events.append(event)
        numbered = Numbered(seq=self.seq, event=event)
        for listener in tuple(self.listeners):
            listener(numbered)

    def since(self, seq: int) -> tuple[Numbered, ...] | None:
        if not max(0, self.seq - self._kept_max) <= seq <= self.seq:
            return None
        return tuple(Numbered(seq=at + 1, event=self._events[at]) for at in range(seq, self.seq))

    def add(self, listener: Listener) -> None:
        self.listeners.append(listener)

    def remove(self, listener: Listener) -> None:
        self.listeners.remove(listener)
