"""Whether the programs that the settings name are running, from /proc; where one ends, that is told at once.

Linux hands out a handle that becomes readable when a process ends (pidfd_open(2)), so nothing has to look for it.
A program that is being started again is gone for a moment: one that is missing is looked for twice.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from hub.domain.moment import Change
from hub.domain.readings import AnyReading, ProgramsReading, Reading
from hub.domain.situation import WatchedProgram
from hub.io.sensors.bounded import head
from hub.io.sensors.guard import Disk, UnreadableError, guarded
from hub.io.sensors.traces import Tell
from hub.sense.programs import names_of

PROC = Path("/proc")
READ_S_MAX = 10.0
AGAIN_AFTER_S = 2.0
PROCESSES_MAX = 32_768
STAT_BYTES_MAX = 512
ARGUMENTS_BYTES_MAX = 1_024


class ProgramsSensor:
    """Looks for each program by its name, and is told when the one that it found ends."""

    name = "programs"

    def __init__(
        self, programs: Sequence[str], tell: Tell, *, proc: Path = PROC, again_after_s: float = AGAIN_AFTER_S
    ) -> None:
        self._programs = tuple(dict.fromkeys(programs))
        self._tell = tell
        self._proc = proc
        self._again_after_s = again_after_s
        self._disk = Disk()
        self._missing: set[str] = set()
        self._handles: dict[str, int] = {}
        self._is_closed = False

    async def read(self, now: datetime) -> Reading:
        """Look once; twice where a program is missing that was not before."""
        return await guarded(self.name, now, READ_S_MAX, self._look())

    async def close(self) -> None:
        """Let all handles go."""
        self._is_closed = True
        for program in tuple(self._handles):
            self._let_go(program)

    async def _look(self) -> AnyReading:
        if not self._programs:
            return ProgramsReading()
        missing = await self._looked_for()
        if missing - self._missing:
            await asyncio.sleep(self._again_after_s)
            missing = await self._looked_for()
        self._missing = missing
        return ProgramsReading(
            programs=tuple(WatchedProgram(name=each, is_running=each not in missing) for each in self._programs)
        )

    async def _looked_for(self) -> set[str]:
        """Return the programs that are missing; one whose process is watched and has not ended is not looked for."""
        wanted = set(self._programs) - self._handles.keys()
        found = await self._disk.look(lambda: self._found(wanted)) if wanted else {}
        for program, process in found.items():
            self._watch(program, process)
        return wanted - found.keys()

    def _found(self, wanted: set[str]) -> dict[str, int]:
        """Return the number of a process of each of these programs that is running.

        Raises:
            UnreadableError: one is missing, and not every process can be seen here.
        """
        found = dict[str, int]()
        for process in self._processes():
            found.update(dict.fromkeys(self._names(process) & wanted - found.keys(), process))
            if len(found) == len(wanted):
                return found
        if not (self._proc / "1").exists():
            raise UnreadableError("This system does not show all of its processes, so that none counts as missing.")
        return found

    def _processes(self) -> Iterator[int]:
        with suppress(FileNotFoundError), os.scandir(self._proc) as entries:
            numbers = (int(entry.name) for entry in entries if entry.name.isdecimal())
            yield from (number for number, _ in zip(numbers, range(PROCESSES_MAX), strict=False))

    def _names(self, process: int) -> frozenset[str]:
        folder = self._proc / str(process)
        try:
            return names_of(head(folder / "stat", STAT_BYTES_MAX), head(folder / "cmdline", ARGUMENTS_BYTES_MAX))
        except OSError:  # it has ended meanwhile, or is not ours to look at
            return frozenset()

    def _watch(self, program: str, process: int) -> None:
        if self._is_closed or program in self._handles or not hasattr(os, "pidfd_open"):
            return
        with suppress(OSError):  # it has ended meanwhile: the next look finds that
            handle = os.pidfd_open(process)
            self._handles[program] = handle
            asyncio.get_running_loop().add_reader(handle, self._ended, program)

    def _ended(self, program: str) -> None:
        self._let_go(program)
        self._tell(Change.READING)

    def _let_go(self, program: str) -> None:
        handle = self._handles.pop(program)
        asyncio.get_running_loop().remove_reader(handle)
        os.close(handle)
