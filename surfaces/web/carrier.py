"""Carries deliveries to their browsers: many at once, each until it is taken, gone, overtaken or expired."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Self

from hub.contract.address import WebPushAddress, fingerprint
from hub.contract.base import Value
from hub.contract.surface import CardDelivery, Receipt
from hub.contract.words import DeliveryState
from hub.kit.gateway.lanes import Lane, Lanes, next_try_s
from surfaces.web.outcome import Accepted, Gone, Misconfigured, Outcome, TooLarge, Unreachable
from surfaces.web.render import PLAIN_BYTES_MAX, Push, tag_of
from surfaces.web.send import Sender

IN_FLIGHT_MAX = 20
"""For each push service, so that one that hangs does not hold up the others."""
SERVICES_MAX = 32
"""More services than this share one set of slots."""
SIZES = (PLAIN_BYTES_MAX, 2_800, 2_000, 1_200)
"""Each time that a push service finds a message too large, the next of these is the budget."""


class Parcel(Value):
    """One delivery to one device; `at` is when the hub said it."""

    device: str
    card: CardDelivery
    at: datetime


class World(Value):
    """What a carrier needs of its surroundings."""

    address_of: Callable[[str], WebPushAddress | None]
    render: Callable[[Parcel, WebPushAddress, int], Push | None]
    tell: Callable[[str, Receipt], object]
    clock: Callable[[], datetime]
    draw: Callable[[], float]


class Carrier:
    """Use it as `async with Carrier(…)`; leaving ends what is under way, and the hub sends it again later."""

    def __init__(self, sender: Sender, world: World, *, in_flight_max: int = IN_FLIGHT_MAX) -> None:
        self._sender = sender
        self._world = world
        self._in_flight_max = in_flight_max
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._lanes = Lanes()

    async def __aenter__(self) -> Self:
        """Nothing to prepare."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """End what is under way."""
        await self._lanes.close()

    @property
    def waiting(self) -> int:
        """How many deliveries are under way or waiting for another attempt."""
        return len(self._lanes)

    def take(self, parcel: Parcel) -> bool:
        """Begin to carry; False when there is no room, and then nothing was begun."""
        key = (parcel.device, tag_of(parcel.card))
        return self._lanes.enter(parcel.card.delivery_id, key, lambda lane: self._run(parcel, lane))

    async def _run(self, parcel: Parcel, lane: Lane) -> None:
        self._world.tell(parcel.device, await self._carry(parcel, lane))

    async def _carry(self, parcel: Parcel, lane: Lane) -> Receipt:
        """Try until it is decided, and say what the ledger may believe."""
        tried = size = 0
        while not lane.overtaken.is_set():
            address = self._world.address_of(parcel.device)
            if address is None:
                return self._unknown(parcel, "no address")
            async with self._slots_of(address):
                push = self._world.render(parcel, address, SIZES[size])
                if push is None:
                    return self._unknown(parcel, "expired, or nothing to show")
                outcome = await self._sender.send(address, push)
            if isinstance(outcome, TooLarge) and size + 1 < len(SIZES):
                size += 1
                continue
            if isinstance(outcome, Gone) and self._world.address_of(parcel.device) != address:
                continue  # the browser has subscribed anew meanwhile
            if not isinstance(outcome, Unreachable):
                return self._decided(parcel, address, outcome)
            left_s = (parcel.card.expires_at - self._world.clock()).total_seconds()
            wait_s = next_try_s(tried, outcome.retry_after_s, left_s, self._world.draw)
            if wait_s is None:
                return self._unknown(parcel, f"not reached before it expired: {outcome.why}")
            tried += 1
            await lane.pause(wait_s)
        return self._unknown(parcel, "overtaken by a later one")

    def _slots_of(self, address: WebPushAddress) -> asyncio.Semaphore:
        """Return the slots of a push service; a name is enough, whether it is allowed is not judged here."""
        service = address.endpoint.partition("://")[2].partition("/")[0].lower()
        if service not in self._slots and len(self._slots) >= SERVICES_MAX:
            service = ""
        return self._slots.setdefault(service, asyncio.Semaphore(self._in_flight_max))

    def _decided(self, parcel: Parcel, address: WebPushAddress, outcome: Outcome) -> Receipt:
        match outcome:
            case Accepted(detail=detail):
                return self._receipt(parcel, DeliveryState.ACCEPTED, detail)
            case Gone():
                return self._receipt(parcel, DeliveryState.DEAD, "gone", gone=fingerprint(address))
            case TooLarge():
                return self._unknown(parcel, "too large for its push service")
            case Misconfigured(status=status):
                return self._unknown(parcel, f"its push service does not accept our key (status {status})")
            case _:
                return self._unknown(parcel, outcome.why)

    def _unknown(self, parcel: Parcel, detail: str) -> Receipt:
        return self._receipt(parcel, DeliveryState.UNKNOWN, detail)

    def _receipt(self, parcel: Parcel, state: DeliveryState, detail: str, *, gone: str = "") -> Receipt:
        return Receipt(
            delivery_id=parcel.card.delivery_id, state=state, at=self._world.clock(), detail=detail, gone=gone
        )
