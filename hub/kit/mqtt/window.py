"""Published messages that wait for their acknowledgement: bounded in number, and in time, by one timer for all."""

import asyncio


class Window:
    """Places for messages under way; a message keeps its place until it is acknowledged or the connection ends."""

    def __init__(self, places: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._places = asyncio.Semaphore(places)
        self._waiting: dict[int, tuple[float, asyncio.Future[bool]]] = {}  # who has waited longest stands first
        self._timer: asyncio.TimerHandle | None = None

    @property
    def full(self) -> bool:
        """Whether the next message would have to wait for a place."""
        return self._places.locked()

    async def enter(self, timeout_s: float) -> bool:
        """Take a place; False when none became free in time."""
        if not self.full:
            return await self._places.acquire()
        try:
            async with asyncio.timeout(timeout_s):
                return await self._places.acquire()
        except TimeoutError:
            return False

    def leave(self) -> None:
        """Give a place back that no message took."""
        self._places.release()

    def sent(self, mid: int, timeout_s: float) -> asyncio.Future[bool]:
        """Return a future: True when message `mid` is acknowledged, False when it is not in time or never will be."""
        outcome: asyncio.Future[bool] = self._loop.create_future()
        self._waiting[mid] = (self._loop.time() + timeout_s, outcome)
        if self._timer is None:
            self._timer = self._loop.call_later(timeout_s, self._give_up)
        return outcome

    def acknowledged(self, mid: int) -> None:
        """Note that message `mid` arrived."""
        _, outcome = self._waiting.pop(mid, (0.0, None))
        if outcome is not None:
            self._places.release()
            if not outcome.done():
                outcome.set_result(True)

    def close(self) -> None:
        """The connection is over: nothing of this will be acknowledged."""
        if self._timer is not None:
            self._timer.cancel()
        waiting, self._waiting = self._waiting, {}
        for _, outcome in waiting.values():
            self._places.release()
            if not outcome.done():
                outcome.set_result(False)

    def _give_up(self) -> None:
        """Tell those who are late, and look again when the next one is."""
        self._timer = None
        for deadline, outcome in self._waiting.values():
            if deadline > self._loop.time():
                self._timer = self._loop.call_at(deadline, self._give_up)
                return
            if not outcome.done():
                outcome.set_result(False)
