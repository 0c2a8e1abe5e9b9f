"""A clock that stands still until a test lets time pass; it passes the same suite as the machine's."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta

TURNS = 50
"""How often others may take a turn after each wake-up: enough for what a wake-up brings about in memory."""


class VirtualClock:
    """Whoever sleeps is woken in the order of the moments that were asked for."""

    def __init__(self, now: datetime = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)) -> None:
        self._now = now
        self._count = 0
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._now

    async def sleep_until(self, moment: datetime) -> None:
        if moment <= self._now:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (moment.astimezone(UTC), self._count, woken))
        await woken

    async def let_pass(self, span: timedelta) -> None:
        """Let time pass; whoever wakes up meanwhile may sleep again and be woken again."""
        end = self._now + span
        await let_others()
        while self._sleepers and self._sleepers[0][0] <= end:
            moment, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                self._now = max(self._now, moment)
                woken.set_result(None)
                await let_others()
        self._now = end
        await let_others()

    def jump(self, span: timedelta) -> None:
        """Set the clock forward or back without waking anybody, as after a suspend or by a time server."""
        self._now += span


async def let_others() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)
