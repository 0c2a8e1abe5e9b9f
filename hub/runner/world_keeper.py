"""Keeps the world log and the store in step: takes in what others append, and appends what Pulse has to say.

Theory: the place up to which the log was read is stored in one transaction with what came of the lines, so each line
counts once, and nothing more is read before that is durable. A line of Pulse's own is stored before it is appended, and
forgotten with the transaction in which it is read back: it is known there by its whole value, whose time has
microseconds. What was read of the log is therefore always as far as what is stored; so after any trouble, as after a
kill, all that is remembered here is thrown away and the log is read on to its end before anything is appended. A line
that was appended, and is not there when all was read, went with a log that was cut, moved or replaced: that is counted,
and it is not written again. A line that the loop cannot take, by a bug of ours, must not keep all others from being
read: it is found by halves, and counted and shown like one that is no entry.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from hub.contract.api import HealthPart
from hub.contract.errors import PulseError
from hub.domain.requests import Refused, Reply, Request
from hub.domain.world import WorldLine
from hub.domain.world_file import LogGap, LogRead
from hub.domain.world_lines import not_taken
from hub.domain.world_log_state import LoggedOut
from hub.domain.world_queries import WorldLinesOut, WorldPlaceOf
from hub.domain.world_requests import LookAtWorld
from hub.kit.backoff import RetryPolicy
from hub.loop.events import WorldRead
from hub.ports import Clock, Store, WorldFile

LINES_MAX = 1_000
"""Lines that one step of the loop takes in: some milliseconds, so that nobody else waits for long."""
BEHIND_LINES_MAX = 4_000
"""The same while there is more to be read, for each step costs a synchronisation of the disk."""
OUT_MAX = 1_000
LOOK_S = 60.0
"""So often the log is looked at although nobody told that it changed: some file systems never tell."""
APART_S = 0.05
"""So long after a look the next one begins at the earliest, unless somebody waits for it: many lines are taken in at
once, instead of one after the other."""
WRITES_APART_S = 0.5
"""The same for lines of Pulse's own once some were written: each writing costs two synchronisations of the disk, which
the answers beside it would wait for."""
RETRY = RetryPolicy(base_s=1.0, cap_s=30.0)
GAP_SHOWN = timedelta(minutes=10)
GAPS = {
    LogGap.CUT: "It was cut or edited; lines later than the last one read were picked up again.",
    LogGap.REPLACED: "Another log replaced it, and was read in full.",
    LogGap.GONE: "It was moved out of its folder, and a new one was started. Lines not read before are missing; "
    "move it back to have them read.",
    LogGap.VANISHED: "Lines that Pulse had written disappeared before they were read; sessions are unchanged.",
}
UNWRITABLE = "Some lines of Pulse's own could not be written: this is our bug, please report it."
TakeIn = Callable[[WorldRead], Awaitable[Reply]]
Submit = Callable[[Request], Awaitable[Reply]]
T = TypeVar("T")
log = logging.getLogger(__name__)


class NotTakenInError(Exception):
    """The loop did not accept lines; `refused` says why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.detail)
        self.refused = refused

    @property
    def is_bug(self) -> bool:
        """Whether the same lines would be refused again: by a bug in the loop, not by a disk or another hub."""
        return self.refused.status <= PulseError.status


class OwnLines:
    """Lines of Pulse's own that wait to be seen in the log, and which of them were appended since we look."""

    def __init__(self) -> None:
        self._by_time: dict[datetime | None, list[LoggedOut]] = {}
        self._waiting: dict[str, LoggedOut] = {}
        self.written: set[str] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    def expect(self, lines: Iterable[LoggedOut]) -> None:
        """Wait for these, too."""
        for out in lines:
            if out.id not in self._waiting:
                self._waiting[out.id] = out
                self._by_time.setdefault(getattr(out.line, "at", None), []).append(out)

    def unwritten(self) -> tuple[LoggedOut, ...]:
        """Return those that were not appended yet, oldest first."""
        return tuple(out for out in self._waiting.values() if out.id not in self.written)

    def divide(self, lines: Sequence[WorldLine]) -> tuple[tuple[WorldLine, ...], tuple[str, ...]]:
        """Return the lines that are others', and the ids of those that are ours; nothing is forgotten by it."""
        others: list[WorldLine] = []
        seen: dict[str, None] = {}
        for line in lines:
            same = self._by_time.get(getattr(line, "at", None), ()) if self._by_time else ()
            mine = next((out.id for out in same if out.id not in seen and out.line == line), None)
            if mine is None:
                others.append(line)
            else:
                seen[mine] = None
        return tuple(others), tuple(seen)

    def forget(self, ids: Iterable[str]) -> None:
        """Wait for these no more."""
        for out in [self._waiting.pop(one) for one in ids if one in self._waiting]:
            at = getattr(out.line, "at", None)
            self._by_time[at].remove(out)
            if not self._by_time[at]:
                del self._by_time[at]
            self.written.discard(out.id)


