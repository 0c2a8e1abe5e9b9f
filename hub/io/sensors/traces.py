"""Single files that say much when they change: a repository's HEAD, the record of a test run. Watched by their folders.

A file (or folder) that is not there yet is waited for at the nearest folder above it that is. A watch stays with its
folder, wherever that is moved, so each folder above is watched for being moved, too: then what is at the path by now
is watched instead. Watching one folder costs one watch, however much is below it; the contents are read by the
sensors, never here.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hub.contract.base import Value
from hub.domain.moment import Change
from hub.io.sensors.bounded import head
from hub.io.sensors.inotify import (
    CHANGES,
    IN_ATTRIB,
    IN_IGNORED,
    IN_MASK_ADD,
    IN_MODIFY,
    IN_MOVE_SELF,
    IN_Q_OVERFLOW,
    InotifyEvent,
    InotifyListener,
)
from hub.io.sensors.watchers import WatchdogThreads, Watcher

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

COALESCE_S = 0.2
FLOOD_EVENTS = 200
"""After so many at a time no more are read one by one: what matters would wait behind a flood of others."""
ANY = "*"
"""As the name of a file: every file of its folder."""
LOCK = ".lock"
GITDIR_BYTES_MAX = 4_096
OF_A_WORK_TREE = (
    *("HEAD", "logs/HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"),
    *("rebase-merge", "rebase-apply"),
)
OF_A_REPOSITORY = ("refs/heads/*", "refs/remotes/origin/*", "packed-refs", "FETCH_HEAD")


class WatchedFile(Value):
    """A file, or any of a folder (`*`), and what it means when it changes, appears or goes.

    `closely`: also each write into it while it stays open, and a change of who may use it, for one watch more.
    """

    file: Path
    change: Change
    closely: bool = False


Tell = Callable[[Change], None]


def git_traces(work_tree: Path) -> Iterator[WatchedFile]:
    """Yield what changes with a commit, a branch, a merge, a fetch, and (in the index) with what is staged."""
    folder, common = _git_folders(work_tree)
    for name in OF_A_WORK_TREE:
        yield WatchedFile(file=folder / name, change=Change.GIT)
    for name in OF_A_REPOSITORY:
        yield WatchedFile(file=common / name, change=Change.GIT)
    yield WatchedFile(file=folder / "index", change=Change.FILES)  # editors rewrite it at each save


def traces_watcher(traces: Sequence[WatchedFile], tell: Tell) -> Watcher:
    """Choose for this system."""
    return InotifyTraces(traces, tell) if sys.platform == "linux" else WatchdogTraces(traces, tell)


class InotifyTraces:
    """One inotify watch per folder, and per folder above it, read by the event loop itself."""

    def __init__(self, traces: Sequence[WatchedFile], tell: Tell) -> None:
        self._traces = tuple(traces)
        self._tell = tell
        self._found: dict[str, list[WatchedFile]] = {}
        """By the path of a file, or of a folder any of whose files is meant (`/*` behind it)."""
        self._above: dict[str, list[WatchedFile]] = {}
        """By the path of each folder on the way to a file."""
        for trace in self._traces:
            self._found.setdefault(str(trace.file), []).append(trace)
            for folder in trace.file.parents:
                self._above.setdefault(str(folder), []).append(trace)
        self._folders: dict[int, Path] = {}
        self._listener = InotifyListener(self._heard, COALESCE_S)

    def start(self) -> None:
        """Watch the folder of each trace, or the nearest above it."""
        for trace in self._traces:
            self._place(trace)

    def listen(self) -> None:
        """Let the event loop wait for changes."""
        self._listener.listen()

    def close(self) -> None:
        """Stop."""
        self._listener.close()

    def _place(self, trace: WatchedFile) -> None:
        if trace.closely:
            self._place_close(trace.file)
        changes = CHANGES
        for folder in trace.file.parents:
            inotify = self._listener.inotify
            if inotify is None:
                return
            try:
                self._folders[inotify.watch(folder, changes | IN_MOVE_SELF | IN_MASK_ADD)] = folder
                changes = 0
            except OSError:  # not there yet, a link, or not ours to read: the one above tells
                changes = CHANGES

    def _place_close(self, file: Path) -> None:
        """Watch the file that is there by now, and the one before it no more."""
        inotify = self._listener.inotify
        if inotify is None:
            return
        self._forget(file)
        with contextlib.suppress(OSError):  # not there; the folder tells when it comes
            self._folders[inotify.watch_file(file, IN_MODIFY | IN_ATTRIB)] = file

    def _heard(self, events: tuple[InotifyEvent, ...]) -> None:
        changes: dict[Change, None] = {}
        for event in events:
            changes.update(dict.fromkeys(self._happened(event)))
        inotify = self._listener.inotify
        if len(events) >= FLOOD_EVENTS and inotify is not None and inotify.drain():
            changes.update(dict.fromkeys(self._anything()))
        for change in changes:
            self._tell(change)

    def _happened(self, event: InotifyEvent) -> Iterator[Change]:
        if event.mask & IN_Q_OVERFLOW:
            yield from self._anything()
        folder = self._folders.get(event.watch)
        if folder is None:
            return
        if event.mask & IN_IGNORED:  # the folder itself is gone
            del self._folders[event.watch]
        if event.mask & IN_MOVE_SELF:
            self._forget(folder)
        path = os.path.join(folder, event.name) if event.name else str(folder)  # noqa: PTH118  at each commit of ours
        for trace in self._found.get(path, ()):
            if trace.closely and event.name:
                self._place_close(trace.file)
            yield trace.change
        if not path.endswith(LOCK):
            for trace in self._found.get(f"{path.rpartition('/')[0]}/{ANY}", ()):
                yield trace.change
        for trace in self._above.get(path, ()):  # a folder on its way there came or went
            self._place(trace)
            yield trace.change

    def _anything(self) -> Iterator[Change]:
        """Yield each change, where nobody knows what happened."""
        for trace in self._traces:
            self._place(trace)
            yield trace.change

    def _forget(self, moved: Path) -> None:
        """Stop watching a folder that was moved, and those below it."""
        gone = [watch for watch, folder in self._folders.items() if folder.is_relative_to(moved)]
        for watch in gone:
            del self._folders[watch]
            if self._listener.inotify is not None:
                self._listener.inotify.forget(watch)


class WatchdogTraces(WatchdogThreads):
    """The nearest folders that are there; what is below one that comes later is seen through it."""

    def __init__(self, traces: Sequence[WatchedFile], tell: Tell) -> None:
        super().__init__()
        self._traces = tuple(traces)
        self._tell = tell

    def _schedule(self) -> None:
        there = {next(folder for folder in trace.file.parents if folder.is_dir()) for trace in self._traces}
        for folder in there:
            wanted = {trace.file.parent for trace in self._traces}
            self._observer.schedule(self._handler, str(folder), recursive=folder not in wanted)

    def _on_event(self, event: "FileSystemEvent") -> None:
        if event.event_type in {"opened", "closed_no_write"}:
            return
        path = Path(str(event.dest_path or event.src_path))
        for change in dict.fromkeys(trace.change for trace in self._traces if _means(trace, path)):
            self._call(self._tell, change)


def _means(trace: WatchedFile, path: Path) -> bool:
    if trace.file.name == ANY:
        return path.parent == trace.file.parent and not path.name.endswith(LOCK)
    return path == trace.file


def _git_folders(work_tree: Path) -> tuple[Path, Path]:
    """Return a work tree's own folder of git, and the one that all work trees of its repository share."""
    plain = work_tree / ".git"
    if plain.is_dir():
        return plain, plain
    named = _line(plain).removeprefix("gitdir:").strip()
    folder = work_tree / named if named else plain
    common = _line(folder / "commondir")
    return folder, (folder / common).resolve() if common else folder


def _line(path: Path) -> str:
    try:
        return head(path, GITDIR_BYTES_MAX).decode("utf-8", "replace").strip()
    except OSError:
        return ""
