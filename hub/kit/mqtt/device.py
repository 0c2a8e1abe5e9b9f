"""A device's connection to the hub, as surfaces, gateways and glasses hold it.

What arrives is handed over through one bounded queue, one after the other; while that is full, the broker waits. What
is sent goes out again after each connection until the broker has acknowledged it. When the broker stays away, the
device is paired anew, for a hub that was started again may have another broker.
"""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from typing import Literal, Self

from msgspec.structs import replace

from hub.contract import topics
from hub.contract.access import Login
from hub.contract.base import Message, Value
from hub.contract.envelope import Envelope, encode
from hub.contract.errors import PulseError
from hub.contract.mentions import MentionsSeen
from hub.contract.surface import Decision, Presence, Receipt
from hub.contract.topics import GATEWAY, DeviceAddress
from hub.kit.backoff import RetryPolicy
from hub.kit.bounded import BoundedMap, BoundedSet
from hub.kit.mqtt.address import BrokerAddress, parse_url
from hub.kit.mqtt.connection import LinkOptions, Loss
from hub.kit.mqtt.link import MqttLink, MqttTuning
from hub.kit.mqtt.messages import Delivery, LinkHealth, Notice
from hub.kit.mqtt.proof import signed

KEEPALIVE_S = 15
QUEUED_MAX = 2_000
SEEN_IDS_MAX = 10_000
UNACKNOWLEDGED_MAX = 1_000
"""Messages under way that are kept for the next connection; of more the oldest are let go."""
PAIR_AGAIN_AFTER_S = 5.0
"""The broker has been away this long: ask the hub whether it still is where it was."""
RETRY = RetryPolicy(base_s=0.5, cap_s=8.0)
RETRY_NEARBY = RetryPolicy(base_s=0.1, cap_s=0.5)
"""A broker on this machine is back within a moment, and never far."""
NEARBY = {"127.0.0.1", "::1", "localhost"}


class Heard(Value):
    """A message as it arrived."""

    topic: str
    payload: bytes


class LinkChanged(Value):
    """The connection came, went, was `refused` by the broker, or the hub itself has ended (`gone`)."""

    state: Literal["up", "lost", "refused", "gone"]
    note: str
    broker: str


Item = Heard | LinkChanged


def address_of(login: Login) -> BrokerAddress:
    """Return where a login leads, and as whom.

    Raises:
        BadBrokerUrlError: nowhere.
    """
    return replace(parse_url(login.url), username=login.username, password=login.password)


