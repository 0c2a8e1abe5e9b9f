"""Those who wait for the loop's replies: each for a bounded time, all with one timer."""

import asyncio

from hub.domain.requests import Reply

SUBMIT_S_MAX = 60.0


class Waiters:
    """Futures by name. Whoever waits too long gets a `TimeoutError`."""

    def __init__(self, wait_s_max: float = SUBMIT_S_MAX) -> None:
        self._wait_s_max = wait_s_max
        self._by_name: dict[str, tuple[float, asyncio.Future[Reply]]] = {}  # the first to be late stands first
        self._timer: asyncio.TimerHandle | None = None
        self._count = 0

    def add(self) -> tuple[str, asyncio.Future[Reply]]:
        """Return a fresh name and the future that waits under it."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Reply] = loop.create_future()
        self._count += 1
        name = str(self._count)
        self._by_name[name] = (loop.time() + self._wait_s_max, waiter)
        if self._timer is None:
            self._timer = loop.call_later(self._wait_s_max, self._expire)
        return name, waiter

    def answer(self, name: str, reply: Reply) -> None:
        """Give one its reply, if it still waits."""
        _, waiter = self._by_name.get(name, (0.0, None))
        if waiter is not None and not waiter.done():
            waiter.set_result(reply)

    def remove(self, name: str) -> None:
        """Forget one that has its reply, or gave up."""
        del self._by_name[name]

    def close(self) -> None:
        """Let nobody wait any longer."""
        if self._timer is not None:
            self._timer.cancel()
        for _, waiter in self._by_name.values():
            waiter.cancel()

    def _expire(self) -> None:
        """End the waiting of those who are late, and look again when the next one is."""
        loop = asyncio.get_running_loop()
        self._timer = None
        for deadline, waiter in self._by_name.values():
            if deadline > loop.time():
                self._timer = loop.call_at(deadline, self._expire)
                return
            if not waiter.done():
                waiter.set_exception(TimeoutError())
