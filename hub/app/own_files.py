"""Putting back what another program wrote into files that only the hub writes, so that no start believes it."""

import asyncio
import logging
from collections.abc import Callable

from hub.domain.moment import Change
from hub.io.home.kept_file import KeptFile
from hub.io.sensors.traces import WatchedFile, traces_watcher
from hub.io.sensors.watchers import Watcher
from hub.loop.events import Event, FilePutBack

LOG = logging.getLogger(__name__)


class OwnFiles:
    """Watches the files; `look` is called once more when all else has ended."""

    def __init__(self) -> None:
        self._files: list[KeptFile] = []
        self._told: set[str] = set()
        self._post: Callable[[Event], None] = lambda _event: None

    def add(self, file: KeptFile) -> None:
        """Guard this file, too."""
        self._files.append(file)

    def look(self) -> None:
        """Put back what differs; the devices are told once of each file."""
        for file in self._files:
            name = str(file.path)
            try:
                differed = file.put_back()
            except OSError as error:
                LOG.warning("%s was changed by another program, and cannot be put back: %s", name, error)
                continue
            if differed and name not in self._told:
                self._told.add(name)
                LOG.warning("%s was changed by another program, and is put back", name)
                self._post(FilePutBack(path=name))

    async def follow(self, post: Callable[[Event], None]) -> Watcher:
        """Begin to hear of changes, and tell them with `post`; who is handed the watcher closes it."""
        self._post = post
        watched = [WatchedFile(file=file.path, change=Change.READING) for file in self._files]
        watcher = traces_watcher(watched, lambda _change: self.look())
        await asyncio.get_running_loop().run_in_executor(None, watcher.start)
        watcher.listen()
        self.look()
        return watcher
