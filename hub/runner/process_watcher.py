"""Looking at the processes of sessions, in a thread; where one of them ends, a look is made at once.

The order is the point: first the processes, then the log to its end, then the loop hears of both. Linux hands out a
handle that becomes readable when a process ends (pidfd_open(2)), so most ends are seen without waiting for a look.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from hub.contract.api import HealthPart
from hub.domain.world import SessionProcess
from hub.domain.world_findings import ProcessLook
from hub.kit.tasks import BackgroundTasks
from hub.loop.commands import EndStrays, LookAtProcesses
from hub.loop.events import Event, ProcessesSeen

WATCHED_MAX = 256
"""So many processes are watched with a handle each; the others wait for the next look."""
LOOK_S_MAX = 30.0
READ_S_MAX = 60.0
Post = Callable[[Event], None]
LookAt = Callable[[Sequence[SessionProcess]], ProcessLook]
log = logging.getLogger(__name__)


class ProcessWatcher:
    """Takes the commands of the level 1 supervisor.

    Args:
        look: looks once; it is called in a thread.
        end: ends what a run has left behind.
        read_on: has the log read to its end, and what was read posted to the loop.
    """

    def __init__(
        self, look: LookAt, end: Callable[[str], Awaitable[int]], read_on: Callable[[], Awaitable[None]]
    ) -> None:
        self._look = look
        self._end = end
        self._read_on = read_on
        self._trouble = ""
        self._tasks = BackgroundTasks(self._broke)
        self._handles: dict[SessionProcess, int] = {}
        self._named: tuple[SessionProcess, ...] = ()
        self._is_looking = False
        self._is_closed = False

    def do(self, command: LookAtProcesses | EndStrays, post: Post) -> None:
        """Carry out a command; a look comes back as `ProcessesSeen`."""
        if self._is_closed:
            return
        if isinstance(command, EndStrays):
            self._tasks.spawn(self._end_strays(command.run))
            return
        self._named = command.named
        self._tasks.spawn(self._seen(command.named, post))

    def health(self) -> HealthPart:
        """Say whether the last look saw what it should."""
        detail = self._trouble or f"{len(self._handles)} processes watched"
        return HealthPart(name="sessions", status="degraded" if self._trouble else "ok", detail=detail)

    async def close(self) -> None:
        """Look no more, and let all handles go."""
        self._is_closed = True
        await self._tasks.close()
        for process in tuple(self._handles):
            self._let_go(process)

    async def _seen(self, named: tuple[SessionProcess, ...], post: Post) -> None:
        """Look, then have the log read, then tell. A look that fails has missed nobody: time-outs go on without it."""
        look = ProcessLook()
        self._is_looking, self._trouble = True, ""
        try:
            async with asyncio.timeout(LOOK_S_MAX):
                look = await asyncio.to_thread(self._look, named)
            self._watch(named, frozenset(look.gone), post)
            async with asyncio.timeout(READ_S_MAX):
                await self._read_on()
        except (OSError, TimeoutError) as error:
            look = ProcessLook()  # without the log's last lines nobody is missed
            self._trouble = f"The processes of sessions could not be checked: {type(error).__name__}. Tried again."
            log.warning("a look at the processes of sessions failed: %s", error)
        finally:
            self._is_looking = False
        post(ProcessesSeen(look=look))

    async def _end_strays(self, run: str) -> None:
        count = await self._end(run)
        log.info("%d processes that a run had left behind were ended", count)

    def _watch(self, named: tuple[SessionProcess, ...], gone: frozenset[SessionProcess], post: Post) -> None:
        wanted = [one for one in named if one not in gone]
        for process in self._handles.keys() - set(wanted):
            self._let_go(process)
        if not hasattr(os, "pidfd_open"):
            return
        for process in wanted[: WATCHED_MAX - len(self._handles)]:
            if process not in self._handles:
                with suppress(OSError):  # it has ended meanwhile, or is not to be watched: the next look finds that
                    self._handles[process] = handle = os.pidfd_open(process.pid)
                    asyncio.get_running_loop().add_reader(handle, self._ended, process, post)

    def _ended(self, process: SessionProcess, post: Post) -> None:
        self._let_go(process)
        if not self._is_looking and not self._is_closed:
            self._tasks.spawn(self._seen(self._named, post))

    def _let_go(self, process: SessionProcess) -> None:
        handle = self._handles.pop(process)
        asyncio.get_running_loop().remove_reader(handle)
        os.close(handle)

    def _broke(self, error: BaseException) -> None:
        self._trouble = f"{type(error).__name__}: {error}"
        log.error("a look at the processes of sessions broke", exc_info=error)
