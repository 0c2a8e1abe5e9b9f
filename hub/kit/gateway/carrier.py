"""Carries deliveries to their devices: many at once, each until it is taken, gone, overtaken or expired.

When nobody knows whether an attempt was taken, it is made again under the same key: the device shows one notification,
and a card that was lost is worse than one that comes twice into the same place.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime
from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace

from hub.contract.address import fingerprint
from hub.contract.base import Value
from hub.contract.surface import Receipt
from hub.contract.words import DeliveryState
from hub.kit.gateway.lanes import Lane, Lanes, next_try_s
from hub.kit.gateway.outcome import (
    Accepted,
    Doubtful,
    Gone,
    Misconfigured,
    Outcome,
    Quarantined,
    RetryLater,
    TooLarge,
    Undeliverable,
)
from hub.kit.gateway.parcel import Parcel, subject_of

AWAY_S = 15.0
"""A service that has not taken a message after this long is named; it is tried on all the same."""
SERVICES_MAX = 32
"""More push services than this share one set of slots."""
A = TypeVar("A", bound=msgspec.Struct)
P = TypeVar("P")


class PushSurface(ABC, Generic[A, P]):
    """What a surface with a push service brings: how a delivery looks there, and one request that hands it over."""

    sizes: tuple[int, ...]
    """The budgets in bytes: each time that the service finds a message too large, the next one is tried."""
    in_flight_max: int
    """For each push service, so that one that hangs does not hold up the others."""

    @abstractmethod
    def render(self, parcel: Parcel, address: A, bytes_max: int) -> P | None:
        """Make the message; None where there is nothing to show."""

    @abstractmethod
    async def send(self, address: A, push: P) -> Outcome:
        """Try once. Every try for one delivery carries the same key, by which the service knows a repeat."""

    def service_of(self, address: A) -> str:  # noqa: ARG002  where there is but one service, no address tells more
        """Return the name of the push service that an address belongs to."""
        return ""


class Outside(Value):
    """What a gateway needs of its surroundings. `fail` is told when the settings make all sending pointless."""

    tell: Callable[[str, Receipt], object]
    fail: Callable[[str], object]
    clock: Callable[[], datetime]
    draw: Callable[[], float]


def lasts(began_at: datetime, now: datetime, wait_s: float) -> bool:
    """Return True if the failure will have lasted `AWAY_S` by the next try, so that the person is told."""
    return (now - began_at).total_seconds() + wait_s >= AWAY_S


class Carrier(Generic[A, P]):
    """Close it when done; what is under way then, the hub sends again later."""

    def __init__(self, surface: PushSurface[A, P], address_of: Callable[[str], A | None], outside: Outside) -> None:
        self._surface = surface
        self._address_of = address_of
        self._outside = outside
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._lanes = Lanes()

    async def close(self) -> None:
        """End what is under way."""
        await self._lanes.close()

    def __len__(self) -> int:
        """How many deliveries are under way or waiting for another attempt."""
        return len(self._lanes)

    def __contains__(self, delivery_id: str) -> bool:
        """Whether a delivery is under way."""
        return delivery_id in self._lanes

    def take(self, parcel: Parcel) -> bool:
        """Begin to carry; False when there is no room, and then nothing was begun."""
        key = (parcel.device, subject_of(parcel.card.event))
        return self._lanes.enter(parcel.card.delivery_id, key, lambda lane: self._run(parcel, lane))

    def slots_of(self, address: A) -> asyncio.Semaphore:
        """Return the slots of an address's push service."""
        service = self._surface.service_of(address)
        if service not in self._slots and len(self._slots) >= SERVICES_MAX:
            service = ""
        return self._slots.setdefault(service, asyncio.Semaphore(self._surface.in_flight_max))

    async def _run(self, parcel: Parcel, lane: Lane) -> None:
        receipt = await self._carry(parcel, lane)
        if receipt is not None:
            self._outside.tell(parcel.device, receipt)
            for item in parcel.card.items:  # each card of a digest went where its message went
                self._outside.tell(parcel.device, replace(receipt, delivery_id=item.delivery_id, gone=""))

    async def _carry(self, parcel: Parcel, lane: Lane) -> Receipt | None:
        """Try until it is decided, and say what the ledger may believe."""
        tried = size = 0
        sizes, began_at, said = self._surface.sizes, self._outside.clock(), ""
        while not lane.overtaken.is_set():
            address = self._address_of(parcel.device)
            if address is None:
                return self._unknown(parcel, "no address")
            async with self.slots_of(address):
                push = self._surface.render(parcel, address, sizes[size])
                if push is None:
                    return self._unknown(parcel, "expired, or nothing to show")
                outcome = await self._surface.send(address, push)
            if isinstance(outcome, TooLarge) and size + 1 < len(sizes):
                size += 1
                continue
            if isinstance(outcome, Gone | Quarantined) and self._address_of(parcel.device) != address:
                continue  # the device was registered again meanwhile
            if not isinstance(outcome, RetryLater | Doubtful):
                return self._decided(parcel, address, outcome)
            wait_s = self.wait_s(outcome, tried, parcel.card.expires_at)
            if wait_s is None:
                detail = f"not reached before it expired: {outcome.why}"
                return self._unknown(parcel, detail, trouble=outcome.why, fix=outcome.fix)
            tried += 1
            if outcome.why != said and lasts(began_at, self._outside.clock(), wait_s):
                said = outcome.why
                trying = self._receipt(parcel, DeliveryState.QUEUED, "tried again", trouble=said, fix=outcome.fix)
                self._outside.tell(parcel.device, trying)
            await lane.pause(wait_s)
        return self._unknown(parcel, "overtaken by a later one")

    def wait_s(self, outcome: RetryLater | Doubtful, tried: int, expires_at: datetime) -> float | None:
        """Say how long to wait before the next try; None where none would come before it expires."""
        asked_s = outcome.after_s if isinstance(outcome, RetryLater) else 0.0
        left_s = (expires_at - self._outside.clock()).total_seconds()
        return next_try_s(tried, asked_s, left_s, self._outside.draw)

    def _decided(self, parcel: Parcel, address: A, outcome: Outcome) -> Receipt | None:
        match outcome:
            case Accepted(detail=detail):
                return self._receipt(parcel, DeliveryState.ACCEPTED, detail)
            case Gone():
                return self._receipt(parcel, DeliveryState.DEAD, "gone", gone=fingerprint(address))
            case Quarantined(why=why, fix=fix):
                detail = f"kept, and set aside until it is registered again: {why}"
                return self._unknown(parcel, detail, trouble=why, fix=fix)
            case Misconfigured(why=why, stops_all=True):
                self._outside.fail(why)  # without a receipt: it is sent when the settings are right
                return None
            case Undeliverable(why=why, only_this=True):
                return self._unknown(parcel, why)
            case Misconfigured(why=why, fix=fix) | Undeliverable(why=why, fix=fix):
                return self._unknown(parcel, why, trouble=why, fix=fix)
            case _:
                return self._unknown(parcel, "too large for its push service")

    def _unknown(self, parcel: Parcel, detail: str, *, trouble: str = "", fix: str = "") -> Receipt:
        return self._receipt(parcel, DeliveryState.UNKNOWN, detail, trouble=trouble, fix=fix)

    def _receipt(
        self, parcel: Parcel, state: DeliveryState, detail: str, *, gone: str = "", trouble: str = "", fix: str = ""
    ) -> Receipt:
        return Receipt(
            delivery_id=parcel.card.delivery_id,
            state=state,
            at=self._outside.clock(),
            detail=detail,
            gone=gone,
            trouble=trouble,
            fix=fix,
        )
