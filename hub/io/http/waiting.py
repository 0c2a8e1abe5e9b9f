"""Waiting for an answer to a card, through the live feed: one listener for however many wait."""

import asyncio
import contextlib
from collections.abc import Iterator

from hub.contract.events import PredictionExpired, PredictionSettled
from hub.errors import BusyError
from hub.ports import Feed, Numbered

WAITING_MAX = 1_000


class Waiting:
    """Wakes whoever waits for a card when it is settled or expires."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._events: dict[str, list[asyncio.Event]] = {}
        self._closing = False
        self._count = 0
        feed.add(self._hear)

    def __len__(self) -> int:
        return self._count

    @contextlib.contextmanager
    def for_card(self, card_id: str) -> Iterator[asyncio.Event]:
        """Yield an event that is set once the card is settled; enter before looking at the card.

        Raises:
            BusyError: too many wait already.
        """
        if self._count >= WAITING_MAX:
            raise BusyError(f"{WAITING_MAX} requests wait for answers already.", fix="Ask with a shorter wait.")
        event = asyncio.Event()
        if self._closing:
            event.set()
        self._count += 1
        self._events.setdefault(card_id, []).append(event)
        try:
            yield event
        finally:
            self._count -= 1
            self._events[card_id].remove(event)
            if not self._events[card_id]:
                del self._events[card_id]

    def close(self) -> None:
        """Wake everybody and listen no more."""
        self._closing = True
        self._feed.remove(self._hear)
        for events in self._events.values():
            for event in events:
                event.set()

    def _hear(self, numbered: Numbered) -> None:
        if not self._events:
            return
        match numbered.event:
            case PredictionSettled(prediction=prediction):
                card_id = prediction.id
            case PredictionExpired(prediction_id=card_id):
                pass
            case _:
                return
        for event in self._events.get(card_id, ()):
            event.set()
