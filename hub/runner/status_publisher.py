"""The status for everybody: retained state on MQTT and an event in the feed, coalesced: the latest wins."""

import asyncio
import logging
from collections.abc import Callable

from hub.contract import topics
from hub.contract.api import CrossPollStatus
from hub.contract.envelope import Envelope, encode
from hub.contract.events import StatusChanged
from hub.ports import Bus, Clock
from hub.runner.feed import LiveFeed

COALESCE_S = 0.25
log = logging.getLogger(__name__)


class StatusBoard:
    """Shows the status a moment after it changed, once for many changes."""

    def __init__(
        self, bus: Bus, clock: Clock, feed: LiveFeed, user: str, status: Callable[[], CrossPollStatus]
    ) -> None:
        self._bus = bus
        self._clock = clock
        self._feed = feed
        self._user = user
        self._status = status
        self._due: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._shown: CrossPollStatus | None = None
        self._seen = True
        self._count = 0
        self._failing: frozenset[str] = frozenset()

    def refresh(self) -> None:
        """Show the status soon."""
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(COALESCE_S, self._show)

    def again_if_unseen(self) -> None:
        """Show it again if the broker could not be reached the last time."""
        if not self._seen:
            self.refresh()

    async def close(self) -> None:
        """Show nothing more."""
        if self._due is not None:
            self._due.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _show(self) -> None:
        self._due = None
        if self._task is not None and not self._task.done():
            self.refresh()  # one at a time, so that an older status never overtakes
            return
        status = self._status()
        if status == self._shown and self._seen:
            return
        if status != self._shown:
            self._feed.tell(StatusChanged(status=status))
        self._log_failing(status)
        self._shown = status
        self._task = asyncio.get_running_loop().create_task(self._publish(status))

    def _log_failing(self, status: CrossPollStatus) -> None:
        """Say in the log, which the terminal of `pulse up` shows, which devices have begun to fail, or work again."""
        unreached = () if status.reach is None else status.reach.unreached
        failing = {f"{one.surface}/{one.device}": f"{one.why}. {one.fix}" for one in unreached if not one.absent}
        for name, why in failing.items():
            if name not in self._failing:
                log.warning("%s does not reach you: %s", name, why)
        for name in self._failing - failing.keys():
            log.warning("%s is not named as failing any more", name)
        self._failing = frozenset(failing)

    async def _publish(self, status: CrossPollStatus) -> None:
        self._count += 1
        envelope = Envelope(
            id=f"state_{self._clock.now():%Y%m%d%H%M%S%f}_{self._count}",
            source="pulse/hub",
            type="crosspoll.status",
            time=self._clock.now(),
            data=StatusChanged(status=status),
        )
        self._seen = await self._bus.publish(topics.state(self._user), encode(envelope), retain=True)
