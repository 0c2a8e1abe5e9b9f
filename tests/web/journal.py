"""What happened, in order, with waiting for what is still to come."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
WAIT_S_MAX = 40.0


class Journal(Generic[T]):
    """Entries that one side adds and a test waits for, all on one event loop."""

    def __init__(self) -> None:
        self.entries: list[T] = []
        self._more = asyncio.Event()

    def add(self, entry: T) -> None:
        self.entries.append(entry)
        self._more.set()

    async def first(self, wanted: Callable[[T], bool], *, after: int = 0, wait_s_max: float = WAIT_S_MAX) -> T:
        """Return the first entry from place `after` on that is wanted; wait for it."""
        try:
            async with asyncio.timeout(wait_s_max):
                return await self._first(wanted, after)
        except TimeoutError:
            raise AssertionError(f"did not happen within {wait_s_max:g} s; seen: {self.entries[after:]}") from None

    async def next(self, *, after: int, wait_s_max: float = WAIT_S_MAX) -> T:
        """Return the entry at place `after`."""
        return await self.first(lambda _entry: True, after=after, wait_s_max=wait_s_max)

    async def _first(self, wanted: Callable[[T], bool], after: int) -> T:
        place = after
        while True:
            self._more.clear()
            while place < len(self.entries):
                if wanted(self.entries[place]):
                    return self.entries[place]
                place += 1
            await self._more.wait()
