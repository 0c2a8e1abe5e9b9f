"""What all surface processes share: pairing with the hub, and one MQTT connection for one device.

A surface is told where the hub is (`PULSE_API`) and, for coming in over a port, its token; it pairs itself and keeps
nothing on disk. One that a person starts comes in over the hub's own socket (`unix:PATH`) and needs no token; one that
the hub starts is handed its token over a pipe (`surfaces/process.py`).

The connection is paho's own thread: what it receives is handed to the surface's asyncio loop through one
bounded queue and handled there, one after the other. When the broker stays away, the device is paired anew, for a
hub that was started again may have another broker.
"""

import asyncio
import contextlib
import http.client
import random
import socket
import ssl
import threading
import urllib.parse
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Literal, Self, TypeVar

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from hub.contract import topics
from hub.contract.api import Problem
from hub.contract.base import Message, Value
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import Decision, Presence, Receipt
from hub.contract.topics import Address
from hub.errors import UserError, WorldError
from surfaces.hub_address import UNIX, connection_to

ANSWER_BYTES_MAX = 1_048_576
KEEPALIVE_S = 15
QUEUED_MAX = 2_000
SEEN_IDS_MAX = 10_000
PAIR_AGAIN_AFTER_S = 5.0
"""The broker has been away this long: ask the hub whether it still is where it was."""
GOODBYE_S_MAX = 1.0
RETRY_S_MIN, RETRY_S_MAX, RETRY_S_MAX_NEARBY = 0.25, 8.0, 1.0
"""A lost broker is tried again after these times; one on this machine is back within a moment, and never far."""
NEARBY = {"127.0.0.1", "::1", "localhost"}
SCHEMES = {"mqtt": 1883, "mqtts": 8883}
T = TypeVar("T", bound=Message)


class HubGoneError(WorldError):
    """Pulse is not running, or not where it was. Start it with `pulse up`."""

    code = "not-running"


class NotPairedError(UserError):
    """The hub did not let this device in; its message says why."""

    code = "not-paired"


class Door(Value):
    """Where the hub's API is, and the token that opens it; the hub's own socket knows its caller and needs none."""

    api: str
    token: str

    def __repr__(self) -> str:
        return f"Door({self.api})"


class Login(Value, rename="camel"):
    """How this device reaches the broker, as `POST /api/v1/devices` answers it."""

    url: str
    username: str
    password: str
    client_id: str
    user: str
    surface: str
    device: str

    def __repr__(self) -> str:
        return f"Login({self.client_id} at {self.url})"


class Heard(Value):
    """A message as it arrived."""

    topic: str
    payload: bytes


class LinkChanged(Value):
    """The connection came, went, or the hub itself is not there any more (`gone`)."""

    state: Literal["up", "lost", "gone"]
    note: str
    broker: str


Item = Heard | LinkChanged


def door_from(told: Mapping[str, str]) -> Door:
    """Read where the hub is.

    Raises:
        HubGoneError: nothing was handed over; surfaces are started with `pulse surface NAME`.
    """
    api, token = told.get("PULSE_API", ""), told.get("PULSE_TOKEN", "")
    if not api or not (token or api.startswith(UNIX)):
        raise HubGoneError("This surface was not told where Pulse is.", fix="Start it with `pulse surface NAME`.")
    return Door(api=api, token=token)


def ask_hub(door: Door, method: str, path: str, body: object = None) -> bytes:
    """Make one request and return the answer's document.

    Raises:
        HubGoneError: nobody answers there.
        NotPairedError: the hub refused.
    """
    connection = connection_to(door.api)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {door.token}"} if door.token else {})
    try:
        connection.request(method, path, None if body is None else msgspec.json.encode(body), headers)
        answer = connection.getresponse()
        document = answer.read(ANSWER_BYTES_MAX)
    except (OSError, http.client.HTTPException) as error:
        raise HubGoneError(f"Pulse does not answer at {door.api}.", fix="Start it: `pulse up`.") from error
    finally:
        connection.close()
    if answer.status >= http.client.BAD_REQUEST:
        raise _refusal(document, answer.status)
    return document


def pair(door: Door, address: Address, profile: str) -> Login:
    """Register this device with the hub; the password is new each time."""
    body = {"surface": address.surface, "device": address.device, "profile": profile}
    return _login(ask_hub(door, "POST", "/api/v1/devices", body))


def pair_gateway(door: Door, surface: str) -> Login:
    """Register as the process that carries the deliveries of all devices of a surface."""
    return _login(ask_hub(door, "POST", "/api/v1/gateways", {"surface": surface}))


