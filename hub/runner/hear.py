"""What arrives over MQTT: decode, hand to the loop, and only then let the broker forget it."""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeVar

from hub.contract import topics
from hub.contract.envelope import BadMessageError, decode
from hub.contract.surface import Decision, Presence, Receipt
from hub.contract.topics import Address
from hub.domain.requests import HandIn, ReportPresence, ReportReceipt, Request
from hub.domain.situation import Reading
from hub.ports import Bus, Delivery
from hub.runner.hub import Hub
from hub.runner.look import Lookout

SEEN_IDS_MAX = 10_000
T = TypeVar("T")
log = logging.getLogger(__name__)


class Ear:
    """Listens for devices and outside sensors. Garbage is counted and dropped; it never stops the hub."""

    def __init__(self, hub: Hub, lookout: Lookout, user: str) -> None:
        self._hub = hub
        self._lookout = lookout
        self._user = user
        self._seen: OrderedDict[str, None] = OrderedDict()
        self.garbage = 0

    async def listen(self, bus: Bus) -> None:
        """Subscribe to everything that may come in."""
        kinds = ("receipt", "decision", "presence")
        patterns = [f"{topics.ROOT}/{self._user}/{kind}/+/+" for kind in kinds]
        await bus.listen([*patterns, f"{topics.ROOT}/{self._user}/signal/+"], self.take)

    async def take(self, delivery: Delivery) -> None:
        """Take one message; it is acknowledged to the broker when this returns."""
        try:
            await self._take(delivery)
        except BadMessageError as error:
            self.garbage += 1
            log.warning("dropped a message on %s: %s", delivery.topic[:200], error.code)

    async def _take(self, delivery: Delivery) -> None:
        sender = topics.sender_of(delivery.topic)
        if sender is None:
            self._hear_signal(delivery)
            return
        kind, address = sender
        await _TAKERS[kind](self, delivery.payload, address)

    async def decision(self, payload: bytes, sender: Address) -> None:
        """Hand in a person's decision."""
        envelope = decode(payload, Decision)
        if self._is_new(envelope.id):
            await self._submit(HandIn(sender=sender, decision=envelope.data))

    async def receipt(self, payload: bytes, sender: Address) -> None:
        """Pass on a receipt."""
        await self._submit(ReportReceipt(sender=sender, receipt=decode(payload, Receipt).data))

    async def presence(self, payload: bytes, sender: Address) -> None:
        """Pass on that a device came or went; the empty payload of a cleared topic means gone."""
        presence = decode(payload, Presence).data if payload else Presence(online=False)
        await self._submit(ReportPresence(sender=sender, presence=presence))

    def _hear_signal(self, delivery: Delivery) -> None:
        reading = decode(delivery.payload, Reading).data
        if delivery.topic.rpartition("/")[2] != reading.sensor:
            raise BadMessageError("the reading names another sensor than its topic")
        self._lookout.hear(reading)

    async def _submit(self, request: Request) -> None:
        await self._hub.submit(request)

    def _is_new(self, event_id: str) -> bool:
        """Drop repeats by event id, the last `SEEN_IDS_MAX` of them."""
        if event_id in self._seen:
            return False
        self._seen[event_id] = None
        if len(self._seen) > SEEN_IDS_MAX:
            self._seen.popitem(last=False)
        return True


_TAKERS: dict[str, Callable[[Ear, bytes, Address], Awaitable[None]]] = {
    "decision": Ear.decision,
    "receipt": Ear.receipt,
    "presence": Ear.presence,
}
