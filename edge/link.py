"""The edge's own connection to the hub: a login kept on this machine, and answers that outlive a loss of the network.

Like the surfaces' link it is paho's thread in front of one bounded queue. Unlike a screen, a voice cannot show that an
answer is still on its way, so answers are kept in a file with their time until the hub has judged them, and handed in
again after every reconnect and now and then in between: the answer may have been lost with the broker, and so may the
verdict. The hub judges each on arrival and knows it by its id; what came too late is told as such.
"""

import asyncio
import contextlib
import http.client
import os
import random
import socket
import ssl
import urllib.parse
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self, TypeVar

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from edge.hub_address import connection_to
from hub.contract import topics
from hub.contract.api import Problem
from hub.contract.base import Message, Value
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import Decision, Presence, Receipt
from hub.contract.topics import Address
from hub.errors import UserError, WorldError

SURFACE = "glasses"
ANSWER_BYTES_MAX = 1_048_576
KEEPALIVE_S = 15
QUEUED_MAX = 2_000
SEEN_IDS_MAX = 10_000
KEPT_ANSWERS_MAX = 50
RETRY_S_MIN, RETRY_S_MAX, RETRY_S_MAX_NEARBY = 0.25, 8.0, 1.0
"""A lost broker is tried again after these times; one on this machine is back within a moment, and never far."""
NEARBY = {"127.0.0.1", "::1", "localhost"}
AGAIN_S_MIN, AGAIN_S_MAX = 1.0, 60.0
"""An answer that the hub has not judged is handed in again after so long, then after twice as long, and so on."""
GOODBYE_S_MAX = 1.0
SCHEMES = {"mqtt": 1883, "mqtts": 8883}
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
K = TypeVar("K")


class NoHubError(WorldError):
    """The hub does not answer. Start it with `pulse up`."""

    code = "no-hub"


class NoLoginError(UserError):
    """The hub did not let these glasses in; the message says why."""

    code = "no-login"


class Login(Value, rename="camel"):
    """How these glasses reach the broker, as `POST /api/v1/devices` answers it."""

    url: str
    username: str
    password: str
    client_id: str
    user: str
    surface: str
    device: str

    def __repr__(self) -> str:
        return f"Login({self.client_id} at {self.url})"


class Body(Value):
    """How these glasses are: `worn` and `battery_percent` are None where nothing tells."""

    is_there: bool = True
    """Whether they can be heard and answered just now."""
    worn: bool | None = None
    battery_percent: int | None = None


class Arrived(Value):
    """A message as it came."""

    topic: str
    payload: bytes


class LinkState(Value):
    """The connection came or went, or the broker does not let us in."""

    state: Literal["up", "lost", "refused"]
    note: str


Item = Arrived | LinkState


def pair(api: str, token: str, device: str) -> Login:
    """Register these glasses with the hub; the password is new each time.

    Over the hub's own socket (`unix:PATH`) they come in as the person who runs both, and need no token.

    Raises:
        NoHubError: nobody answers there.
        NoLoginError: the hub refused.
    """
    connection = connection_to(api)
    body = msgspec.json.encode({"surface": SURFACE, "device": device, "profile": SURFACE})
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    try:
        connection.request("POST", "/api/v1/devices", body, headers)
        answer = connection.getresponse()
        document = answer.read(ANSWER_BYTES_MAX)
    except (OSError, http.client.HTTPException) as error:
        raise NoHubError(f"Pulse does not answer at {api}.", fix="Start it: `pulse up`.") from error
    finally:
        connection.close()
    if answer.status >= http.client.BAD_REQUEST:
        raise _refusal(document, answer.status)
    try:
        return msgspec.json.decode(document, type=Login)
    except msgspec.DecodeError as error:
        raise NoLoginError(f"The hub's answer cannot be read: {error}.") from error


def _refusal(document: bytes, status: int) -> NoLoginError:
    try:
        problem = msgspec.json.decode(document, type=Problem)
    except msgspec.DecodeError:
        return NoLoginError(f"The hub answered {status}.", fix="`pulse doctor` tells more.")
    return NoLoginError(f"{problem.detail} [{problem.code}]", fix=problem.fix)


