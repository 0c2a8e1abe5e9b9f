"""Hears of a log that grows, is put aside, moved or replaced, at no cost while nothing happens (docs/adr/0008).

The folder tells what becomes of the name, the file each line: other files of the folder (a database) may be written all
day and wake nobody. On other systems than Linux watchdog tells both.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from hub.domain.moment import Change
from hub.io.sensors.inotify import (
    IN_CREATE,
    IN_DELETE,
    IN_MODIFY,
    IN_MOVED_FROM,
    IN_MOVED_TO,
    IN_Q_OVERFLOW,
    InotifyEvent,
    InotifyListener,
)
from hub.io.sensors.traces import WatchdogTraces, WatchedFile
from hub.io.sensors.watchers import Watcher
from hub.kit.bounded import BoundedMap

COALESCE_S = 0.05
"""After a batch the kernel collects for this long, so that a busy log wakes us twenty times a second and no more."""
FILES_MAX = 8
"""Of files that were put aside, the newest are heard of, too: who has one open may go on writing there."""
NAME_CHANGES = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO


class InotifyLogWatch:
    """One watch on the folder and one on the file; the event loop waits for both."""

    def __init__(self, path: Path, changed: Callable[[], None]) -> None:
        self._path, self._changed = path, changed
        self._listener: InotifyListener | None = None
        self._folder = -1
        self._files: BoundedMap[int, None] = BoundedMap(FILES_MAX)

    def arm(self) -> str:
        """Watch what is there now; return why that cannot be, empty if it can."""
        try:
            if self._listener is None:
                self._listener = InotifyListener(self._heard, COALESCE_S)
                self._listener.listen()
            inotify = self._listener.opened()
            self._folder = inotify.watch(self._path.parent, NAME_CHANGES)
            number = inotify.watch_file(self._path, IN_MODIFY)
        except OSError as error:
            return f"Its changes are noticed only each minute ({error.strerror})."
        for old, _ in self._files.put(number, None):
            inotify.forget(old)
        return ""

    def close(self) -> None:
        """Stop."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()

    def _heard(self, events: tuple[InotifyEvent, ...]) -> None:
        if any(self._counts(event.watch, event.mask, event.name) for event in events):
            self._changed()

    def _counts(self, watch: int, mask: int, name: str) -> bool:
        is_named = watch == self._folder and name.startswith(self._path.name)
        return is_named or watch in self._files or bool(mask & IN_Q_OVERFLOW)


class OtherLogWatch:
    """The system's own way, through watchdog, for macOS and others."""

    def __init__(self, path: Path, changed: Callable[[], None]) -> None:
        self._path, self._changed = path, changed
        self._watcher: Watcher | None = None

    def arm(self) -> str:
        """Begin to watch the folder, if that was not done."""
        if self._watcher is None:
            traces = (WatchedFile(file=self._path, change=Change.READING),)
            watcher = WatchdogTraces(traces, lambda _change: self._changed())
            try:
                watcher.start()
            except OSError as error:
                return f"Its changes are noticed only each minute ({error})."
            self._watcher = watcher
        return ""

    def close(self) -> None:
        """Stop."""
        if self._watcher is not None:
            self._watcher.close()


def log_watch(path: Path, changed: Callable[[], None]) -> InotifyLogWatch | OtherLogWatch:
    """Choose for this system; call it inside the event loop."""
    return InotifyLogWatch(path, changed) if sys.platform == "linux" else OtherLogWatch(path, changed)
