"""A file in which an agent hands something in: heard of when it changes, read at once, and made a request of the loop.

Whoever writes it may be in the middle of it, so what is no JSON yet is waited for; what stays wrong is said in the
health. What becomes of a request is the loop's to say, as with one that came over HTTP.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from hub.contract.api import HealthPart
from hub.contract.errors import PulseError
from hub.domain.moment import Change
from hub.domain.requests import FeedbackTaken, MutationsMade, Refused, Request
from hub.io.sensors.bounded import head_as_it_was
from hub.io.sensors.traces import WatchedFile, traces_watcher
from hub.kit.text import counted, one_line
from hub.ports import HubApi

FILE_BYTES_MAX = 65_536
SAID_CHARS_MAX = 200


class HandedIn:
    """What a file hands in, and what of the file could not be read; either may be missing."""

    def __init__(self, request: Request | None = None, wrong: str = "") -> None:
        self.request, self.wrong = request, wrong


class HandedInFile:
    """Hears of changes of one file, and hands the loop what stands in it.

    Args:
        path: the file; it need not be there yet.
        hub_api: the way to the loop.
        name: the name of its part in the health.
        read: reads the file once; it is called in a thread.
    """

    def __init__(self, path: Path, hub_api: HubApi, name: str, read: Callable[[Path], HandedIn]) -> None:
        self._path, self._hub_api, self._name, self._read = path, hub_api, name, read
        self._wrong = ""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stop: Callable[[], None] = lambda: None

    async def start(self) -> None:
        """Read what is there, and whatever is there later."""
        traces = (WatchedFile(file=self._path, change=Change.READING),)
        watcher = traces_watcher(traces, lambda _change: self._changed.set())
        await asyncio.get_running_loop().run_in_executor(None, watcher.start)
        watcher.listen()
        self._stop = watcher.close
        self._changed.set()
        self._task = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Stop."""
        self._stop()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def health(self) -> HealthPart:
        """Say where the file is, and what of it could not be taken."""
        if self._wrong:
            return HealthPart(name=self._name, status="degraded", detail=f"{self._path}: {self._wrong}")
        return HealthPart(name=self._name, status="ok", detail=str(self._path))

    async def look(self) -> None:
        """Read the file once, and hand in what it holds."""
        found = await asyncio.get_running_loop().run_in_executor(None, self._read, self._path)
        refused = "" if found.request is None else await self._handed_in(found.request)
        self._wrong = f"{found.wrong} {refused}".strip()

    async def _follow(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self.look()

    async def _handed_in(self, request: Request) -> str:
        """Hand it to the loop; return what was wrong with it."""
        try:
            reply = await self._hub_api.submit(request)
        except (PulseError, TimeoutError) as error:
            return (
                f"was read but not accepted ({one_line(str(error), SAID_CHARS_MAX)}). It is read again when it changes."
            )
        match reply:
            case FeedbackTaken():
                return ""
            case MutationsMade(outcomes=outcomes):
                refused = [one for one in outcomes if one.code]
                why = f"{refused[0].record.note} {refused[0].fix}".strip() if refused else ""
                return f"{counted(len(refused), 'change')} of {len(outcomes)} refused: {why}" if refused else ""
            case Refused(detail=detail, fix=fix):
                return f"{detail} {fix}".strip()
            case _:
                raise TypeError(type(reply).__name__)


def body_of(path: Path, what: str) -> tuple[bytes, os.stat_result] | str:
    """Return the content of a plain, bounded file and how it was then, empty where there is none, or what is wrong."""
    try:
        raw, status = head_as_it_was(path, FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read ({error.strerror or error}). Make it a regular file that Pulse can read."
    if not raw.strip():
        return ""
    if len(raw) > FILE_BYTES_MAX:
        return f"is larger than {FILE_BYTES_MAX} bytes. Write {what}."
    return raw, status