class Kept:
    """What outlives this process: the login and the answers that the hub has not judged yet. Closed to other users."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        self._login, self._answers = folder / "login.json", folder / "answers.json"

    def login(self) -> Login | None:
        """Return the login, if there is one that can be read."""
        return self._read(self._login, Login)

    def keep_login(self, login: Login) -> None:
        """Keep a login."""
        self._write(self._login, msgspec.json.encode(login))

    def answers(self) -> tuple[Decision, ...]:
        """Return the answers that wait, oldest first."""
        return self._read(self._answers, tuple[Decision, ...]) or ()

    def keep_answers(self, answers: tuple[Decision, ...]) -> None:
        """Keep answers; of more than `KEPT_ANSWERS_MAX` the oldest are dropped, for they say the least."""
        self._write(self._answers, msgspec.json.encode(answers[-KEPT_ANSWERS_MAX:]))

    def _read(self, path: Path, kind: type[K]) -> K | None:
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except (OSError, msgspec.DecodeError):
            return None

    def _write(self, path: Path, document: bytes) -> None:
        new = path.with_suffix(".new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE), "wb") as file:
            file.write(document)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)


class Link:
    """One connection: `async with Link(login, kept) as link`, then `async for item in link.items()`."""

    def __init__(self, login: Login, kept: Kept) -> None:
        self._login = login
        self._kept = kept
        self._address = Address(surface=login.surface, device=login.device)
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Item] = asyncio.Queue(QUEUED_MAX)
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._waiting = list(kept.answers())
        self._body = Body()
        self.is_up = False
        self._handed_in = asyncio.Event()
        self._repeater: asyncio.Task[None] | None = None
        self._client = self._made()

    async def __aenter__(self) -> Self:
        """Begin to connect, and keep at it."""
        where = urllib.parse.urlsplit(self._login.url)
        port = where.port or SCHEMES.get(where.scheme, 1883)
        self._client.connect_async(where.hostname or "127.0.0.1", port, KEEPALIVE_S)
        self._client.loop_start()
        self._repeater = asyncio.create_task(self._repeat(), name="answers-again")
        return self

    async def __aexit__(self, *_: object) -> None:
        """Say good-bye and disconnect."""
        if self._repeater is not None:
            self._repeater.cancel()
            await asyncio.gather(self._repeater, return_exceptions=True)
        await asyncio.to_thread(self._leave)

    async def items(self) -> AsyncIterator[Item]:
        """Yield what arrives, in order, without end."""
        while True:
            yield await self._queue.get()

    def is_new(self, event_id: str) -> bool:
        """Say whether this id comes for the first time, and remember it."""
        if event_id in self._seen:
            return False
        self._seen[event_id] = None
        if len(self._seen) > SEEN_IDS_MAX:
            self._seen.popitem(last=False)
        return True

    def report(self, receipt: Receipt) -> bool:
        """Tell what became of a delivery; False without a connection, and then the hub delivers again."""
        return self._send(topics.receipt(self._login.user, self._address), "receipt", receipt, "")

    def answer(self, decision: Decision) -> bool:
        """Keep a person's answer and hand it in; False when it has to wait for the connection."""
        self._waiting = [*self._waiting, decision][-KEPT_ANSWERS_MAX:]
        self._kept.keep_answers(tuple(self._waiting))
        self._handed_in.set()
        return self._hand_in(decision)

    def try_answer(self, decision: Decision) -> bool:
        """Hand in what is no person's answer and is not kept: the doctor's."""
        return self._hand_in(decision)

    def judged(self, decision_id: str) -> Decision | None:
        """Forget an answer that the hub has judged, and return it."""
        found = next((one for one in self._waiting if one.decision_id == decision_id), None)
        if found is not None:
            self._waiting.remove(found)
            self._kept.keep_answers(tuple(self._waiting))
        return found

    def awaits(self, prediction_id: str) -> bool:
        """Say whether an answer to that card waits for the hub's verdict."""
        return any(one.prediction_id == prediction_id for one in self._waiting)

    def set_body(self, body: Body) -> None:
        """Tell the hub, where it has changed, whether we are worn and how much power is left.

        Glasses that lie on a table are as good as not there.
        """
        if body != self._body:
            self._body = body
            self._send_presence()

    def _hand_in(self, decision: Decision, *, again: bool = False) -> bool:
        """Send an answer; `again` under a message id of its own, for the hub drops repeated messages without a word."""
        topic = topics.decision(self._login.user, self._address)
        return self._send(topic, "decision", decision, "" if again else decision.decision_id)

    async def _repeat(self) -> None:
        """Hand in again, ever less often, what the hub has not judged."""
        wait_s = AGAIN_S_MIN
        while True:
            try:
                async with asyncio.timeout(wait_s if self._waiting else None):
                    await self._handed_in.wait()
            except TimeoutError:
                wait_s = min(2.0 * wait_s, AGAIN_S_MAX)
                self._hand_all_in_again()
            else:
                self._handed_in.clear()
                wait_s = AGAIN_S_MIN

    def _hand_all_in_again(self) -> None:
        for decision in tuple(self._waiting):
            self._hand_in(decision, again=True)

    def _send(self, topic: str, kind: str, data: Message, event_id: str, *, retain: bool = False) -> bool:
        if not self.is_up:
            return False
        sent = self._client.publish(topic, self._enveloped(kind, data, event_id), qos=1, retain=retain)
        return sent.rc is MQTTErrorCode.MQTT_ERR_SUCCESS

    def _send_presence(self) -> None:
        self._send(self._presence_topic, "presence", self._presence(), "", retain=True)

    def _presence(self) -> Presence:
        body = self._body
        worn, percent = body.worn, body.battery_percent
        return Presence(online=body.is_there, at=datetime.now(UTC), worn=worn, battery_percent=percent)

    @property
    def _presence_topic(self) -> str:
        return topics.presence(self._login.user, self._address)

    def _enveloped(self, kind: str, data: Message, event_id: str = "") -> bytes:
        source, identity = f"pulse/{self._address}", event_id or uuid.uuid4().hex
        return encode(Envelope(id=identity, source=source, type=kind, time=datetime.now(UTC), data=data))

    def _made(self) -> mqtt.Client:
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
        return client

    # These three run in paho's thread: they decode nothing and only hand over.

    def _on_connect(self, client: mqtt.Client, _data: object, _flags: object, code: ReasonCode, _p: object) -> None:
        if code.is_failure:
            self._hand_over(LinkState(state="refused", note=f"the broker refused us ({code})"))
            return
        client.subscribe(topics.deliver(self._login.user, self._address), 1)
        self._hand_over(LinkState(state="up", note=""))

    def _on_disconnect(self, _c: mqtt.Client, _data: object, _flags: object, code: ReasonCode, _p: object) -> None:
        self._hand_over(LinkState(state="lost", note=str(code)))

    def _on_subscribe(self, client: mqtt.Client, _data: object, _mid: int, codes: list[ReasonCode], _p: object) -> None:
        """Connect again where the broker refuses to let us hear, as one just started may: up and deaf is worse."""
        if any(code.is_failure for code in codes):
            _hang_up(client)

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        self._hand_over(Arrived(topic=message.topic, payload=bytes(message.payload)))

    def _hand_over(self, item: Item) -> None:
        with contextlib.suppress(RuntimeError):  # the edge has ended meanwhile
            self._loop.call_soon_threadsafe(self._take, item)

    def _take(self, item: Item) -> None:
        """Queue what came; a delivery that finds no room gets no receipt, so the hub sends it again."""
        if isinstance(item, LinkState):
            self.is_up = item.state == "up"
            if self.is_up:  # answers first: else the hub hands out anew, as still open, the cards that they answer
                self._hand_all_in_again()
                self._handed_in.set()
                self._send_presence()
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(item)

    def _leave(self) -> None:
        client = self._client
        if client.is_connected():
            offline = client.publish(self._presence_topic, self._enveloped("presence", Presence(online=False)), 1, True)  # noqa: FBT003  paho's argument retain
            with contextlib.suppress(RuntimeError, ValueError):
                offline.wait_for_publish(GOODBYE_S_MAX)
        client.on_connect = client.on_disconnect = client.on_message = None
        client.disconnect()
        client.loop_stop()


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
