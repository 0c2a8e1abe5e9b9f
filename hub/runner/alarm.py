"""The one timer: a tick at least every half minute, and earlier when something is due."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from hub.ports import Clock

TICK_S = 30.0


class Alarm:
    """Calls `tick` whenever the earliest moment that was set has come."""

    def __init__(self, clock: Clock, tick: Callable[[], Awaitable[None]]) -> None:
        self._clock = clock
        self._tick = tick
        self._at: datetime | None = None
        self._earlier = asyncio.Event()

    def set(self, at: datetime) -> None:
        """Tick at `at` at the latest."""
        if self._at is None or at < self._at:
            self._at = at
            self._earlier.set()

    async def run(self) -> None:
        """Tick for ever."""
        while True:
            await self._wait()
            await self._tick()

    async def _wait(self) -> None:
        latest = self._clock.now() + timedelta(seconds=TICK_S)
        self._at = latest if self._at is None else min(self._at, latest)  # one that has passed meanwhile is due now
        while self._clock.now() < self._at:
            self._earlier.clear()
            sleeping = asyncio.ensure_future(self._clock.sleep_until(self._at))
            woken = asyncio.ensure_future(self._earlier.wait())
            try:
                await asyncio.wait((sleeping, woken), return_when=asyncio.FIRST_COMPLETED)
            finally:
                sleeping.cancel()
                woken.cancel()
        self._at = None
