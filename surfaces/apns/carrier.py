"""Carries deliveries to their devices: many at once, each until it is taken, dead, overtaken or expired.

When nobody knows whether an attempt was taken, it is made again under the same apns-id and collapse id: the device
shows one notification, and a card that was lost is worse than one that comes twice into the same place.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Self

from hub.contract.address import ApnsAddress, fingerprint
from hub.contract.base import Value
from hub.contract.surface import CardDelivery, Receipt
from hub.contract.words import DeliveryState
from hub.kit.gateway.lanes import Lane, Lanes, next_try_s
from surfaces.apns.alert import To
from surfaces.apns.client import Client
from surfaces.apns.outcome import (
    Accepted,
    Dead,
    Doubtful,
    GivenUp,
    Later,
    Misconfigured,
    Outcome,
    Quarantined,
    TooLarge,
)
from surfaces.apns.push import Push
from surfaces.apns.says import tag_of

IN_FLIGHT_MAX = 500
BESIDE_MAX = 1_000
BESIDE_TRIES_MAX = 5
SIZES = (4_096, 3_000, 2_000, 1_200)
"""Each time that APNs finds a message too large, the next of these is the budget."""


class Parcel(Value):
    """One delivery to one device; `at` is when the hub said it."""

    device: str
    card: CardDelivery
    at: datetime


class World(Value):
    """What a carrier needs of its surroundings. `fail` is told when the settings make all sending pointless."""

    to: Callable[[str], To | None]
    render: Callable[[Parcel, To, int], Push | None]
    tell: Callable[[str, Receipt], object]
    fail: Callable[[str], object]
    clock: Callable[[], datetime]
    draw: Callable[[], float]


class Carrier:
    """Use it as `async with Carrier(…)`; leaving ends what is under way, and the hub sends it again later."""

    def __init__(self, client: Client, world: World) -> None:
        self._client = client
        self._world = world
        self._slots = asyncio.Semaphore(IN_FLIGHT_MAX)
        self._lanes = Lanes()
        self._beside: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Nothing to prepare."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """End what is under way."""
        await self._lanes.close()
        for task in self._beside:
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)

    @property
    def waiting(self) -> int:
        """How many deliveries are under way or waiting for another attempt."""
        return len(self._lanes)

    def has(self, delivery_id: str) -> bool:
        """Whether a delivery is under way."""
        return delivery_id in self._lanes

    def take(self, parcel: Parcel) -> bool:
        """Begin to carry; False when there is no room, and then nothing was begun."""
        key = (parcel.device, tag_of(parcel.card.event))
        return self._lanes.enter(parcel.card.delivery_id, key, lambda lane: self._run(parcel, lane))

    def take_beside(self, push: Push, device: str) -> bool:
        """Send what goes beside a delivery and needs no receipt; False when there is no room."""
        if len(self._beside) >= BESIDE_MAX:
            return False
        task = asyncio.create_task(self._run_beside(push, device))
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return True

    async def _run_beside(self, push: Push, device: str) -> None:
        for tried in range(BESIDE_TRIES_MAX):
            to = self._world.to(device)
            if to is None:
                return
            async with self._slots:
                outcome = await self._client.send(push, to.address.environment, to.address.registered_at)
            if not isinstance(outcome, Later | Doubtful) or (isinstance(outcome, Doubtful) and not push.is_repeatable):
                return
            left_s = push.expiration - self._world.clock().timestamp()
            wait_s = next_try_s(tried, _asked_s(outcome), left_s, self._world.draw)
            if wait_s is None:
                return
            await asyncio.sleep(wait_s)

    async def _run(self, parcel: Parcel, lane: Lane) -> None:
        receipt = await self._carry(parcel, lane)
        if receipt is not None:
            self._world.tell(parcel.device, receipt)

    async def _carry(self, parcel: Parcel, lane: Lane) -> Receipt | None:
        """Try until it is decided, and say what the ledger may believe."""
        tried = size = 0
        while not lane.overtaken.is_set():
            to = self._world.to(parcel.device)
            if to is None:
                return self._unknown(parcel, "no address")
            push = self._world.render(parcel, to, SIZES[size])
            if push is None:
                return self._unknown(parcel, "expired, or nothing to show")
            async with self._slots:
                outcome = await self._client.send(push, to.address.environment, to.address.registered_at)
            if isinstance(outcome, TooLarge) and size + 1 < len(SIZES):
                size += 1
                continue
            if isinstance(outcome, Dead | Quarantined) and self._is_new(parcel.device, to.address):
                continue
            if not isinstance(outcome, Later | Doubtful):
                return self._decided(parcel, to.address, outcome)
            left_s = (parcel.card.expires_at - self._world.clock()).total_seconds()
            wait_s = next_try_s(tried, _asked_s(outcome), left_s, self._world.draw)
            if wait_s is None:
                return self._unknown(parcel, f"not reached before it expired: {outcome.why}")
            tried += 1
            await lane.pause(wait_s)
        return self._unknown(parcel, "overtaken by a later one")

    def _is_new(self, device: str, tried: ApnsAddress) -> bool:
        """Whether the app has registered anew meanwhile."""
        to = self._world.to(device)
        return to is not None and to.address.token != tried.token

    def _decided(self, parcel: Parcel, address: ApnsAddress, outcome: Outcome) -> Receipt | None:
        match outcome:
            case Accepted(environment=environment):
                return self._receipt(parcel, DeliveryState.ACCEPTED, environment)
            case Dead():
                return self._receipt(parcel, DeliveryState.DEAD, "gone", gone=fingerprint(address))
            case Quarantined(why=why):
                return self._unknown(parcel, f"kept, and set aside until the app registers again: {why}")
            case Misconfigured(why=why, is_key=True):
                self._world.fail(why)  # without a receipt: it is sent when the settings are right
                return None
            case Misconfigured(why=why) | GivenUp(why=why):
                return self._unknown(parcel, why)
            case _:
                return self._unknown(parcel, "too large for APNs")

    def _unknown(self, parcel: Parcel, detail: str) -> Receipt:
        return self._receipt(parcel, DeliveryState.UNKNOWN, detail)

    def _receipt(self, parcel: Parcel, state: DeliveryState, detail: str, *, gone: str = "") -> Receipt:
        return Receipt(
            delivery_id=parcel.card.delivery_id, state=state, at=self._world.clock(), detail=detail, gone=gone
        )


def _asked_s(outcome: Later | Doubtful) -> float:
    return outcome.after_s if isinstance(outcome, Later) else 0.0
