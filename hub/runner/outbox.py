"""The sender of the outbox. A message is retired by the receiver's receipt, or, where none is promised, by the broker.

What was just committed is sent at once (the writer holds its lease), and again and again for a while where the broker
is away: mostly it is back within a moment. Whatever could not be sent, or got no receipt in time, is claimed again when
its lease runs out, with the same id, until it expires.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Sequence

from hub.contract.errors import PulseError
from hub.domain.storage import DeleteSent, Outgoing
from hub.loop.commands import Mention
from hub.ports import Bus, Clock, Store

IN_FLIGHT_MAX = 512
MENTIONS_MAX = 128
CLAIM_MAX = 256
RETIRE_BATCH_MAX = 256
RETIRE_S = 0.5
"""How long an acknowledged message may wait for a transaction to be retired with."""
LEASE_S = 30.0
AGAIN_S = 0.2
"""How soon a message is tried again that the broker did not take."""
TRIES_MAX = 50
"""Well before its lease runs out; then it waits for that."""
log = logging.getLogger(__name__)


class Outbox:
    """Sends committed messages and retires them."""

    def __init__(self, store: Store, bus: Bus, clock: Clock) -> None:
        self._store = store
        self._bus = bus
        self._clock = clock
        self._in_flight = 0
        self._mentions = 0
        self._acknowledged: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._retiring: asyncio.TimerHandle | None = None
        self._closing = asyncio.Event()
        self.unsent = 0

    def send(self, messages: Sequence[Outgoing]) -> None:
        """Send what was just committed; beyond the limit in flight, the rest waits for its lease to run out."""
        for message in messages:
            if self._in_flight >= IN_FLIGHT_MAX:
                self.unsent += 1
                continue
            self._in_flight += 1
            self._spawn(self._publish(message))

    def mention(self, mention: Mention) -> None:
        """Publish once to whoever listens now; while too many are on their way, this one is dropped."""
        if self._mentions < MENTIONS_MAX:
            self._mentions += 1
            self._spawn(self._mention(mention))

    async def claim(self) -> None:
        """Send again what nobody acknowledged in time."""
        if not self._bus.health().connected:
            return
        claimed = await self._store.claim(now=self._clock.now(), lease_s=LEASE_S, limit=CLAIM_MAX)
        self.send(claimed)

    async def close(self, timeout_s: float) -> None:
        """Give what is in flight a moment, then leave the rest to the next start."""
        self._closing.set()
        if self._retiring is not None:
            self._retiring.cancel()
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=timeout_s)
        for task in tuple(self._tasks):
            task.cancel()
        await self._retire()

    async def _publish(self, message: Outgoing) -> None:
        try:
            sent = await self._sent(message)
        except PulseError as error:  # no broker will ever take it, so it must not come back
            log.error("a message on %s can never be sent: %s", message.topic, error.code)  # noqa: TRY400  expected
            self._acknowledge(message.id)
            return
        finally:
            self._in_flight -= 1
        if not sent:
            self.unsent += 1
        elif not message.wants_receipt:
            self._acknowledge(message.id)

    async def _sent(self, message: Outgoing) -> bool:
        for _ in range(TRIES_MAX):
            if await self._bus.publish(message.topic, message.payload, retain=message.retain):
                return True
            if message.expires_at is not None and message.expires_at <= self._clock.now():
                return False
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_S):
                    await self._closing.wait()
            if self._closing.is_set():
                return False
        return False

    async def _mention(self, mention: Mention) -> None:
        try:
            await self._bus.publish(mention.topic, mention.payload, qos=0)
        except PulseError as error:
            log.warning("a mention on %s was dropped: %s", mention.topic, error.code)
        finally:
            self._mentions -= 1

    def acknowledged(self) -> tuple[str, ...]:
        """Hand over ids that the broker has taken, to be retired along with the next transaction.

        If that is not written, they are sent again, and receivers drop them by id.
        """
        ids = tuple(self._acknowledged[:RETIRE_BATCH_MAX])
        del self._acknowledged[: len(ids)]
        return ids

    def _acknowledge(self, message_id: str) -> None:
        self._acknowledged.append(message_id)
        if self._retiring is None:
            self._retiring = asyncio.get_running_loop().call_later(RETIRE_S, self._retire_rest)

    def _retire_rest(self) -> None:
        self._retiring = None
        self._spawn(self._retire())

    async def _retire(self) -> None:
        """Retire what no other transaction took along."""
        while ids := self.acknowledged():
            await self._store.commit([(DeleteSent(ids=ids),)])

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
