"""What arrives over MQTT: decode, hand to the loop, and only then let the broker forget it."""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from msgspec.structs import astuple

from hub.contract import topics
from hub.contract.base import Value
from hub.contract.envelope import BadMessageError, Envelope, decode, encode, has_nul
from hub.contract.surface import Decision, DeliveredVerdict, Presence, Receipt, Verdict
from hub.contract.topics import DeviceAddress
from hub.contract.words import PLAIN_NO
from hub.domain.moment import Change
from hub.domain.provenance import decoded
from hub.domain.readings import Reading
from hub.domain.requests import DeviceDecision, Refused, ReportPresence, ReportReceipt
from hub.kit.bounded import BoundedSet
from hub.kit.mqtt.messages import Delivery
from hub.kit.mqtt.proof import UnprovenDecisionError, is_proven
from hub.loop.tell import SOURCE
from hub.ports import Bus
from hub.runner.hub import Hub
from hub.runner.senders import BadSenders
from hub.runner.sensor_reader import SensorReader
from hub.runner.world_inbound import fault_of, request_of

SEEN_IDS_MAX = 10_000
"""Decisions that were taken are remembered, so many: the broker may hand one in again."""
ID_CHARS_KEPT = 64
SAID_ONCE = ("decision", "receipt", "world")
"""What a person or a device said at one moment; a broker that repeats it later says what nobody says any more."""
_UNPROVEN = Refused(
    code=UnprovenDecisionError.code,
    status=UnprovenDecisionError.status,
    detail=UnprovenDecisionError.__doc__ or "",
    fix=UnprovenDecisionError.FIX,
)
log = logging.getLogger(__name__)


