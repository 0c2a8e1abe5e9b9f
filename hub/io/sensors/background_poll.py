"""What a slow service tells of a repository: asked for beside the loop, which never waits for it, and not too often."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from hub.sense.pull_requests import github_name

T = TypeVar("T")


class BackgroundPoll(ABC, Generic[T]):
    """What a service tells of one thing, as last told; None until it has said it."""

    def __init__(self, every: timedelta) -> None:
        """Ask once in such a time at most."""
        self._every = every
        self._asked_at: datetime | None = None
        self._asking: asyncio.Task[None] | None = None
        self._known: T | None = None

    @abstractmethod
    async def ask(self, name: str, now: datetime) -> T | None:
        """Ask about a thing by its name, a repository as "owner/name"; None leaves what is known as it is."""

    def read(self, address: str, now: datetime) -> T | None:
        """Return what is known of a repository by its remote's address; only github.com's are asked about."""
        return self.look(github_name(address), now)

    def look(self, name: str, now: datetime) -> T | None:
        """Return what is known, and ask again beside it when that is old; nothing is asked about an empty name."""
        is_old = self._asked_at is None or abs(now - self._asked_at) >= self._every
        if name and is_old and (self._asking is None or self._asking.done()):
            self._asked_at = now
            self._asking = asyncio.create_task(self._ask(name, now))
        return self._known

    async def settled(self) -> None:
        """Wait until what is being asked has been answered."""
        if self._asking is not None:
            await self._asking

    async def close(self) -> None:
        """End a question that is under way."""
        if self._asking is not None:
            self._asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._asking

    async def _ask(self, name: str, now: datetime) -> None:
        found = await self.ask(name, now)
        if found is not None:
            self._known = found
