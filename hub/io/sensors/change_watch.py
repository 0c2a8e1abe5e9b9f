"""Telling at once that something changed: repositories, test runs, agents' transcripts. Saved files: files.py."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

from hub.domain.moment import Change
from hub.io.sensors.file_stamps import Stamps, changed_since, marked
from hub.io.sensors.guard import UnreadableError
from hub.io.sensors.run_traces import WATCHED
from hub.io.sensors.traces import ANY, Tell, WatchedFile, git_traces, traces_watcher
from hub.io.sensors.transcripts import TranscriptFolder
from hub.io.sensors.watchers import Watcher, log_watcher
from hub.kit.tasks import end_all

log = logging.getLogger(__name__)


class ChangeWatch:
    """Watches what the sensors read from, and tells the kind of change; what cannot be watched is seen half-hourly.

    Between the first look and the moment in which watching begins, nobody listens. So how everything is gets marked
    before that look, and once the watchers listen, what is other than then is told, too.
    """

    def __init__(
        self,
        work_trees: Sequence[Path],
        *,
        record: Path,
        transcripts: Sequence[TranscriptFolder],
        tell: Tell,
        readings: Sequence[Path],
    ) -> None:
        self._tell = tell
        self._waited_for = {folder.path for folder in transcripts}
        self._traces = (
            *(trace for top in work_trees for trace in git_traces(top)),
            *(
                WatchedFile(file=top / name, change=Change.TESTS)
                for top in work_trees
                for each in WATCHED
                for name in (each, f"{each}/{ANY}")  # some are folders of reports
            ),
            *(WatchedFile(file=folder, change=Change.AGENT) for folder in self._waited_for),
            WatchedFile(file=record, change=Change.TESTS),
            *(WatchedFile(file=each, change=Change.READING) for each in readings),
        )
        self._watchers: list[Watcher] = []
        self._following: asyncio.Task[None] | None = None
        self._marked: tuple[Stamps, ...] | None = None

    async def mark(self) -> None:
        """Remember how everything is, before anybody looks at it."""
        self._marked = await asyncio.get_running_loop().run_in_executor(None, marked, self._traces)

    async def start(self) -> None:
        """Begin, and tell what changed since it was marked; call it inside the event loop."""
        await self._begin(traces_watcher(self._traces, self._noticed))
        await self._follow()
        before, self._marked = self._marked, None
        if before is not None:
            for change in await asyncio.get_running_loop().run_in_executor(None, changed_since, self._traces, before):
                self._noticed(change)

    async def close(self) -> None:
        """Stop watching."""
        if self._following is not None:
            await end_all((self._following,))
        while self._watchers:
            self._watchers.pop().close()

    def _noticed(self, change: Change) -> None:
        """Tell of a change; a folder of transcripts that came is followed from now on."""
        if change is Change.AGENT and self._waited_for and (self._following is None or self._following.done()):
            self._following = asyncio.get_running_loop().create_task(self._follow())
        self._tell(change)

    async def _follow(self) -> None:
        for folder in sorted(self._waited_for):
            if await self._begin(log_watcher((folder,), lambda _paths: self._tell(Change.AGENT)), is_expected=False):
                self._waited_for.discard(folder)

    async def _begin(self, starting: Watcher, *, is_expected: bool = True) -> bool:
        try:
            await asyncio.get_running_loop().run_in_executor(None, starting.start)
        except (OSError, UnreadableError) as wrong:
            starting.close()
            if is_expected:
                log.warning("some changes will be noticed only half-hourly: %s", wrong)
            return False
        starting.listen()
        self._watchers.append(starting)
        return True
