"""One MQTT connection on the asyncio loop, from CONNECT to its loss. ``hub.kit.mqtt.link`` makes a new one each time.

paho-mqtt does the protocol and runs without its thread: the loop tells it when the socket can be read or written, and
one timer gives it the chance to ping. Its callbacks only resolve a future or hand a decoded message on.
Opening a socket blocks (names, TCP, TLS), so that part alone runs in a short-lived daemon thread, which, unlike the
loop's own pool, never holds up the end of the program.
"""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from hub.contract.base import Value
from hub.kit.mqtt.address import BrokerAddress
from hub.kit.mqtt.messages import Notice
from hub.kit.mqtt.window import Window

if TYPE_CHECKING:
    from paho.mqtt.client import SocketLike  # it exists for type checkers only

PUBLISH_WINDOW = 1_000
"""Published messages that may wait for their acknowledgement at once; the next publisher waits for room."""
PINGS_PER_KEEPALIVE = 4
"""A broker drops a client after 1.5 keep-alives of silence; looking four times each leaves room, and costs nothing."""
AFTER_A_PING = 1.02
"""Of a keep-alive, when to look again: none is due before, and a ping counts from when it is written, a bit later."""
SUBSCRIBE_TIMEOUT_S = 5.0
KEEPALIVE_OVER = "Keep alive timeout"
"""What paho calls a broker that left its ping unanswered."""
QOS_ACKNOWLEDGED = 1
REFUSALS = {
    "Bad user name or password": "refused our user name or password: check them in mqtt.url",
    "Not authorized": "refused our user name or password, or does not admit this client: check them in mqtt.url",
    "Client identifier not valid": "does not accept our client id: check the rules of the broker",
    "Server unavailable": "is not ready yet",
}


class Loss(Value):
    """Why there is no connection: the broker was `silent`, `refused` to let us in, or anything else; `why` in words."""

    why: str
    kind: Literal["silent", "refused", "lost"] = "lost"


class LinkOptions(Value):
    """How one client connects.

    ``client_id`` is fixed: the broker keeps the session under it (at our own it cannot be guessed). Without
    ``keep_session`` the broker forgets subscriptions and queue at each loss; for clients that come and go. Those that
    ``must_hear`` connect again where the broker refuses them a subscription: up and deaf is worse.
    """

    address: BrokerAddress
    client_id: str
    keepalive_s: int = 60
    connect_timeout_s: float = 5.0
    keep_session: bool = True
    must_hear: bool = False


class Inbound(Value):
    """A message as it came, with what is needed to acknowledge it. ``topic`` is None when it is no UTF-8."""

    topic: str | None
    payload: bytes
    retained: bool
    qos: int
    mid: int


