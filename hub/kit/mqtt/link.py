"""The bus over MQTT 3.1.1: it keeps one connection, comes back after a loss, and acknowledges only finished work.

What callers may rely on:

- ``publish`` is True only after the broker's acknowledgement. Nothing is kept here for later: on False the caller
  still has its outbox row and tries again under the same event id.
- A message is acknowledged to the broker after its handler returned. If the handler raised, or the program died, the
  broker sends it again after the next connection; so handlers drop repeats, and return (not raise) on garbage.
- The session is the broker's, under a fixed client id: while we are away it queues what we subscribed to.
- Memory is bounded: when too much waits for handlers, reading stops and the broker has to wait.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

from msgspec import structs

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.mqtt.connection import PUBLISH_WINDOW, Connection, Inbound, LinkOptions, Loss
from hub.kit.mqtt.messages import Delivery, LinkHealth, Notice, covers
from hub.kit.tasks import end_all

INBOUND_MESSAGES_MAX = 2_000
INBOUND_BYTES_MAX = 8 * 1024 * 1024
MESSAGE_BYTES_MAX = 256 * 1024
PUBLISH_TIMEOUT_S = 5.0
STABLE_AFTER_S = 10.0
"""A connection that lasted this long was a good one: the next loss is answered promptly again."""

log = logging.getLogger(__name__)
Handler = Callable[[Delivery], Awaitable[None]]


class MessageTooLargeError(UserError):
    """The message is larger than brokers are set to carry (256 KiB). Send less, or a reference to it."""

    code = "message-too-large"
    status = 413


class MqttTuning(Value):
    """Bounds that tests tighten; the defaults are the ones measured."""

    retry: RetryPolicy = RetryPolicy()
    publish_timeout_s: float = PUBLISH_TIMEOUT_S
    inbound_messages_max: int = INBOUND_MESSAGES_MAX


AS_MEASURED = MqttTuning()


class _Listener:
    """One handler, the patterns it wants, and what waits for it in order."""

    def __init__(self, patterns: Sequence[str], handle: Handler, waiting_max: int) -> None:
        self.patterns = tuple(patterns)
        self.handle = handle
        self.queue: asyncio.Queue[tuple[Connection, Inbound]] = asyncio.Queue(waiting_max)
        self.worker: asyncio.Task[None] | None = None

    def wants(self, topic: str) -> bool:
        return any(covers(pattern, topic) for pattern in self.patterns)


class MqttLink:
    """The ``Bus`` port over a broker. Call ``listen`` for everything first, then ``start`` once."""

    def __init__(
        self,
        options: LinkOptions,
        *,
        will: Callable[[], Notice] | None = None,
        birth: Callable[[], Sequence[Notice]] | None = None,
        on_change: Callable[[LinkHealth], None] | None = None,
        on_loss: Callable[[Loss], None] | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        draw: Callable[[], float] = random.random,
        tuning: MqttTuning = AS_MEASURED,
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            options: where and as whom to connect.
            will: makes the message that the broker sends when we vanish; also sent by ourselves on ``close``.
            birth: makes what is sent first after each connect (fresh each time: receivers drop repeated event ids).
            on_change: told each time the connection comes or goes, so that an outbox need not poll.
            on_loss: told of every connection that was lost or could not be made.
            clock: gives the present moment, in UTC, for ``health().since``.
            draw: numbers in [0, 1) for the jitter.
            tuning: bounds.
        """
        self._options = options
        self._will, self._birth = will, birth
        self._on_change, self._on_loss = on_change, on_loss
        self._clock, self._draw, self._tuning = clock, draw, tuning
        self._listeners: list[_Listener] = []
        self._link: Connection | None = None
        self._up = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._waiting_messages, self._waiting_bytes = 0, 0
        self._dropped = 0
        self._refused: dict[str, None] = {}
        self._moved = asyncio.Event()
        self._posts: set[asyncio.Task[bool]] = set()
        self._health = LinkHealth(connected=False, broker=options.address.shown, detail="not started", since=None)

    def start(self) -> None:
        """Begin to connect, and keep at it until ``close``. Messages for which nobody listens by now are let go."""
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep_connected(), name="mqtt-connection")
            self._keeper.add_done_callback(_report_bug)

    async def until_connected(self, timeout_s: float) -> bool:
        """Wait for a connection, with all subscriptions made; False when there is none in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._up.wait()
        return self._up.is_set()

    async def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Return True once the broker acknowledged; False when it could not be reached in time.

        Raises:
            MessageTooLargeError: mosquitto would acknowledge such a message and throw it away.
            ValueError: ``topic`` is empty or holds a wildcard, a space or a line break.
        """
        if any(letter.isspace() for letter in topic):  # nats-server ends the connection for it, each time anew
            raise ValueError(f"a topic has no spaces: {topic!r}")
        if len(payload) > MESSAGE_BYTES_MAX:
            raise MessageTooLargeError
        link = self._link
        if link is None or not link.alive:
            await asyncio.sleep(0)  # a caller that tries again at once must let the connection be made meanwhile
            return False
        timeout_s = self._tuning.publish_timeout_s
        notice = Notice(topic=topic, payload=payload, retain=retain)
        acknowledged = await link.publish(notice, qos=qos, timeout_s=timeout_s)
        if not acknowledged and link.alive and link.full:
            link.drop("has acknowledged nothing for a while")
        return acknowledged

    def post(self, notice: Notice) -> asyncio.Task[bool] | None:
        """Publish without waiting, in the order of the calls; None, and nothing is sent, without a connection."""
        if self._link is None or not self._link.alive:
            return None
        post = asyncio.create_task(self.publish(notice.topic, notice.payload, retain=notice.retain))
        self._posts.add(post)
        post.add_done_callback(self._posts.discard)
        return post

    def move(self, options: LinkOptions) -> None:
        """Connect at once to another place, or as somebody else."""
        self._options = options
        self._moved.set()
        if self._link is not None:
            self._link.drop("is not ours any more")

    async def listen(self, patterns: Sequence[str], handle: Handler) -> None:
        """Subscribe now and after each reconnect; a message is acknowledged only after `handle` returned.

        A message goes to the first listener that wants it, one after the other in the order of arrival.
        """
        listener = _Listener(patterns, handle, self._tuning.inbound_messages_max + PUBLISH_WINDOW)
        listener.worker = asyncio.create_task(self._work(listener), name="mqtt-listener")
        self._listeners.append(listener)
        if self._link is not None:
            self._add_refused(await self._link.subscribe(listener.patterns))

    def health(self) -> LinkHealth:
        """Say whether the broker is reachable."""
        if not self._dropped:
            return self._health
        told = f"{self._health.detail} {self._dropped} messages that nobody wanted or that came too fast were let go."
        return structs.replace(self._health, detail=told)

    async def close(self) -> None:
        """Say good-bye and disconnect, keeping the session for the next start; safe to call twice."""
        keeper, self._keeper = self._keeper, None
        link = self._link
        if link is not None and self._will is not None:
            await link.publish(self._will(), timeout_s=self._options.connect_timeout_s / 10)
        if keeper is not None:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)
        if link is not None:
            await link.say_goodbye()
        ending = [*self._posts, *(listener.worker for listener in self._listeners if listener.worker is not None)]
        await end_all(ending)
        self._listeners.clear()
        self._set_health(connected=False, detail="closed")

    async def _keep_connected(self) -> None:
        """Connect, wait for the loss, wait a little, and again; only ``close`` ends it."""
        loop = asyncio.get_running_loop()
        attempt = 0
        while True:
            link = Connection(self._options, self._receive, self._will() if self._will else None)
            try:
                loss = await link.open()
            except asyncio.CancelledError:
                link.drop("closed")
                raise
            opened = loop.time()
            if loss is None:
                loss = await self._use(link)
                attempt = 0 if loop.time() - opened > STABLE_AFTER_S else attempt
            self._set_health(connected=False, detail=f"The broker {loss.why}. Trying again automatically.")
            if self._on_loss is not None:
                self._on_loss(loss)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(retry_delay_s(attempt, self._tuning.retry, self._draw)):
                    await self._moved.wait()
            self._moved.clear()
            attempt += 1

    async def _use(self, link: Connection) -> Loss:
        """Subscribe, greet, and stay with ``link`` until it is lost; why it was."""
        self._link = link
        try:
            self._refused.clear()
            for listener in tuple(self._listeners):
                self._add_refused(await link.subscribe(listener.patterns))
            if self._refused and self._options.must_hear:
                link.drop("does not let Pulse receive its messages")
            for notice in self._birth() if self._birth is not None else ():
                self.post(notice)
            if link.alive:
                self._set_health(connected=True, detail=self._connected_detail())
            return await asyncio.shield(link.lost)
        finally:
            self._link = None

    def _receive(self, link: Connection, message: Inbound) -> None:
        """Queue a message for its listener. Called by the link while it reads: nothing else happens here."""
        topic = message.topic
        listener = next((each for each in self._listeners if topic is not None and each.wants(topic)), None)
        too_many = self._is_full()
        if listener is None or (message.qos == 0 and too_many):
            self._dropped += 1
            link.acknowledge(message)
            return
        listener.queue.put_nowait((link, message))
        self._waiting_messages += 1
        self._waiting_bytes += len(message.payload)
        if self._is_full():
            link.pause()

    def _is_full(self) -> bool:
        return self._waiting_messages >= self._tuning.inbound_messages_max or self._waiting_bytes >= INBOUND_BYTES_MAX

    async def _work(self, listener: _Listener) -> None:
        """Handle what waits for one listener, in order, until cancelled."""
        while True:
            link, message = await listener.queue.get()
            if link.alive or message.qos == 0:  # else the broker will send it again
                await self._handle(listener, link, message)
            self._waiting_messages -= 1
            self._waiting_bytes -= len(message.payload)
            if self._link is not None and self._waiting_messages <= self._tuning.inbound_messages_max // 2:
                self._link.resume()

    async def _handle(self, listener: _Listener, link: Connection, message: Inbound) -> None:
        delivery = Delivery(topic=message.topic or "", payload=message.payload, retained=message.retained)
        try:
            await listener.handle(delivery)
        except Exception:  # whatever it was, the work is not done: not acknowledged, so the broker sends it again
            log.exception("The handler of a message failed; the broker will send it again.")
            link.drop("will be asked again for a message that could not be handled")
        else:
            link.acknowledge(message)

    def _add_refused(self, patterns: Sequence[str]) -> None:
        for pattern in patterns:
            self._refused[pattern] = None
        if patterns and self._health.connected:
            self._set_health(connected=True, detail=self._connected_detail())

    def _connected_detail(self) -> str:
        if not self._refused:
            return "Connected."
        return f"Connected, but the broker refused a subscription to {', '.join(self._refused)}: check its access list."

    def _set_health(self, *, connected: bool, detail: str) -> None:
        changed = connected != self._health.connected or self._health.since is None
        since = self._clock() if changed else self._health.since
        self._health = LinkHealth(connected=connected, broker=self._options.address.shown, detail=detail, since=since)
        (self._up.set if connected else self._up.clear)()
        if changed and self._on_change is not None:
            self._on_change(self._health)


def _report_bug(task: asyncio.Task[None]) -> None:
    """Hand an exception that ended ``task`` to the loop: that is a bug, and must not stay unseen."""
    if not task.cancelled() and (error := task.exception()) is not None:
        context = {"message": "The connection to the broker ended by a bug.", "exception": error, "task": task}
        task.get_loop().call_exception_handler(context)
