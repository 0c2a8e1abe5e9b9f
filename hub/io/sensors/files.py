"""Which files changed lately: told by the system, never by polling."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from hub.domain.moment import Change
from hub.domain.provenance import RepositoryText
from hub.domain.readings import AnyReading, Reading
from hub.domain.situation import FilesReading
from hub.io.sensors.guard import Disk, UnreadableError, guarded
from hub.io.sensors.watchers import Notify, Watcher, watcher
from hub.kit.bounded import BoundedMap
from hub.sense.modules import is_source

READ_S_MAX = 20.0
CHANGED_PATHS_MAX = 256
LATELY = timedelta(hours=1)
RETRY_AFTER = timedelta(minutes=5)
"""Beginning to watch looks at every folder, so a workspace that cannot be watched is not tried at each tick."""


def _nothing(_root: Path) -> None:
    """The default for nobody who wants to know at once."""


def _nobody(_change: Change) -> None:
    """The default for nobody who thinks about it."""


class FilesSensor:
    """Watches the workspaces; `on_change` hears at once in which of them something changed, `tell` what kind of change.

    Watching begins with the first reading. When that fails it is tried again every five minutes.
    """

    name = "files"

    def __init__(
        self,
        workspaces: Sequence[Path],
        *,
        now: Callable[[], datetime],
        on_change: Callable[[Path], None] = _nothing,
        tell: Callable[[Change], None] = _nobody,
        make: Callable[[Sequence[Path], Notify], Watcher] = watcher,
    ) -> None:
        self._roots = tuple(dict.fromkeys(workspaces))
        self._now = now
        self._on_change = on_change
        self._tell = tell
        self._make = make
        self._watcher: Watcher | None = None
        self._changed: BoundedMap[Path, datetime] = BoundedMap(CHANGED_PATHS_MAX)
        self._disk = Disk()
        self._closed = False
        self._failed: tuple[datetime, str] | None = None

    @property
    def is_watching(self) -> bool:
        """Whether a change would be noticed; while it is False, others must look for themselves."""
        return self._watcher is not None

    async def read(self, now: datetime) -> Reading:
        """Tell what changed within the last hour."""
        return await guarded(self.name, now, READ_S_MAX, self._look(now))

    async def close(self) -> None:
        """Stop watching."""
        self._closed = True
        self._stop()

    async def _look(self, now: datetime) -> AnyReading:
        if self._closed:
            raise UnreadableError("The sensor is closed.")
        if self._watcher is None:
            await self._begin(now)
        self._changed.forget_while(lambda at: at < now - LATELY)
        last = next(reversed(self._changed.values()), None)
        return FilesReading(changed=tuple(RepositoryText(str(path)) for path in self._changed), last_change_at=last)

    async def _begin(self, now: datetime) -> None:
        if self._failed is not None and abs(now - self._failed[0]) < RETRY_AFTER:
            raise UnreadableError(self._failed[1])
        try:
            await self._start()
        except (UnreadableError, OSError) as wrong:
            self._failed = (now, str(wrong))
            raise
        self._failed = None

    async def _start(self) -> None:
        if not self._roots:
            raise UnreadableError("No workspace is configured.")
        starting = self._make(self._roots, self._notice)
        try:
            await self._disk.look(starting.start)
            starting.listen()
        except BaseException:  # also when cancelled: nobody else knows of it
            starting.close()
            raise
        self._watcher = starting
        for root in self._roots:
            self._on_change(root)  # what happened before watching began is not known

    def _notice(self, paths: Sequence[Path]) -> None:
        now = self._now()
        for path in paths:
            if path in self._roots:
                continue
            self._changed[path] = now
        for root in self._roots:
            if any(path.is_relative_to(root) for path in paths):
                self._on_change(root)
        self._tell(Change.EDIT if any(is_source(path.name) for path in paths) else Change.FILES)
        if any(path in self._roots for path in paths):
            self._stop()  # a workspace is gone, or events were lost: start over at the next reading

    def _stop(self) -> None:
        stopping, self._watcher = self._watcher, None
        if stopping is not None:
            stopping.close()
