"""The world log of a start: its file, its keeper, and whoever tells that it changed."""

from pathlib import Path

from hub.app.sessions import process_watcher
from hub.app.watched import world_log_of
from hub.io.world.on_disk import LogOnDisk
from hub.io.world.watch import log_watch
from hub.ports import Clock, Store
from hub.runner import Hub, ProcessWatcher, WorldKeeper
from hub.settings.schema import WorldSettings


class KeptWorldLog:
    """The keeper of one log, with its watch, and what looks at the processes of its sessions."""

    def __init__(self, path: Path, keeper: WorldKeeper, processes: ProcessWatcher) -> None:
        self.path, self.keeper, self.processes = path, keeper, processes
        self._watch = log_watch(path, keeper.changed)

    @classmethod
    def of(cls, wanted: WorldSettings, home: Path, *, store: Store, clock: Clock, user: str) -> "KeptWorldLog | None":
        """Return it as the settings want it, None where they switch it off; call it inside the event loop."""
        if not wanted.enabled:
            return None
        path = world_log_of(wanted, home)
        keeper = WorldKeeper(LogOnDisk(path), path=str(path), store=store, clock=clock, user=user)
        return cls(path, keeper, process_watcher(home, clock, keeper.caught_up))

    def begin(self, hub: Hub) -> None:
        """Take in what is there, and what comes from now on."""
        self.keeper.meet(hub.take_in, hub.submit)
        self.keeper.begin(self._watch.arm)

    async def close(self) -> None:
        """Stop."""
        self._watch.close()
        await self.processes.close()
        await self.keeper.close()
