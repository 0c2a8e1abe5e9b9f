"""Two ways to hear of changed files: inotify on Linux, the watchdog library elsewhere."""

import asyncio
import contextlib
import errno
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from hub.io.sensors.guard import UnreadableError
from hub.io.sensors.inotify import (
    CHANGES,
    IN_CREATE,
    IN_IGNORED,
    IN_ISDIR,
    IN_MODIFY,
    IN_MOVED_FROM,
    IN_MOVED_TO,
    IN_Q_OVERFLOW,
    Inotify,
    InotifyEvent,
    InotifyListener,
)
from hub.io.sensors.tree import IGNORED_FOLDERS, folders, is_ignored, is_noise

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

WATCHES_MAX = 8_192
"""Of all workspaces together; Linux gives a user at least that many, and each costs about 1 KiB in the kernel."""
COALESCE_S = 0.5
"""After a batch the kernel collects for this long, so that a build wakes us twice a second and no more."""
LOG_COALESCE_S = 1.0
NEW_FILES_MAX = 256
STOP_S_MAX = 2.0

T = TypeVar("T")
Notify = Callable[[Sequence[Path]], None]
"""Called in the event loop with changed paths; a root itself stands for "anything below may have changed"."""


class Watcher(Protocol):
    """Watches folders and all that is below."""

    def start(self) -> None:
        """Begin; blocks while it looks at the folders, so it runs in a thread. Raises UnreadableError or OSError."""

    def listen(self) -> None:
        """Go on in the event loop, after `start`."""

    def close(self) -> None:
        """Stop; may be called twice."""


class InotifyWatcher:
    """One inotify watch per folder, read by the event loop itself."""

    def __init__(
        self,
        roots: Sequence[Path],
        notify: Notify,
        *,
        watches_max: int = WATCHES_MAX,
        coalesce_s: float = COALESCE_S,
        mask: int = CHANGES,
        without: Path | None = None,
    ) -> None:
        self._roots = tuple(roots)
        self._without = without
        self._notify = notify
        self._watches_max = watches_max
        self._mask = mask
        self._paths: dict[int, str] = {}
        """By the number of its watch, each folder as plain text: a `Path` would take five times the memory."""
        self._listener = InotifyListener(self._heard, coalesce_s)

    def start(self) -> None:
        """Watch every folder below the roots."""
        for root in self._roots:
            if not root.is_dir():
                raise UnreadableError(f"{root} is not a folder.")
            self._add(root)

    def listen(self) -> None:
        """Let the event loop wait for changes."""
        self._listener.listen()

    def close(self) -> None:
        """Stop."""
        self._listener.close()

    def _add(self, top: Path) -> list[Path]:
        """Watch a folder and those below; return the files found there."""
        found: list[Path] = []
        for folder, files in folders(top, self._without):
            inotify = self._listener.inotify
            if inotify is None or not self._watch(inotify, folder):
                continue
            found.extend(map(Path, files[: NEW_FILES_MAX - len(found)]))
        return found

    def _watch(self, inotify: Inotify, folder: str) -> bool:
        if len(self._paths) >= self._watches_max:
            raise UnreadableError(f"More than {self._watches_max} folders to watch. File changes are not followed.")
        try:
            self._paths[inotify.watch(folder, self._mask)] = folder
        except OSError as wrong:
            if wrong.errno == errno.ENOSPC:
                raise UnreadableError("The system allows no more file watches (fs.inotify.max_user_watches).") from None
            return False  # gone since it was listed, or not ours to read
        return True

    def _heard(self, events: tuple[InotifyEvent, ...]) -> None:
        changed: dict[Path, None] = {}
        try:
            for event in events:
                changed.update(dict.fromkeys(self._happened(event)))
        except UnreadableError:
            # No more watches to be had: what was created is not followed, so say that anything may have changed.
            changed.update(dict.fromkeys(self._roots))
        if changed:
            self._notify(tuple(changed))

    def _happened(self, event: InotifyEvent) -> Sequence[Path]:
        if event.mask & IN_Q_OVERFLOW:
            return self._roots
        watched = self._paths.get(event.watch)
        folder = None if watched is None else Path(watched)
        if event.mask & IN_IGNORED:
            self._paths.pop(event.watch, None)
            return (folder,) if folder in self._roots else ()
        if folder is None or not event.name or event.name in IGNORED_FOLDERS or is_noise(event.name):
            return ()
        path = folder / event.name
        if path == self._without:
            return ()
        if not event.mask & IN_ISDIR:
            # A new file is told when it is closed after writing; links and moved files are never written.
            return () if event.mask & IN_CREATE and not path.is_symlink() else (path,)
        if event.mask & IN_MOVED_FROM:
            self._forget(path)
        return (path, *self._add(path)) if event.mask & (IN_CREATE | IN_MOVED_TO) else (path,)

    def _forget(self, top: Path) -> None:
        inotify = self._listener.inotify
        for watch, path in list(self._paths.items()):
            if f"{path}{os.sep}".startswith(f"{top}{os.sep}") and inotify is not None:
                inotify.forget(watch)
                del self._paths[watch]