def _login(document: bytes) -> Login:
    try:
        return msgspec.json.decode(document, type=Login)
    except msgspec.DecodeError as error:
        raise NotPairedError(f"The hub's answer cannot be read: {error}.") from error


class Link:
    """One device's connection: `async with Link(…) as link`, then `async for item in link.items()`.

    A gateway's link (`profile` None) hears the deliveries of every device of its surface, and speaks for each.
    """

    def __init__(self, door: Door, login: Login, *, profile: str | None, also: tuple[str, ...] = ()) -> None:
        """Prepare; `also` names topics to hear besides the deliveries."""
        self._door = door
        self._login = login
        self._profile = profile
        self._also = also
        self._address = Address(surface=login.surface, device=login.device)
        self._queue: asyncio.Queue[Item] = asyncio.Queue(QUEUED_MAX)
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._loop = asyncio.get_running_loop()
        self._client: mqtt.Client | None = None
        self._watch: asyncio.Task[None] | None = None
        self._up = asyncio.Event()
        self._down = asyncio.Event()

    async def __aenter__(self) -> Self:
        """Begin to connect, and keep at it."""
        self._down.set()
        self._client = self._connect()
        self._watch = asyncio.create_task(self._pair_again_when_away())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Say good-bye and disconnect."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        if self._client is not None:
            await asyncio.to_thread(self._leave, self._client)

    async def items(self) -> AsyncIterator[Item]:
        """Yield what arrives, in order, without end."""
        while True:
            yield await self._queue.get()

    def is_new(self, event_id: str) -> bool:
        """Say whether this id comes for the first time (of the last `SEEN_IDS_MAX`), and remember it."""
        if event_id in self._seen:
            return False
        self._seen[event_id] = None
        if len(self._seen) > SEEN_IDS_MAX:
            self._seen.popitem(last=False)
        return True

    def send_receipt(self, receipt: Receipt, device: str = "") -> bool:
        """Tell what became of a delivery, to `device` where this is its gateway.

        Returns:
            False when there is no connection; then it is lost, and the hub delivers again.
        """
        sender = Address(surface=self._address.surface, device=device) if device else self._address
        return self._send(topics.receipt(self._login.user, sender), "receipt", receipt)

    def send_decision(self, decision: Decision, *, again: bool = False) -> bool:
        """Hand in a person's answer; False when there is no connection, and then nothing was sent.

        With `again` the message has an id of its own, since the hub drops repeated messages without a word; by the
        decision's id it still knows an answer that it has taken, and says so.
        """
        topic = topics.decision(self._login.user, self._address)
        return self._send(topic, "decision", decision, event_id="" if again else decision.decision_id)

    def _send(self, topic: str, kind: str, data: Message, *, event_id: str = "") -> bool:
        if self._client is None or not self._up.is_set():
            return False
        sent = self._client.publish(topic, self._enveloped(kind, data, event_id), qos=1)
        return sent.rc is MQTTErrorCode.MQTT_ERR_SUCCESS

    def _enveloped(self, kind: str, data: T, event_id: str = "") -> bytes:
        envelope = Envelope(
            id=event_id or uuid.uuid4().hex,
            source=f"pulse/{self._address}",
            type=kind,
            time=datetime.now(UTC),
            data=data,
        )
        return encode(envelope)

    def _connect(self) -> mqtt.Client:
        login = self._login
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=login.client_id, clean_session=True)
        client.username_pw_set(login.username, login.password)
        where = urllib.parse.urlsplit(login.url)
        again_s = RETRY_S_MIN * (1.0 + random.random())  # noqa: S311  so that devices do not all knock at once
        longest_s = RETRY_S_MAX_NEARBY if where.hostname in NEARBY else RETRY_S_MAX
        client.reconnect_delay_set(again_s, longest_s)  # type: ignore[arg-type]  # it takes fractions as well
        offline = self._enveloped("presence", Presence(online=False))
        client.will_set(self._presence_topic, offline, qos=1, retain=True)
        client.on_socket_open = _send_at_once
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        if where.scheme == "mqtts":
            client.tls_set_context(ssl.create_default_context())
        client.connect_async(where.hostname or "127.0.0.1", where.port or SCHEMES.get(where.scheme, 1883), KEEPALIVE_S)
        client.loop_start()
        return client

    @property
    def _presence_topic(self) -> str:
        return topics.presence(self._login.user, self._address)

    # These three run in paho's thread: they decode nothing and only hand over.

    def _on_connect(self, client: mqtt.Client, _data: object, _flags: object, code: ReasonCode, _p: object) -> None:
        if code.is_failure:
            self._hand_over(LinkChanged(state="lost", note=f"refused us ({code})", broker=self._login.url))
            return
        own = topics.deliver(self._login.user, self._address)
        heard = own if self._profile is not None else f"{own.rpartition('/')[0]}/+"
        client.subscribe([(topic, 1) for topic in (heard, *self._also)])
        present = Presence(online=True, at=datetime.now(UTC))
        client.publish(self._presence_topic, self._enveloped("presence", present), qos=1, retain=True)
        self._hand_over(LinkChanged(state="up", note="", broker=self._login.url))

    def _on_disconnect(
        self, _client: mqtt.Client, _data: object, _flags: object, code: ReasonCode, _p: Properties | None
    ) -> None:
        note = f"{code}; trying again" if code.is_failure else "closed"
        self._hand_over(LinkChanged(state="lost", note=str(note), broker=self._login.url))

    def _on_subscribe(self, client: mqtt.Client, _data: object, _mid: int, codes: list[ReasonCode], _p: object) -> None:
        """Connect again where the broker refuses to let us hear, as one just started may: up and deaf is worse."""
        if any(code.is_failure for code in codes):
            _hang_up(client)

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        self._hand_over(Heard(topic=message.topic, payload=bytes(message.payload)))

    def _hand_over(self, item: Item) -> None:
        with contextlib.suppress(RuntimeError):  # the surface has ended meanwhile
            self._loop.call_soon_threadsafe(self._take, item)

    def _take(self, item: Item) -> None:
        """Queue what came; a delivery that finds no room gets no receipt, so the hub sends it again."""
        if isinstance(item, LinkChanged):
            (self._up.set if item.state == "up" else self._up.clear)()
            (self._down.clear if item.state == "up" else self._down.set)()
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(item)

    async def _pair_again_when_away(self) -> None:
        """Whenever the broker stays away, ask the hub for a new login; it alone knows where the broker is now."""
        while True:
            await self._down.wait()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PAIR_AGAIN_AFTER_S):
                    await self._up.wait()
            if not self._up.is_set():
                await self._pair_again()

    async def _pair_again(self) -> None:
        try:
            login = await asyncio.to_thread(self._paired)
        except (HubGoneError, NotPairedError) as error:
            self._take(LinkChanged(state="gone", note=error.detail, broker=self._login.url))
            return
        old, self._login = self._client, login
        if old is not None:
            await asyncio.to_thread(_end, old)
        self._client = self._connect()

    def _paired(self) -> Login:
        if self._profile is None:
            return pair_gateway(self._door, self._address.surface)
        return pair(self._door, self._address, self._profile)

    def _leave(self, client: mqtt.Client) -> None:
        if client.is_connected():
            offline = client.publish(self._presence_topic, self._enveloped("presence", Presence(online=False)), 1, True)  # noqa: FBT003  paho's argument retain
            with contextlib.suppress(RuntimeError, ValueError):
                offline.wait_for_publish(GOODBYE_S_MAX)
        _end(client)


def _hang_up(client: mqtt.Client) -> None:
    """Break the connection, so that paho makes a new one after a while."""
    opened = client.socket()
    if isinstance(opened, socket.socket):
        with contextlib.suppress(OSError):
            opened.shutdown(socket.SHUT_RDWR)


def _send_at_once(_client: mqtt.Client, _data: object, opened: "mqtt.SocketLike") -> None:
    """Switch Nagle's algorithm off: else the second of two small messages waits 40 ms for the first one's ACK."""
    if isinstance(opened, socket.socket):
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _end(client: mqtt.Client) -> None:
    """Disconnect; paho's thread may hang in a connect, and is then left to end by itself."""
    client.on_connect = client.on_disconnect = client.on_message = None
    client.disconnect()
    stopper = threading.Thread(target=client.loop_stop, daemon=True)
    stopper.start()
    stopper.join(GOODBYE_S_MAX)


def _refusal(document: bytes, status: int) -> NotPairedError:
    try:
        problem = msgspec.json.decode(document, type=Problem)
    except msgspec.DecodeError:
        return NotPairedError(f"The hub answered {status}.", fix="`pulse doctor` tells more.")
    return NotPairedError(f"{problem.detail} [{problem.code}]", fix=problem.fix)
