"""Waiting for an answer to a card, through the live feed: one listener for however many wait."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator

from hub.contract.errors import BusyError
from hub.contract.events import PredictionExpired, PredictionSettled
from hub.io.http.errors import NotSignedInError
from hub.ports import Feed, Numbered

WAITING_MAX = 1_000
WAITING_MAX_PER_CLIENT = 32
"""A client has at most 20 questions open; whoever waits for more keeps others from waiting."""
WAITING_MAX_TOGETHER = 256
"""Several that are one client, each with a share of its own, wait for so many together."""


class Waiting:
    """Wakes whoever waits for a card when it is settled or expires."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._events: dict[str, list[asyncio.Event]] = {}
        self._closing = False
        self._count = 0
        self._by_client: Counter[str] = Counter()
        self._whose: dict[asyncio.Event, str] = {}
        feed.add(self._hear)

    def __len__(self) -> int:
        return self._count

    @property
    def is_closing(self) -> bool:
        """Whether everybody was woken because Pulse is being stopped, and not by an answer."""
        return self._closing

    def waits_for(self, card_id: str) -> bool:
        """Return True if anybody waits for this card."""
        return card_id in self._events

    @contextlib.contextmanager
    def for_card(self, card_id: str, client: str = "", one_of: str = "") -> Iterator[asyncio.Event]:
        """Yield an event that is set once the card is settled; enter before looking at the card.

        `client` is who waits; without it, for a look that does not wait, nothing is counted to anybody. With `one_of`
        they are one of several that have a bound together as well.

        Raises:
            BusyError: too many wait already, or this client waits too often.
            NotSignedInError: at the end, if the client was shut out while it waited: it is told nothing any more.
        """
        if self._count >= WAITING_MAX:
            raise BusyError(f"{WAITING_MAX} requests are already waiting for answers.", fix="Ask with a shorter wait.")
        if client and self._by_client[client] >= WAITING_MAX_PER_CLIENT:
            raise BusyError(
                f"You wait in {WAITING_MAX_PER_CLIENT} requests already.", fix="Wait for one of them to end."
            )
        if client and one_of and self._by_client[one_of] >= WAITING_MAX_TOGETHER:
            raise BusyError(
                f"{WAITING_MAX_TOGETHER} requests of agents are already waiting.", fix="Wait for one to end."
            )
        counted = (client, *((one_of,) if client and one_of else ()))
        event = asyncio.Event()
        if self._closing:
            event.set()
        self._count += 1
        self._by_client.update(one for one in counted if one)
        self._events.setdefault(card_id, []).append(event)
        self._whose[event] = client
        try:
            yield event
            if client and self._whose[event] != client:
                raise NotSignedInError(
                    "This token was revoked while you waited.", fix="Ask for a new one and send that."
                )
        finally:
            self._count -= 1
            del self._whose[event]
            self._by_client.subtract(one for one in counted if one)
            self._by_client += Counter()  # forgets who waits no more
            self._events[card_id].remove(event)
            if not self._events[card_id]:
                del self._events[card_id]

    def sign_out(self, client: str) -> None:
        """Wake a client whose token was revoked, wherever it waits."""
        for event, whose in self._whose.items():
            if whose == client:
                self._whose[event] = ""
                event.set()

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
            case PredictionExpired(card_id=card_id):
                pass
            case _:
                return
        for event in self._events.get(card_id, ()):
            event.set()