class Connection:
    """One connection. ``lost`` resolves with the reason when it is over."""

    def __init__(
        self, options: LinkOptions, receive: Callable[["Connection", Inbound], None], will: Notice | None
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._options = options
        self._receive = receive
        self._client = self._new_client(will)
        self._connack: asyncio.Future[Loss | None] = self._loop.create_future()
        self.lost: asyncio.Future[Loss] = self._loop.create_future()
        self._subscribing: dict[int, asyncio.Future[Sequence[bool]]] = {}
        self._window = Window(PUBLISH_WINDOW)
        self._timer: asyncio.TimerHandle | None = None
        self._write_planned = False
        self._paused = False

    @property
    def alive(self) -> bool:
        """Whether the connection stands."""
        return self._client.is_connected() and not self.lost.done()

    @property
    def full(self) -> bool:
        """Whether a publisher would have to wait."""
        return self._window.full

    async def open(self) -> Loss | None:
        """Connect and log in; None when the broker accepted, else what is wrong."""
        try:
            async with asyncio.timeout(self._options.connect_timeout_s):
                await self._connect_in_thread()
                self._attach()
                return await self._connack
        except TimeoutError:
            loss = Loss(why="does not answer", kind="silent")
        except ssl.SSLError as error:
            why = f"is not trusted ({error.reason or 'TLS failed'}): check the certificate and mqtt.ca_file"
            loss = Loss(why=why)
        except (OSError, ValueError) as error:
            loss = Loss(why=f"cannot be reached ({getattr(error, 'strerror', None) or error})")
        self._drop(loss)
        return loss

    async def publish(self, notice: Notice, *, qos: int = QOS_ACKNOWLEDGED, timeout_s: float) -> bool:
        """Send; True when acknowledged (for QoS 0: when handed to the socket), False when lost or not in time.

        Raises:
            ValueError: the topic is empty, too long, or holds a wildcard.
        """
        if not await self._window.enter(timeout_s):
            return False
        if not self.alive:
            self._window.leave()
            return False
        try:
            info = self._client.publish(notice.topic, notice.payload, qos, notice.retain)
        except ValueError:  # no topic at all, or one with a wildcard
            self._window.leave()
            raise
        if qos < QOS_ACKNOWLEDGED or info.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            self._window.leave()
            return info.rc == MQTTErrorCode.MQTT_ERR_SUCCESS
        return await self._window.sent(info.mid, timeout_s)

    async def subscribe(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Subscribe at QoS 1 and give the patterns that the broker refused; all of them when it did not answer."""
        code, mid = self._client.subscribe([(pattern, QOS_ACKNOWLEDGED) for pattern in patterns])
        if code != MQTTErrorCode.MQTT_ERR_SUCCESS or mid is None:
            return tuple(patterns)
        answer: asyncio.Future[Sequence[bool]] = self._loop.create_future()
        self._subscribing[mid] = answer
        try:
            async with asyncio.timeout(SUBSCRIBE_TIMEOUT_S):
                granted = await answer
        except TimeoutError:
            return tuple(patterns)
        return tuple(pattern for pattern, yes in zip(patterns, granted, strict=False) if not yes)

    def acknowledge(self, message: Inbound) -> None:
        """Tell the broker that the work of ``message`` is done, so that it need not send it again."""
        if self.alive:
            self._client.ack(message.mid, message.qos)

    def pause(self) -> None:
        """Stop reading: the broker is made to wait."""
        sock = self._open_sock()
        if sock is not None and not self._paused:
            self._paused = True
            self._loop.remove_reader(sock.fileno())

    def resume(self) -> None:
        """Read again."""
        sock = self._open_sock()
        if sock is not None and self._paused:
            self._paused = False
            self._loop.add_reader(sock.fileno(), self._on_readable)
            self._loop.call_soon(self._on_readable)

    def drop(self, why: str) -> None:
        """End the connection without a good-bye, as if it had broken."""
        self._drop(Loss(why=why))

    def _drop(self, loss: Loss) -> None:
        sock = self._client.socket()
        if sock is not None:
            self._detach(sock.fileno())
            with contextlib.suppress(OSError):
                sock.close()
        self._finish(loss)

    async def say_goodbye(self) -> None:
        """Send DISCONNECT, which cancels the last will, and wait until it is on its way."""
        if self.alive:
            self._client.disconnect()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._options.connect_timeout_s / 10):
                    await asyncio.shield(self.lost)
        self.drop("closed")

    def _new_client(self, will: Notice | None) -> Client:
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._options.client_id,
            clean_session=not self._options.keep_session,
            protocol=MQTTProtocolVersion.MQTTv311,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        client.max_inflight_messages = 0  # our own window bounds it, without a walk over all messages per answer
        client.connect_timeout = self._options.connect_timeout_s
        if self._options.address.username:
            client.username_pw_set(self._options.address.username, self._options.address.password)
        if will is not None:
            client.will_set(will.topic, will.payload, QOS_ACKNOWLEDGED, will.retain)
        client.on_socket_open = _send_at_once
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message
        return client

    async def _connect_in_thread(self) -> None:
        """Open the socket and send CONNECT.

        Raises:
            OSError: the name, the port or the TLS handshake failed.
            ValueError: the host is no host name.
        """
        done: asyncio.Future[None] = self._loop.create_future()

        def finish(error: Exception | None) -> None:
            if done.done():  # given up meanwhile: nobody else will close it
                _close_socket(self._client)
            elif error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

        def work() -> None:
            error: Exception | None = None
            try:
                _open_socket(self._client, self._options)
            except (OSError, ValueError) as problem:
                error = problem
            try:
                self._loop.call_soon_threadsafe(finish, error)
            except RuntimeError:  # the loop was closed meanwhile
                _close_socket(self._client)

        threading.Thread(target=work, name="mqtt-connect", daemon=True).start()
        await done

    def _attach(self) -> None:
        sock = self._client.socket()
        if sock is None:
            self._finish(Loss(why="closed the connection at once"))
            return
        self._client.on_socket_close = lambda _client, _data, closing: self._detach(closing.fileno())
        self._client.on_socket_register_write = lambda _client, _data, _sock: self._plan_write()
        self._loop.add_reader(sock.fileno(), self._on_readable)
        if self._client.want_write():
            self._plan_write()
        self._tick()

    def _open_sock(self) -> "SocketLike | None":
        return None if self.lost.done() else self._client.socket()

    def _detach(self, descriptor: int) -> None:
        if descriptor >= 0:
            self._loop.remove_reader(descriptor)
            self._loop.remove_writer(descriptor)

    def _tick(self) -> None:
        """Let paho ping, or notice that a ping was not answered; while all is quiet, when the next one is due."""
        was_planned = self._write_planned
        self._client.loop_misc()
        keepalives = AFTER_A_PING if self._write_planned and not was_planned else 1 / PINGS_PER_KEEPALIVE
        if not self.lost.done():
            self._timer = self._loop.call_later(self._options.keepalive_s * keepalives, self._tick)

    def _on_readable(self) -> None:
        if self._open_sock() is None:
            return
        try:
            self._client.loop_read()
            while isinstance(sock := self._open_sock(), ssl.SSLSocket) and sock.pending() and not self._paused:
                self._client.loop_read()  # what TLS has already decrypted never makes the socket readable
        except BaseException:
            self.drop("sent something that cannot be read")  # else the socket would stay readable for ever
            raise

    def _plan_write(self) -> None:
        """Write once at the end of this round of the loop, however many packets were queued in it."""
        if not self._write_planned:
            self._write_planned = True
            self._loop.call_soon(self._write)

    def _write(self) -> None:
        self._write_planned = False
        sock = self._open_sock()
        if sock is None:
            return
        self._client.loop_write()
        if self._open_sock() is None:
            return
        if self._client.want_write():
            self._loop.add_writer(sock.fileno(), self._write)
        else:
            self._loop.remove_writer(sock.fileno())

    def _on_connect(self, _client: Client, _data: object, _flags: ConnectFlags, code: ReasonCode, _p: object) -> None:
        if not self._connack.done():
            self._connack.set_result(_refusal(code) if code.is_failure else None)

    def _on_disconnect(
        self, _client: Client, _data: object, _flags: DisconnectFlags, code: ReasonCode, _p: object
    ) -> None:
        if str(code) == KEEPALIVE_OVER:
            self._finish(Loss(why="does not answer any more", kind="silent"))
        else:
            self._finish(Loss(why=f"closed the connection ({code})".removesuffix(" (Unspecified error)")))  # no reason

    def _on_publish(self, _client: Client, _data: object, mid: int, _code: ReasonCode, _p: Properties) -> None:
        self._window.acknowledged(mid)

    def _on_subscribe(self, _client: Client, _data: object, mid: int, codes: Sequence[ReasonCode], _p: object) -> None:
        answer = self._subscribing.pop(mid, None)
        if answer is not None and not answer.done():
            answer.set_result([not code.is_failure for code in codes])

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        try:
            topic: str | None = message.topic
        except UnicodeDecodeError:
            topic = None
        inbound = Inbound(
            topic=topic,
            payload=bytes(message.payload),
            retained=message.retain,
            qos=message.qos,
            mid=message.mid,
        )
        self._receive(self, inbound)

    def _finish(self, loss: Loss) -> None:
        """Settle everything that still waits for this connection, once."""
        if self._timer is not None:
            self._timer.cancel()
        if not self._connack.done():
            self._connack.set_result(loss)
        if self.lost.done():
            return
        self.lost.set_result(loss)
        self._window.close()
        for answer in self._subscribing.values():
            if not answer.done():
                answer.set_result(())


class _TidySocket(ssl.SSLSocket):
    """Closes itself when the handshake fails; paho forgets to."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002  the signature of the base class
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def _open_socket(client: Client, options: LinkOptions) -> None:
    if options.address.tls:
        context = ssl.create_default_context(cafile=_text(options.address.ca_file))
        context.sslsocket_class = _TidySocket
        client.tls_set_context(context)
    client.connect(options.address.host, options.address.port, options.keepalive_s)


def _send_at_once(_client: Client, _data: object, opened: "SocketLike") -> None:
    """Switch Nagle's algorithm off: else the second of two small messages waits 40 ms for the first one's ACK."""
    if isinstance(opened, socket.socket):
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _close_socket(client: Client) -> None:
    sock = client.socket()
    if sock is not None:
        sock.close()


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _refusal(code: ReasonCode) -> Loss:
    return Loss(why=REFUSALS.get(str(code), f"refused us ({code})"), kind="refused")
