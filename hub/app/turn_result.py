"""Reports of work from a file, such as OpenClaw's `turn_result.json`: read when it changes, each report once.

Whoever writes it may be in the middle of it, so what is no JSON yet is waited for; what stays wrong is said in the
health. A report is a request like any other. What makes it one of its own is its content and the turn that it names;
where it names none, the file's time and number, so that two turns with the same to say count twice, and a restart
counts nothing again.
"""

import asyncio
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hub.contract.api import HealthPart
from hub.contract.drives import ADDRESSED_MAX, SUMMARY_CHARS_MAX, DriveName
from hub.contract.errors import PulseError
from hub.domain.drives import Feedback
from hub.domain.moment import Change
from hub.domain.requests import FeedbackTaken, Refused, TakeFeedback
from hub.io.sensors.bounded import head_as_it_was
from hub.io.sensors.stamps import stamp_of
from hub.io.sensors.traces import WatchedFile, traces_watcher
from hub.kit.text import cut, one_line
from hub.ports import HubApi

FILE_BYTES_MAX = 65_536
SAID_CHARS_MAX = 200
NO_TURN = frozenset({b"", b"null", b'""'})
Found = Feedback | str | None


class _Report(msgspec.Struct):
    """What of the file counts; more may stand beside it."""

    drives_addressed: Annotated[tuple[DriveName, ...], Meta(min_length=1, max_length=ADDRESSED_MAX)]
    outcome: Literal["success", "partial", "blocked", "failure"]
    summary: str = ""
    turn: msgspec.Raw = msgspec.Raw(b"")


class TurnResultFile:
    """Hears of changes of one file, and hands what it reports to the loop."""

    def __init__(self, path: Path, desk: HubApi) -> None:
        self._path, self._desk = path, desk
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
            return HealthPart(name="reports", status="degraded", detail=f"{self._path}: {self._wrong}")
        return HealthPart(name="reports", status="ok", detail=str(self._path))

    async def look(self) -> None:
        """Read the file once, and hand in what it reports."""
        found = await asyncio.get_running_loop().run_in_executor(None, read_report, self._path)
        self._wrong = await self._handed_in(found) if isinstance(found, Feedback) else found or ""

    async def _follow(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self.look()

    async def _handed_in(self, feedback: Feedback) -> str:
        """Hand a report to the loop; return what was wrong with it."""
        try:
            reply = await self._desk.submit(TakeFeedback(feedback=feedback))
        except (PulseError, TimeoutError) as error:
            return (
                f"was read, and not taken ({one_line(str(error), SAID_CHARS_MAX)}). It is read again when it changes."
            )
        match reply:
            case FeedbackTaken():
                return ""
            case Refused(detail=detail, fix=fix):
                return f"{detail} {fix}".strip()
            case _:
                raise TypeError(type(reply).__name__)


def read_report(path: Path) -> Found:
    """Return what a file reports: None where there is none, and a sentence where it is no report."""
    try:
        raw, status = head_as_it_was(path, FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"cannot be read ({error.strerror or error}). Make it a regular file that Pulse may read."
    if not raw.strip():
        return None
    if len(raw) > FILE_BYTES_MAX:
        return f"is larger than {FILE_BYTES_MAX} bytes. Write one report: drives_addressed, outcome, summary."
    try:
        said = msgspec.json.decode(raw, type=_Report)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return f"is no report ({one_line(str(error), SAID_CHARS_MAX)}). Write drives_addressed, outcome and summary."
    return Feedback(
        drives=said.drives_addressed,
        outcome="blocked" if said.outcome == "failure" else said.outcome,
        summary=cut(said.summary, SUMMARY_CHARS_MAX),
        key=f"file/turn/{hashlib.sha256(raw + _which(said, status)).hexdigest()}",
    )


def _which(said: _Report, status: os.stat_result) -> bytes:
    """Return what tells two reports of the same content apart: nothing more where the content names its turn."""
    return b"" if bytes(said.turn) not in NO_TURN else repr(stamp_of(status)).encode()
