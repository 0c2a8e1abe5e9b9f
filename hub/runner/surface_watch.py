"""Looks, every few seconds, how the processes of the surfaces and the broker are, and tells the loop what changed."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from hub.contract.api import HealthPart
from hub.domain.delivery import SurfaceTrouble
from hub.kit.tasks import end_all
from hub.loop.events import SurfacesSeen
from hub.ports import Clock

LOOK_EVERY = timedelta(seconds=3)


class SurfaceWatch:
    """`serves` names the surfaces of each part of health that carries some; the broker's are the empty name."""

    def __init__(
        self,
        health: Callable[[], Sequence[HealthPart]],
        serves: Mapping[str, Sequence[str]],
        clock: Clock,
        post: Callable[[SurfacesSeen], None],
    ) -> None:
        self._health = health
        self._serves = serves
        self._clock = clock
        self._post = post
        self._told: tuple[SurfaceTrouble, ...] = ()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Look no more."""
        if self._task is not None:
            await end_all((self._task,))

    def look(self) -> None:
        """Look once; the loop is told only what is news. Trouble counts from when it was first seen without a break."""
        since = {one.surface: one.since for one in self._told}
        now: datetime = self._clock.now()
        found = tuple(
            SurfaceTrouble(surface=surface, since=since.get(surface, now), why=part.detail, fix=part.fix)
            for part in self._health()
            if part.status in {"degraded", "down"}
            for surface in self._serves.get(part.name, ())
        )
        if found != self._told:
            self._told = found
            self._post(SurfacesSeen(troubles=found))

    async def _run(self) -> None:
        while True:
            self.look()
            await self._clock.sleep_until(self._clock.now() + LOOK_EVERY)