class DeviceLink:
    """One device's connection: `async with DeviceLink(…) as link`, then `async for item in link.items()`.

    A gateway's link hears the deliveries of every device of its surface, and speaks for each.
    """

    def __init__(
        self, login: Login, *, also: Sequence[str] = (), pair_again: Callable[[], Login] | None = None
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            login: where and as whom to connect.
            also: topics to hear besides the deliveries.
            pair_again: asks the hub for a new login, and may raise as `hub.kit.hub_api.pair` does; called in a thread.
        """
        self._login = login
        self._pair = pair_again
        self._address = DeviceAddress(surface=login.surface, device=login.device)
        whose = topics.deliver(login.user, self._address)
        self._heard = (f"{whose.rpartition('/')[0]}/+" if login.device == GATEWAY else whose, *also)
        self._queue: asyncio.Queue[Item] = asyncio.Queue(QUEUED_MAX)
        self._seen: BoundedSet[str] = BoundedSet(SEEN_IDS_MAX)
        self._unacknowledged: BoundedMap[str, Notice] = BoundedMap(UNACKNOWLEDGED_MAX)
        self._up, self._down = asyncio.Event(), asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._presence_topic = topics.presence(login.user, self._address)
        options = _options(login)
        self._link = MqttLink(
            options,
            will=lambda: self._presence_notice(Presence(online=False)),
            birth=self._greet,
            on_change=self._changed,
            on_loss=self._lost,
            tuning=MqttTuning(retry=RETRY_NEARBY if options.address.host in NEARBY else RETRY),
        )

    async def __aenter__(self) -> Self:
        """Begin to connect, and keep at it."""
        await self._link.listen(self._heard, self._take)
        self._link.start()
        if self._pair is not None:
            self._watch = asyncio.create_task(self._pair_again_when_away(self._pair), name="pair-again")
        return self

    async def __aexit__(self, *_: object) -> None:
        """Say good-bye and disconnect."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._link.close()

    @property
    def is_up(self) -> bool:
        """Whether the connection stands."""
        return self._up.is_set()

    async def items(self) -> AsyncIterator[Item]:
        """Yield what arrives, in order, without end."""
        while True:
            yield await self._queue.get()

    def is_new(self, event_id: str) -> bool:
        """Say whether this id comes for the first time (of the last `SEEN_IDS_MAX`), and remember it."""
        return self._seen.add(event_id)

    def send_receipt(self, receipt: Receipt, device: str = "") -> bool:
        """Tell what became of a delivery, to `device` where this is its gateway.

        Returns:
            False when there is no connection; then it is lost, and the hub delivers again.
        """
        sender = DeviceAddress(surface=self._address.surface, device=device) if device else self._address
        return self._send(topics.receipt(self._login.user, sender), "receipt", receipt)

    def send_decision(self, decision: Decision, *, again: bool = False) -> bool:
        """Hand in a person's answer; False when there is no connection, and then nothing was sent.

        With `again` the message has an id of its own, since the hub drops repeated messages without a word; by the
        decision's id it still knows an answer that it has taken, and says so.
        """
        topic = topics.decision(self._login.user, self._address)
        said = signed(decision, self._login.signing or self._login.password, topic)
        return self._send(topic, "decision", said, "" if again else decision.decision_id)

    def send_mentions(self, seen: MentionsSeen) -> None:
        """Report a reading of the mentions; without a connection it is lost, for a newer one follows."""
        if self.is_up:
            topic = topics.signal(self._login.user, seen.sensor)
            payload = self._enveloped("signal", seen, uuid.uuid4().hex)
            self._link.post(Notice(topic=topic, payload=payload, retain=False))

    def send_presence(self) -> None:
        """Tell the hub how this device is now."""
        if self.is_up:
            self._link.post(self._presence_notice(self.presence()))

    def presence(self) -> Presence:
        """Say how this device is while it is connected."""
        return Presence(online=True, at=datetime.now(UTC))

    def first_words(self) -> Sequence[Notice]:
        """Give what is sent after each connect: that this device is there."""
        return (self._presence_notice(self.presence()),)

    def decision_notice(self, decision: Decision) -> Notice:
        """Return an answer as a message with an id of its own."""
        topic = topics.decision(self._login.user, self._address)
        said = signed(decision, self._login.signing or self._login.password, topic)
        return Notice(topic=topic, payload=self._enveloped("decision", said, uuid.uuid4().hex), retain=False)

    def _greet(self) -> Sequence[Notice]:
        """Send again what may not have arrived, before anything else of this connection."""
        for event_id, notice in tuple(self._unacknowledged.items()):
            self._post(event_id, notice)
        return self.first_words()

    def _presence_notice(self, presence: Presence) -> Notice:
        return Notice(topic=self._presence_topic, payload=self._enveloped("presence", presence, uuid.uuid4().hex))

    def _send(self, topic: str, kind: str, data: Message, event_id: str = "") -> bool:
        event_id = event_id or uuid.uuid4().hex
        notice = Notice(topic=topic, payload=self._enveloped(kind, data, event_id), retain=False)
        return self.is_up and self._post(event_id, notice)

    def _post(self, event_id: str, notice: Notice) -> bool:
        """Send, and keep it for the next connection until the broker has acknowledged it."""
        outcome = self._link.post(notice)
        if outcome is None:
            return False
        self._unacknowledged[event_id] = notice
        outcome.add_done_callback(lambda done: self._forget(event_id, done))
        return True

    def _forget(self, event_id: str, sent: asyncio.Task[bool]) -> None:
        if not sent.cancelled() and sent.result():
            self._unacknowledged.pop(event_id, None)

    def _enveloped(self, kind: str, data: Message, event_id: str) -> bytes:
        source = f"pulse/{self._address}"
        return encode(Envelope(id=event_id, source=source, type=kind, time=datetime.now(UTC), data=data))

    async def _take(self, delivery: Delivery) -> None:
        """Queue what came, behind the word that the connection is there."""
        await self._up.wait()
        await self._queue.put(Heard(topic=delivery.topic, payload=delivery.payload))

    def _changed(self, health: LinkHealth) -> None:
        if health.connected:
            self._tell("up", "")

    def _lost(self, loss: Loss) -> None:
        if loss.kind == "refused":
            self._tell("refused", "the broker does not let this device in")
        elif self.is_up:
            self._tell("lost", f"the broker {loss.why}; trying again")

    def _tell(self, state: Literal["up", "lost", "refused", "gone"], note: str) -> None:
        """Queue how the connection is; where even that finds no room, nobody has listened for long."""
        up = state == "up"
        (self._up.set if up else self._up.clear)()
        (self._down.clear if up else self._down.set)()
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(LinkChanged(state=state, note=note, broker=self._login.url))

    async def _pair_again_when_away(self, pair: Callable[[], Login]) -> None:
        """Whenever the broker stays away, ask the hub for a new login; it alone knows where the broker is now."""
        while True:
            if await self._link.until_connected(PAIR_AGAIN_AFTER_S):
                await self._down.wait()
                continue
            try:
                self._login = await asyncio.to_thread(pair)
                self._link.move(_options(self._login))
            except PulseError as error:
                if not self.is_up:  # it may have come back while the hub was asked
                    self._tell("gone", error.detail)


def _options(login: Login) -> LinkOptions:
    return LinkOptions(
        address=address_of(login),
        client_id=login.client_id,
        keepalive_s=KEEPALIVE_S,
        keep_session=False,
        must_hear=True,
    )
