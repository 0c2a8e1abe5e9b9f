"""What all gateways carry by: lanes, in which a later message overtakes the one before it, and when to try again.

Two messages about one card on one device never pass each other: the later one waits for an attempt that is under way
and ends all further ones of the earlier, else an outcome could be replaced by the open card again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable

from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.tasks import end_all

WAITING_MAX = 20_000
RETRY = RetryPolicy(base_s=0.5, cap_s=300.0)
TRIES_MAX = 60
ASKED_S_MAX = 86_400.0
"""No service makes us wait for longer than this."""


def next_try_s(tried: int, asked_s: float, left_s: float, draw: Callable[[], float]) -> float | None:
    """Say how long to wait after `tried` failures: full jitter, on top of what the service asked for.

    Returns:
        Seconds; None when the message would have expired by then, or enough was tried.
    """
    wait_s = min(asked_s, ASKED_S_MAX) + retry_delay_s(tried, RETRY, draw)
    return wait_s if tried < TRIES_MAX and wait_s < left_s else None


class Lane:
    """The place of the one live message. `overtaken` says that another one has come; `left`, that this one is over."""

    def __init__(self) -> None:
        self.overtaken = asyncio.Event()
        self.left = asyncio.Event()

    async def pause(self, wait_s: float) -> None:
        """Wait for the next attempt, or until a later message makes it pointless."""
        try:
            async with asyncio.timeout(wait_s):
                await self.overtaken.wait()
        except TimeoutError:
            return


class Lanes:
    """All messages of one process. A message that comes again while it is under way is one message."""

    def __init__(self, waiting_max: int = WAITING_MAX) -> None:
        self._waiting_max = waiting_max
        self._lanes: dict[Hashable, Lane] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        """How many messages are under way or waiting for another attempt."""
        return len(self._tasks)

    def __contains__(self, message_id: str) -> bool:
        """Whether a message is under way."""
        return message_id in self._tasks

    def enter(self, message_id: str, key: Hashable, work: Callable[[Lane], Awaitable[None]]) -> bool:
        """Begin the work of a message in the lane named `key`; False when there is no room, and nothing was begun."""
        if message_id in self._tasks:
            return True
        if len(self._tasks) >= self._waiting_max:
            return False
        earlier, lane = self._lanes.get(key), Lane()
        self._lanes[key] = lane
        task = asyncio.create_task(self._run(key, lane, earlier, work))
        self._tasks[message_id] = task
        task.add_done_callback(lambda done: self._ended(message_id, done))
        return True

    async def close(self) -> None:
        """End what is under way."""
        tasks = list(self._tasks.values())
        await end_all(tasks)

    async def _run(
        self, key: Hashable, lane: Lane, earlier: Lane | None, work: Callable[[Lane], Awaitable[None]]
    ) -> None:
        try:
            if earlier is not None:
                earlier.overtaken.set()
                await earlier.left.wait()
            await work(lane)
        finally:
            lane.left.set()
            if self._lanes.get(key) is lane:
                del self._lanes[key]

    def _ended(self, message_id: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(message_id, None)
        if not task.cancelled() and task.exception() is not None:
            bug = {"message": "a delivery ended in a bug", "exception": task.exception()}
            task.get_loop().call_exception_handler(bug)