class MqttInbound:
    """Listens for devices and outside sensors. Garbage is counted and dropped; it never stops the hub."""

    def __init__(
        self,
        hub: Hub,
        sensor_reader: SensorReader,
        user: str,
        tell: Callable[[Change], None],
        *,
        proves_by: Callable[[DeviceAddress], str | None],
    ) -> None:
        """Listen for a hub; `proves_by` returns the key by which a device proves an answer, None where it need not."""
        self._hub = hub
        self._sensor_reader = sensor_reader
        self._user = user
        self._tell = tell
        self._proves_by = proves_by
        self._seen: BoundedSet[str] = BoundedSet(SEEN_IDS_MAX)
        self._bus: Bus | None = None
        self._senders = BadSenders()
        self.garbage = 0
        self.retained = 0

    async def listen(self, bus: Bus) -> None:
        """Subscribe to everything that may come in."""
        patterns = [f"{topics.ROOT}/{self._user}/{kind}/+/+" for kind in topics.FROM_SENDERS]
        self._bus = bus
        await bus.listen([*patterns, f"{topics.ROOT}/{self._user}/signal/+"], self.take)

    async def take(self, delivery: Delivery) -> None:
        """Take one message; it is acknowledged to the broker when this returns."""
        if self._senders.is_ignored(delivery.topic, self._hub.now()):
            return
        try:
            await self._take(delivery)
        except BadMessageError as error:
            self._drop(delivery.topic, error.code)

    def _drop(self, topic: str, code: str) -> None:
        """Count what is dropped; say so once in a while, and when it is too much to go on listening."""
        self.garbage += 1
        is_first, is_flood = self._senders.note(topic, self._hub.now())
        if is_first:
            log.warning("dropped a message on %r: %s", topic[:200], code)
        if is_flood:
            log.warning("%r sends what cannot be read: not listened to for a minute", topic[:200])

    async def _take(self, delivery: Delivery) -> None:
        if has_nul(delivery.payload):
            raise BadMessageError("a text in it has a NUL")
        sender = topics.sender_of(delivery.topic)
        if sender is None:
            self._hear_signal(delivery)
            return
        kind, address = sender
        if kind in SAID_ONCE and (delivery.retained or not delivery.payload):
            await self._refuse_retained(delivery)
            return
        if kind == "world":
            fault = fault_of(await self._hub.submit(request_of(delivery.payload, address)))
            if fault:
                self._drop(delivery.topic, fault)
            return
        await _HANDLERS[kind](self, delivery.payload, address)

    async def _refuse_retained(self, delivery: Delivery) -> None:
        """Take back what the broker would say again at each start of ours; the empty message is our own taking back."""
        if not delivery.payload:
            return
        self.retained += 1
        log.warning("refused a retained message on %r, and cleared it", delivery.topic[:200])
        if self._bus is not None:
            await self._bus.publish(delivery.topic, b"", retain=True)

    async def decision(self, payload: bytes, sender: DeviceAddress) -> None:
        """Hand in a person's decision."""
        envelope = decode(payload, Decision)
        name = f"{sender}/{envelope.id}"
        if name in self._seen:
            return
        if not self._is_proven(payload, sender, envelope.data):
            await self._tell_refused(sender, envelope.data, _UNPROVEN)
            return
        reply = await self._hub.submit(DeviceDecision(sender=sender, decision=envelope.data))
        if isinstance(reply, Refused):
            await self._tell_refused(sender, envelope.data, reply)
        else:
            self._seen.add(name)

    def _is_proven(self, payload: bytes, sender: DeviceAddress, said: Decision) -> bool:
        """Return True if an answer is the device's own; the broker's word is enough for a no without words."""
        is_plain_no = said.verb in PLAIN_NO and not said.reason
        key = None if is_plain_no else self._proves_by(sender)
        return key is None or is_proven(payload, key, topics.decision(self._user, sender))

    async def receipt(self, payload: bytes, sender: DeviceAddress) -> None:
        """Pass on a receipt."""
        await self._hub.submit(ReportReceipt(sender=sender, receipt=decode(payload, Receipt).data))

    async def presence(self, payload: bytes, sender: DeviceAddress) -> None:
        """Pass on that a device came or went; the empty payload of a cleared topic means gone."""
        presence = decode(payload, Presence).data if payload else Presence(online=False)
        await self._hub.submit(ReportPresence(sender=sender, presence=presence))

    def _hear_signal(self, delivery: Delivery) -> None:
        reading = decode(delivery.payload, Reading, dec_hook=decoded).data
        if delivery.topic.split("/")[3:] != ["signal", reading.sensor]:
            raise BadMessageError("the reading names another sensor than its topic")
        if not _has_zones(reading):
            raise BadMessageError("a time without its zone")
        if self._sensor_reader.hear(reading):
            self._tell(Change.READING)

    async def _tell_refused(self, sender: DeviceAddress, decision: Decision, refused: Refused) -> None:
        """Nothing could be written, so nothing waits in the outbox: say so at once, and only once."""
        verdict = Verdict(
            decision_id=decision.decision_id,
            accepted=False,
            code=refused.code,
            message=f"{refused.detail} {refused.fix}".strip(),
        )
        now = self._hub.now()
        envelope = Envelope(
            id=f"vdt_{decision.decision_id[:ID_CHARS_KEPT]}_{now:%Y%m%d%H%M%S%f}",
            source=SOURCE,
            type="deliver",
            time=now,
            subject=decision.card_id,
            data=DeliveredVerdict(verdict=verdict),
        )
        if self._bus is not None:
            await self._bus.publish(topics.deliver(self._user, sender), encode(envelope))


def _has_zones(value: object) -> bool:
    """Return True if every time within has a zone: a room that compares times must never meet a naive one."""
    if isinstance(value, datetime):
        return value.tzinfo is not None
    if isinstance(value, Value):
        return all(_has_zones(part) for part in astuple(value))
    return not isinstance(value, tuple) or all(_has_zones(part) for part in value)


_HANDLERS: dict[str, Callable[[MqttInbound, bytes, DeviceAddress], Awaitable[None]]] = {
    "decision": MqttInbound.decision,
    "receipt": MqttInbound.receipt,
    "presence": MqttInbound.presence,
}