class WorldKeeper:
    """One log. `look` does all that is to be done now; between `begin` and `close` it is called when that is so."""

    def __init__(self, file: WorldFile, *, path: str, store: Store, clock: Clock, user: str) -> None:
        self._file, self._path = file, path
        self._store, self._clock, self._user = store, clock, user
        self._arm: Callable[[], str] = lambda: ""
        self._wake, self._hurry = asyncio.Event(), asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._cursor: bytes | None = None
        self._own = OwnLines()
        self._half_bytes = 0
        self._is_gone = False
        self._trouble = ""
        self._deaf = ""
        self._has_own = False
        self._pause: asyncio.TimerHandle | None = None
        self._befell: tuple[str, datetime] | None = None
        self._looks = 0
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []

    def meet(self, take_in: TakeIn, submit: Submit) -> None:
        """Be told how lines and requests reach the loop."""
        self._take_in, self._submit = take_in, submit

    def begin(self, arm: Callable[[], str] = lambda: "") -> None:
        """Look from now on whenever it `changed`; `arm` sees to it that we are told, and says what is in its way."""
        self._arm = arm
        self._task = asyncio.get_running_loop().create_task(self._follow())

    def changed(self) -> None:
        """Look soon: the file changed."""
        self._wake.set()

    def lines_wait(self) -> None:
        """Write soon: lines of Pulse's own were stored to be appended."""
        self._has_own = True
        if self._pause is None:
            self._wake.set()

    async def caught_up(self) -> None:
        """Return once all that stands in the log at this moment was taken in; not while something is in the way."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = (self._looks + 1, waiter)
        self._waiters.append(waiting)
        self._hurry.set()
        self.changed()
        try:
            await waiter
        finally:
            self._waiters.remove(waiting)

    async def close(self) -> None:
        """Stop; what was not done goes on at the next start."""
        if self._pause is not None:
            self._pause.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def health(self) -> HealthPart:
        """Say what is in the way, or what befell the log lately; without either where it is."""
        befell = self._befell[0] if self._befell and self._clock.now() - self._befell[1] < GAP_SHOWN else ""
        wrong = self._trouble or befell or self._deaf
        detail = f"{self._path}: {wrong}" if wrong else self._path
        return HealthPart(name="world", status="degraded" if wrong else "ok", detail=detail)

    async def look(self) -> None:
        """Take in all that is there, and append all that waits.

        Raises:
            PulseError: the file or the store refused.
            NotTakenInError: the loop refused.
            TimeoutError: the loop did not answer.
        """
        await self._all_of(self._look())

    async def _all_of(self, work: Awaitable[None]) -> None:
        try:
            await work
        except BaseException:
            self._cursor = None  # what is stored is the truth: begin anew from there
            raise

    async def _look(self) -> None:
        if self._cursor is None:
            await self._start_over()
        self._has_own = False  # whatever is stored from now on tells anew
        while True:
            waiting = await self._store.read(WorldLinesOut(user=self._user, limit=OUT_MAX))
            self._own.expect(waiting)
            await self._read_back()
            if await self._write():
                await self._read_back()
            if len(waiting) < OUT_MAX:
                return

    async def _read_back(self) -> None:
        """Take in all that is there, and tend the file; a line of ours that was written and is gone is never seen."""
        before = frozenset(self._own.written)
        await self._read_to_end()
        vanished = before & self._own.written
        if vanished:
            await self._retire(vanished, LogGap.VANISHED)
        await _in_thread(partial(self._file.tend, self._clock.now(), self._half_bytes))

    def _wait_to_write(self) -> None:
        """Lines of Pulse's own that come from now on wait a while, so that many are written together."""
        if self._pause is not None:
            self._pause.cancel()
        self._pause = asyncio.get_running_loop().call_later(WRITES_APART_S, self._write_again)

    def _write_again(self) -> None:
        self._pause = None
        if self._has_own:
            self._wake.set()

    async def _start_over(self) -> None:
        """Take up what is stored, once all that was handed to the loop before has been taken or refused."""
        await self._submit(LookAtWorld())
        self._own = OwnLines()
        self._cursor = (await self._store.read(WorldPlaceOf(user=self._user))).cursor

    async def _read_to_end(self) -> None:
        lines_max = LINES_MAX
        while True:
            read = await _in_thread(partial(self._file.read, self._cursor or b"", lines_max))
            try:
                await self._keep(read)
            except NotTakenInError as error:
                if not error.is_bug or not read.lines:
                    raise
                if len(read.lines) > 1:
                    lines_max = len(read.lines) // 2
                    continue
                await self._keep(replace(read, lines=tuple(map(not_taken, read.lines))))
            self._half_bytes = read.half_bytes
            if not read.has_more:
                return
            lines_max = min(2 * lines_max, BEHIND_LINES_MAX)

    async def _keep(self, read: LogRead) -> None:
        others, seen = self._own.divide(read.lines)
        gaps = [gap for gap in read.gaps if gap is not LogGap.GONE or not self._is_gone]
        if others or seen or gaps:
            await self._handed(WorldRead(lines=others, cursor=read.cursor, seen=seen, gaps=len(gaps)))
        self._is_gone = LogGap.GONE in read.gaps
        self._cursor = read.cursor
        self._own.forget(seen)
        for gap in gaps:
            self._note(GAPS[gap])

    async def _write(self) -> bool:
        """Append what waits; say whether there was anything."""
        waiting = self._own.unwritten()
        if not waiting:
            return False
        unwritable = await _in_thread(partial(self._file.append, waiting))
        self._wait_to_write()
        self._own.written |= {out.id for out in waiting}
        if unwritable:
            log.error("%d lines could not be written into the world log", len(unwritable))
            self._note(UNWRITABLE)
            await self._retire(unwritable)
        return True

    async def _retire(self, ids: Iterable[str], gap: LogGap | None = None) -> None:
        """Let lines wait no longer that will never be seen."""
        gone = tuple(ids)
        read = WorldRead(lines=(), cursor=self._cursor or b"", seen=gone, gaps=int(gap is not None))
        await self._handed(read)
        self._own.forget(gone)
        if gap is not None:
            self._note(GAPS[gap])

    async def _handed(self, read: WorldRead) -> None:
        reply = await self._take_in(read)
        if isinstance(reply, Refused):
            raise NotTakenInError(reply)

    def _note(self, words: str) -> None:
        self._befell = words, self._clock.now()

    async def _follow(self) -> None:
        self._arm()  # before the first look: what is appended while it lasts is heard of
        failed = 0
        while True:
            self._wake.clear()
            failed = 0 if await self._looked() else failed + 1
            if failed:
                await asyncio.sleep(RETRY.ceiling_s(failed - 1))
            else:
                await self._for(self._hurry, APART_S)
                await self._for(self._wake, LOOK_S)

    async def _looked(self) -> bool:
        """Look; say whether that went well. What is in the way is shown, and tried again later."""
        self._looks += 1
        reads_only = self._pause is not None and self._cursor is not None and not self._hurry.is_set()
        self._hurry.clear()
        try:
            await self._all_of(self._read_back() if reads_only else self._look())
        except PulseError as error:
            self._trouble = f"{error.detail} {error.fix}".strip()
        except NotTakenInError as error:
            self._trouble = f"{error.refused.detail} {error.refused.fix}".strip()
        except TimeoutError:
            self._trouble = "The loop did not answer in time."
        except Exception as bug:  # a bug: in health and log, and tried again later
            log.exception("a bug in the keeper of the world log")
            self._trouble = f"{type(bug).__name__}: {bug}"
        else:
            self._trouble = ""
            self._deaf = self._arm()
            for wanted, waiter in self._waiters:
                if wanted <= self._looks and not waiter.done():
                    waiter.set_result(None)
        return not self._trouble

    async def _for(self, event: asyncio.Event, s_max: float) -> None:
        """Wait for it, or for so long: some file systems never tell."""
        try:
            async with asyncio.timeout(s_max):
                await event.wait()
        except TimeoutError:
            return


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, work)
