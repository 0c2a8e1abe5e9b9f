"""A broker and its clients in memory; they pass the same conformance suite as mosquitto and paho."""

import asyncio
import collections
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

from hub.kit.mqtt.link import MESSAGE_BYTES_MAX, MessageTooLargeError
from hub.kit.mqtt.messages import Delivery, LinkHealth, covers

Handler = Callable[[Delivery], Awaitable[None]]
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
WAIT_S_MAX = 30.0
"""A broker that lets a client wait for its connection twice is slow, not wrong: a `MqttLink` tries again by itself."""


class Inbox:
    """A handler that remembers what it was given, for tests to wait on."""

    def __init__(self, failures: int = 0) -> None:
        self.deliveries: list[Delivery] = []
        self._failures_left = failures
        self._changed = asyncio.Event()

    async def __call__(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)
        self._changed.set()
        if self._failures_left > 0:
            self._failures_left -= 1
            raise RuntimeError("this handler was told to fail")

    @property
    def payloads(self) -> list[bytes]:
        return [delivery.payload for delivery in self.deliveries]

    async def wait_for(self, wanted: Callable[[], bool], timeout_s: float = WAIT_S_MAX) -> None:
        async with asyncio.timeout(timeout_s):
            while not wanted():
                self._changed.clear()
                await self._changed.wait()

    async def wait_count(self, count: int, timeout_s: float = WAIT_S_MAX) -> None:
        await self.wait_for(lambda: len(self.deliveries) >= count, timeout_s)


class FakeSession:
    """What the broker remembers of one client."""

    def __init__(self) -> None:
        self.patterns: dict[str, None] = {}
        self.waiting: collections.deque[Delivery] = collections.deque()
        self.wake = asyncio.Event()
        self.connected = False

    def give(self, delivery: Delivery) -> None:
        self.waiting.append(delivery)
        self.wake.set()


class FakeBroker:
    """Sessions and retained messages. ``online`` may be set to False to take it away from everybody."""

    def __init__(self) -> None:
        self.sessions: dict[str, FakeSession] = {}
        self.retained: dict[str, bytes] = {}
        self.published: list[Delivery] = []
        self.online = True

    def session(self, name: str) -> FakeSession:
        return self.sessions.setdefault(name, FakeSession())

    def publish(self, topic: str, payload: bytes, *, qos: int, retain: bool) -> None:
        self.published.append(Delivery(topic=topic, payload=payload, retained=retain))
        if retain and payload:
            self.retained[topic] = payload
        elif retain:
            self.retained.pop(topic, None)
        for session in self.sessions.values():
            heard = any(covers(pattern, topic) for pattern in session.patterns)
            if heard and (qos > 0 or session.connected):
                session.give(Delivery(topic=topic, payload=payload, retained=False))

    def subscribe(self, session: FakeSession, patterns: Sequence[str]) -> None:
        for pattern in patterns:
            session.patterns[pattern] = None
            for topic, payload in self.retained.items():
                if covers(pattern, topic):
                    session.give(Delivery(topic=topic, payload=payload, retained=True))


class FakeBus:
    """The ``Bus`` port on a ``FakeBroker``."""

    def __init__(self, broker: FakeBroker | None = None, name: str = "hub") -> None:
        self.broker = broker if broker is not None else FakeBroker()
        self._session = self.broker.session(name)
        self._listeners: list[tuple[tuple[str, ...], Handler]] = []
        self._worker: asyncio.Task[None] | None = None
        self._open = True
        self._idle = asyncio.Event()
        self._session.connected = True

    async def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        if len(payload) > MESSAGE_BYTES_MAX:
            raise MessageTooLargeError
        if not topic or "+" in topic or "#" in topic or any(letter.isspace() for letter in topic):
            raise ValueError("a topic to publish on is not empty and holds no wildcard and no space")
        await asyncio.sleep(0)
        if not (self._open and self.broker.online):
            return False
        self.broker.publish(topic, payload, qos=qos, retain=retain)
        return True

    async def listen(self, patterns: Sequence[str], handle: Handler) -> None:
        self._listeners.append((tuple(patterns), handle))
        self.broker.subscribe(self._session, patterns)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())
            self._session.wake.set()

    def health(self) -> LinkHealth:
        connected = self._open and self.broker.online
        return LinkHealth(connected=connected, broker="fake", detail="" if connected else "gone", since=EPOCH)

    async def close(self) -> None:
        self._open = False
        self._session.connected = False
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
            self._worker = None

    async def settled(self) -> None:
        """Return when everything that waited was handled."""
        if self._session.waiting:
            self._idle.clear()
            await self._idle.wait()

    async def _work(self) -> None:
        session = self._session
        while True:
            await session.wake.wait()
            session.wake.clear()
            while session.waiting:
                if await self._handled(session.waiting[0]):
                    session.waiting.popleft()
                await asyncio.sleep(0)
            self._idle.set()

    async def _handled(self, delivery: Delivery) -> bool:
        for patterns, handle in self._listeners:
            if any(covers(pattern, delivery.topic) for pattern in patterns):
                try:
                    await handle(delivery)
                except Exception:  # noqa: BLE001  any failure means: not acknowledged, so given again
                    return False
                return True
        return True
