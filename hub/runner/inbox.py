"""The bounded inbox. What arrives is queued and taken in batches, so that one disk synchronisation serves many."""

import asyncio
from collections import deque

from hub.contract.errors import BusyError
from hub.contract.surface import Decision
from hub.contract.words import DISMISSING, Verb
from hub.domain.requests import (
    AddMute,
    Ask,
    Configure,
    DeviceDecision,
    Pause,
    Reply,
    ReportDone,
    ReportReceipt,
    RevokeDevice,
    Withdraw,
)
from hub.domain.suggestion import Answer
from hub.loop.asks import ask_id
from hub.loop.commits import taken_back_by
from hub.loop.events import Event, ModelTrained, Progressed, RequestArrived, Resolved, RunEnded, StartDue

INBOX_EVENTS_MAX = 10_000
STOPS_RESERVED = 1_000
"""Places beyond those that only what stops something may take."""
BATCH_EVENTS_MAX = 64

TAKING_ALONG = frozenset({Verb.LESS, Verb.NEVER, Verb.UNDO})
"""Answers that may withdraw other cards, or bring them back."""


class Item:
    """An event on its way in, and whoever waits for its reply."""

    __slots__ = ("event", "tries", "waiter")

    def __init__(self, event: Event, waiter: asyncio.Future[Reply] | None = None) -> None:
        self.event = event
        self.waiter = waiter
        self.tries = 0


class Inbox:
    """First in, first out; at most `INBOX_EVENTS_MAX` requests wait, and beside them only what stops something."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Item, *, own: bool = False) -> None:
        """Queue an item; the loop's `own` events follow from work it took on, which bounds them, and are never lost.

        Raises:
            BusyError: the inbox is full; the item was not taken.
        """
        most = INBOX_EVENTS_MAX + (STOPS_RESERVED if _stops(item.event) else 0)
        if not own and len(self._items) >= most:
            raise BusyError
        self._items.append(item)
        self._arrived.set()

    async def take(self) -> list[Item]:
        """Wait for work; return items that may be decided together: no two of them about the same thing."""
        while not self._items:
            self._arrived.clear()
            await self._arrived.wait()
        batch: list[Item] = []
        seen: set[str] = set()
        while self._items and len(batch) < BATCH_EVENTS_MAX:
            subject = _subject(self._items[0].event)
            if batch and (subject is None or subject in seen):
                break
            batch.append(self._items.popleft())
            if subject is None:
                break
            seen.add(subject)
        return batch


def _stops(event: Event) -> bool:
    """Say whether a person stops, refuses or configures something: that is never crowded out by other work."""
    match event:
        case RequestArrived(request=Configure() | Pause() | RevokeDevice()):
            return True
        case RequestArrived(request=Answer(verb=verb) | DeviceDecision(decision=Decision(verb=verb))):
            return verb in DISMISSING or verb is Verb.STOP
        case _:
            return False


def _subject(event: Event) -> str | None:
    """Name what an event is about; None when it may touch anything and so must be decided alone."""
    match event:
        case RequestArrived(request=Answer(verb=verb) | DeviceDecision(decision=Decision(verb=verb))) if (
            verb in TAKING_ALONG
        ):
            return None
        case RequestArrived(request=ReportReceipt(receipt=receipt)):
            return receipt.delivery_id
        case Progressed(card_id=card_id):
            return f"{card_id}/progress"
        case _:
            return card_id_of(event)


def card_id_of(event: Event) -> str | None:
    """Return the id of the card that an event needs, if it needs one."""
    match event:
        case RequestArrived(request=Answer() as answer):
            return answer.card_id
        case RequestArrived(request=DeviceDecision(decision=decision)):
            return decision.card_id
        case RequestArrived(request=Ask(client=client, key=key)):
            return ask_id(client, key)
        case RequestArrived(request=Withdraw(card_id=card_id) | ReportDone(card_id=card_id) | AddMute(card_id=card_id)):
            return card_id
        case ModelTrained(card_id=card_id):
            return card_id
        case Resolved(cycle_id=cycle_id):
            return taken_back_by(cycle_id)
        case StartDue(execution_id=execution_id) | RunEnded(execution_id=execution_id):
            return card_of(execution_id)
        case _:
            return None


def card_of(execution_id: str) -> str:
    """Return the card that an execution belongs to; its id says so (`exec_X_2` belongs to `pred_X`)."""
    return execution_id.replace("exec_", "pred_", 1).rpartition("_")[0]