class WatchdogThreads(ABC):
    """The system's own way, through watchdog, for macOS and others: its threads call, the event loop acts."""

    def __init__(self) -> None:
        # Imported here: on Linux nobody needs it, and the hub is to stay small.
        from watchdog.events import FileSystemEventHandler  # noqa: PLC0415  on Linux nobody needs it
        from watchdog.observers import Observer  # noqa: PLC0415  on Linux nobody needs it

        self._loop = asyncio.get_running_loop()
        self._observer = Observer()
        self._handler = FileSystemEventHandler()
        self._handler.on_any_event = self._on_event  # type: ignore[method-assign]  # one method, no class needed

    def start(self) -> None:
        """Schedule what is to be watched; the observer's threads begin."""
        self._schedule()
        self._observer.start()

    def listen(self) -> None:  # noqa: B027  nothing to do, for whoever it is
        """Nothing to do: the threads call."""

    def close(self) -> None:
        """Stop the threads."""
        if self._observer.is_alive():
            self._observer.stop()
            self._observer.join(STOP_S_MAX)

    @abstractmethod
    def _schedule(self) -> None:
        """Tell the observer which folders there are."""

    @abstractmethod
    def _on_event(self, event: "FileSystemEvent") -> None:
        """Hear of one event, in a thread of the observer's."""

    def _call(self, act: Callable[[T], None], what: T) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            self._loop.call_soon_threadsafe(act, what)


class WatchdogWatcher(WatchdogThreads):
    """Every folder below the roots."""

    def __init__(self, roots: Sequence[Path], notify: Notify, without: Path | None = None) -> None:
        super().__init__()
        self._roots = tuple(roots)
        self._notify = notify
        self._without = without

    def _schedule(self) -> None:
        from watchdog import events  # noqa: PLC0415  on Linux nobody needs it

        kinds = [
            events.FileClosedEvent,
            events.FileCreatedEvent,
            events.FileDeletedEvent,
            events.FileModifiedEvent,
            events.FileMovedEvent,
        ]
        for root in self._roots:
            if not root.is_dir():
                raise UnreadableError(f"{root} is not a folder.")
            self._observer.schedule(self._handler, str(root), recursive=True, event_filter=list(kinds))

    def _on_event(self, event: "FileSystemEvent") -> None:
        path = Path(str(event.dest_path or event.src_path))
        root = next((root for root in self._roots if path.is_relative_to(root)), None)
        if root is None or is_ignored(path.relative_to(root).as_posix()):
            return
        if self._without is not None and self._without != root and path.is_relative_to(self._without):
            return
        self._call(self._notify, (path,))


def watcher(roots: Sequence[Path], notify: Notify, without: Path | None = None) -> Watcher:
    """Choose for this system. A folder `without` is as if it were not there, unless it is a root."""
    chosen = InotifyWatcher if sys.platform == "linux" else WatchdogWatcher
    return chosen(roots, notify, without=without)


def log_watcher(roots: Sequence[Path], notify: Notify) -> Watcher:
    """The same for folders of files that stay open while lines are added: each line counts."""
    if sys.platform != "linux":
        return WatchdogWatcher(roots, notify)
    return InotifyWatcher(roots, notify, coalesce_s=LOG_COALESCE_S, mask=CHANGES | IN_MODIFY)
