"""What keeps a sensor harmless: a time limit, one blocking look at a time, and failures turned into readings."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

from hub.contract.errors import WorldError
from hub.domain.readings import AnyReading, BrokenReading, Reading

T = TypeVar("T")


class UnreadableError(WorldError):
    """A sensor could not read its source. Pulse continues without it; `pulse doctor` shows what is missing."""

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


class DiskSensor(ABC):
    """A sensor that looks at files in a thread, within `read_s_max`, and holds nothing open in between."""

    name: str
    read_s_max = 2.0

    def __init__(self) -> None:
        self._disk = Disk()

    async def read(self, now: datetime) -> Reading:
        """Look once."""
        return await guarded(self.name, now, self.read_s_max, self._disk.look(lambda: self.look(now)))

    async def close(self) -> None:  # noqa: B027  there is nothing to close
        """Nothing is held open."""

    @abstractmethod
    def look(self, now: datetime) -> AnyReading:
        """Look, beside the loop.

        Raises:
            OSError: the files cannot be read.
            UnreadableError: what they say is no use.
        """
