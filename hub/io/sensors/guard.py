"""What keeps a sensor harmless: a time limit, one blocking look at a time, and failures turned into readings."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

from hub.contract.errors import WorldError
from hub.domain.situation import AnyReading, BrokenReading, Reading

T = TypeVar("T")


class UnreadableError(WorldError):
    """A sensor could not read its source. Pulse goes on without it; `pulse doctor` says what is missing."""

    code = "sensor-unreadable"


async def guarded(name: str, now: datetime, limit_s: float, look: Awaitable[AnyReading]) -> Reading:
    """Await one look; what is expected to go wrong outside Pulse becomes a `BrokenReading`."""
    try:
        async with asyncio.timeout(limit_s):
            body = await look
    except TimeoutError:
        body = BrokenReading(detail=f"Reading took longer than {limit_s:g} s. It is tried again at the next tick.")
    except (OSError, UnreadableError) as wrong:
        body = BrokenReading(detail=str(wrong))
    return Reading(sensor=name, at=now, body=body)


class Disk:
    """Runs blocking looks in a thread, one at a time: a hanging file system costs one thread and not the hub."""

    def __init__(self) -> None:
        self._busy = False

    async def look(self, at: Callable[[], T]) -> T:
        """Run `at` beside the loop.

        Raises:
            UnreadableError: the look before has not come back yet.
        """
        if self._busy:
            raise UnreadableError("The file system has not answered the last look yet. Is a network drive away?")
        self._busy = True

        def looked() -> T:
            try:
                return at()
            finally:
                self._busy = False

        return await asyncio.get_running_loop().run_in_executor(None, looked)
