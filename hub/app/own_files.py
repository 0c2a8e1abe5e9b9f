"""Putting back what another program took away or changed of the files that only the hub writes.

Theory: agents' hooks, commands and the next start find the hub, and believe it, by files that any program of the
person's can change. So while the hub runs each stays as it wrote it: what the system tells of is put back at once, what
it does not tell of at the next look. The devices are told of it, all of a minute at once, and health says it until a
person has read it there.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Protocol

from hub.app.throttle import Later, Throttle, in_this_loop
from hub.contract.api import HealthPart
from hub.domain.moment import Change
from hub.io.sensors.traces import WatchedFile, traces_watcher
from hub.io.sensors.watchers import Watcher
from hub.kit.tasks import BackgroundTasks
from hub.loop.events import Event, FilesPutBack
from hub.loop.notification_test import PUT_BACK
from hub.runner.emergency import Emergency

EVERY_S = 60.0
"""How often it looks though nothing was heard of."""
TOGETHER_S = 0.5
"""What is changed at once is told at once."""
PART = "files"
LOG = logging.getLogger(__name__)


class OwnFile(Protocol):
    """What only the hub writes at one path."""

    @property
    def path(self) -> Path:
        """Where it is."""

    def put_back(self) -> bool:
        """Have it be as the hub made it; return True if it was not. Nothing is waited for.

        Raises:
            OSError: it cannot be put back.
        """


class HeldStop:
    """The file that lifts the emergency stop for agents: not there while the stop is on."""

    def __init__(self, path: Path, emergency: Emergency) -> None:
        self.path, self._emergency = path, emergency

    def put_back(self) -> bool:
        """Take it away where it came back; return True if so.

        Raises:
            OSError: it cannot be taken away.
        """
        return self._emergency.keep()


class OwnFiles:
    """Watches the files; `look` is called once more when all else has ended."""

    def __init__(self, now: Callable[[], datetime], later: Later = in_this_loop, *, every_s: float = EVERY_S) -> None:
        self._now, self._every_s = now, every_s
        self._files: list[OwnFile] = []
        self._later, self._is_due = later, False
        self._throttle = Throttle(later)
        self._untold: dict[str, str] = {}
        self._unseen: dict[str, str] = {}
        """By the path of each file, why it could not be put back; empty where it was."""
        self._left: dict[str, str] = {}
        """What still cannot be put back, and was told."""
        self._since: datetime | None = None
        self._post: Callable[[Event], None] | None = None
        self._watcher: Watcher | None = None
        self._tasks = BackgroundTasks(lambda bug: LOG.error("a look at Pulse's own files broke", exc_info=bug))

    def add(self, *files: OwnFile) -> None:
        """Guard these, too; before `follow`."""
        self._files.extend(files)

    def look(self) -> None:
        """Put back what differs, and tell the devices of it; what cannot be put back is told once."""
        for file in self._files:
            name = str(file.path)
            try:
                was_changed, trouble = file.put_back(), ""
            except OSError as error:
                trouble = error.strerror or str(error)
                was_changed = self._left.get(name) != trouble
            self._left.pop(name, None)
            if trouble:
                self._left[name] = trouble
            if was_changed:
                self.note(name, trouble)

    def note(self, name: str, trouble: str = "") -> None:
        """Tell the devices that another program changed a file, which is put back, or why it is not."""
        if name not in self._untold:
            done = f"cannot be put back: {trouble}" if trouble else "is put back"
            LOG.warning("%s was changed by another program, and %s", name, done)
        self._untold[name] = self._unseen[name] = trouble
        self._since = self._since or self._now()
        if not self._is_due:
            self._is_due = True
            self._later(TOGETHER_S, self._tell)

    def _tell(self) -> None:
        self._is_due = False
        if self._post is not None and self._untold and self._throttle.passes(self._tell):
            untold, self._untold = self._untold, {}
            self._post(_event(untold))

    def health(self) -> tuple[HealthPart, ...]:
        """Return what no person has read yet; nothing where there is nothing."""
        if not self._unseen:
            return ()
        said = _event(self._unseen).text
        return (HealthPart(name=PART, status="degraded", detail=said, since=self._since, fix=PUT_BACK),)

    def seen(self) -> None:
        """Take note that a person has read what health says; what cannot be put back is still said."""
        self._unseen = dict(self._left)
        self._since = self._since if self._unseen else None

    async def follow(self, post: Callable[[Event], None]) -> None:
        """Begin to look, and to hear of changes, and tell them with `post`."""
        self._post = post
        watched = [WatchedFile(file=file.path, change=Change.READING, closely=True) for file in self._files]
        self._watcher = traces_watcher(watched, lambda _change: self.look())
        await asyncio.get_running_loop().run_in_executor(None, self._watcher.start)
        self._watcher.listen()
        self.look()
        self._tell()  # what was noted before
        self._tasks.spawn(self._look_now_and_then())

    async def _look_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            self.look()

    async def close(self) -> None:
        """Hear of no more changes."""
        await self._tasks.close()
        if self._watcher is not None:
            self._watcher.close()


def _event(files: dict[str, str]) -> FilesPutBack:
    put_back = tuple(name for name, trouble in files.items() if not trouble)
    left = tuple(f"{name} ({trouble})" for name, trouble in files.items() if trouble)
    return FilesPutBack(put_back=put_back, left=left)
