"""Putting back what another program wrote into files that only the hub writes, so that no start believes it."""

import asyncio
import logging
from collections.abc import Callable

from hub.app.throttle import Later, Throttle, in_this_loop
from hub.domain.moment import Change
from hub.io.home.kept_file import KeptFile
from hub.io.sensors.traces import WatchedFile, traces_watcher
from hub.io.sensors.watchers import Watcher
from hub.loop.events import Event, FilePutBack

LOG = logging.getLogger(__name__)


class OwnFiles:
    """Watches the files; `look` is called once more when all else has ended."""

    def __init__(self, later: Later = in_this_loop) -> None:
        self._later = later
        self._files: dict[KeptFile, Throttle] = {}
        self._post: Callable[[Event], None] = lambda _event: None

    def add(self, file: KeptFile) -> None:
        """Guard this file, too."""
        self._files[file] = Throttle(self._later)

    def look(self) -> None:
        """Put back what differs, and tell the devices of each file, also where it cannot be put back."""
        for file in self._files:
            try:
                if file.put_back():
                    self._tell(file, FilePutBack(path=str(file.path)))
            except OSError as error:
                self._tell(file, FilePutBack(path=str(file.path), trouble=error.strerror or str(error)))

    def _tell(self, file: KeptFile, event: FilePutBack) -> None:
        if self._files[file].passes(lambda: self._tell(file, event)):
            done = f"cannot be put back: {event.trouble}" if event.trouble else "is put back"
            LOG.warning("%s was changed by another program, and %s", event.path, done)
            self._post(event)

    async def follow(self, post: Callable[[Event], None]) -> Watcher:
        """Begin to hear of changes, and tell them with `post`; who is handed the watcher closes it."""
        self._post = post
        watched = [WatchedFile(file=file.path, change=Change.READING) for file in self._files]
        watcher = traces_watcher(watched, lambda _change: self.look())
        await asyncio.get_running_loop().run_in_executor(None, watcher.start)
        watcher.listen()
        self.look()
        return watcher
