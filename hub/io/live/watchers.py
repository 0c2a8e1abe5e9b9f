"""Which pages a person can see just now: what each says over its WebSocket, as the presence of its device.

A browser may have several pages open; it is there while one of them can be seen. Only times are passed on, never what
the person did.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from hub.contract.base import Value
from hub.contract.errors import BusyError
from hub.contract.surface import Presence
from hub.contract.topics import DeviceAddress
from hub.domain.requests import Noted, ReportPresence
from hub.io.http.errors import NoReplyError
from hub.io.http.loop_requests import ask_loop
from hub.ports import Clock, HubApi

ACTIVE_STEP = timedelta(seconds=20)
"""A person's last touch is passed on no more often than this."""
BACK = timedelta(seconds=30)
"""A page that was open when the hub stopped may take so long to come back; it tries every few seconds."""


class Seen(Value):
    """What was last passed on of a device."""

    online: bool
    active_at: datetime | None


class Watchers:
    """The open pages of all browsers."""

    def __init__(self, hub_api: HubApi, clock: Clock) -> None:
        self._hub_api = hub_api
        self._clock = clock
        self._visible: dict[DeviceAddress, dict[object, bool]] = {}
        self._told: dict[DeviceAddress, Seen] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._expecting: asyncio.Task[None] | None = None

    def expect(self, addresses: Sequence[DeviceAddress]) -> None:
        """Take note of browsers whose page was open when the hub stopped: one that stays away has left."""
        if addresses:
            self._expecting = asyncio.get_running_loop().create_task(self._miss(addresses))

    def close(self) -> None:
        """Expect nobody any more."""
        if self._expecting is not None:
            self._expecting.cancel()

    def say(self, address: DeviceAddress, page: object, *, visible: bool, active_at: datetime | None) -> None:
        """Take note of what one page says about itself."""
        self._visible.setdefault(address, {})[page] = visible
        self._tell(address, active_at)

    def leave(self, address: DeviceAddress, page: object) -> None:
        """Take note that a page is gone."""
        pages = self._visible.get(address)
        if pages is None or pages.pop(page, None) is None:
            return
        self._tell(address, None)
        if not pages:
            del self._visible[address]
            self._told.pop(address, None)

    async def settle(self) -> None:
        """Wait until all that was said has been passed on."""
        await asyncio.gather(*self._tasks)

    def _tell(self, address: DeviceAddress, active_at: datetime | None) -> None:
        online = any(self._visible[address].values())
        told = self._told.get(address)
        if told is not None and told.online == online and not _is_later(active_at, told.active_at):
            return
        kept = active_at or (told.active_at if told else None)
        self._told[address] = Seen(online=online, active_at=kept)
        presence = Presence(online=online, at=self._clock.now(), person_active_at=active_at)
        task = asyncio.get_running_loop().create_task(self._report(address, presence))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _miss(self, addresses: Sequence[DeviceAddress]) -> None:
        await self._clock.sleep_until(self._clock.now() + BACK)
        for address in addresses:
            if address not in self._visible:
                await self._report(address, Presence(online=False, at=self._clock.now()))

    async def _report(self, address: DeviceAddress, presence: Presence) -> None:
        """Pass it on; a hub that is too busy hears of it with the page's next word."""
        try:
            await ask_loop(self._hub_api, ReportPresence(sender=address, presence=presence), Noted)
        except (BusyError, NoReplyError):
            self._told.pop(address, None)


def _is_later(active_at: datetime | None, told: datetime | None) -> bool:
    return active_at is not None and (told is None or active_at - told >= ACTIVE_STEP)
