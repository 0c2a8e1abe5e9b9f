"""A real hub that keeps a real log; killed wherever a test wants, and begun again on the same store and file."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from hub.contract.world import AgentStatus
from hub.domain.requests import Reply
from hub.domain.world import WorldLine, WorldSession
from hub.domain.world_file import LogRead
from hub.domain.world_lines import read_line
from hub.domain.world_log_state import LoggedOut, WorldIntake
from hub.domain.world_queries import WorldLinesOut
from hub.io.world.files import archives_of
from hub.io.world.on_disk import LogOnDisk
from hub.loop.events import WorldRead
from hub.ports import WorldFile
from hub.runner import WorldKeeper
from tests.fakes.store import MemoryStore
from tests.runner.running_hub import House, living


class KilledError(Exception):
    """The process ends here."""


class Fate:
    """Kills at the n-th thing that happens, before or after it is done; 0 for never."""

    def __init__(self, kill_at: int = 0, *, after: bool = False) -> None:
        self.kill_at, self.after = kill_at, after
        self.happened = 0

    def begins(self) -> None:
        self.happened += 1
        if self.happened == self.kill_at and not self.after:
            raise KilledError

    def ended(self) -> None:
        if self.happened == self.kill_at and self.after:
            raise KilledError


class FatefulFile:
    """A `WorldFile` whose every call may be the last; of several lines each may be."""

    def __init__(self, file: WorldFile, fate: Fate) -> None:
        self._file, self._fate = file, fate

    def read(self, cursor: bytes, lines_max: int) -> LogRead:
        self._fate.begins()
        found = self._file.read(cursor, min(lines_max, 2))
        self._fate.ended()
        return found

    def append(self, lines: Sequence[LoggedOut]) -> tuple[str, ...]:
        unwritable: tuple[str, ...] = ()
        for line in lines:
            self._fate.begins()
            unwritable += self._file.append((line,))
            self._fate.ended()
        return unwritable

    def tend(self, now: datetime, half_bytes: int) -> None:
        self._fate.begins()
        self._file.tend(now, half_bytes)
        self._fate.ended()


class KeptLog:
    """The house, its log and the keeper between them."""

    def __init__(
        self, path: Path, store: MemoryStore, *, fate: Fate | None = None, rotate_bytes: int = 1 << 20
    ) -> None:
        self.path = path
        self.house = House(store=store)
        self.store = store
        self.fate = fate or Fate()
        file = FatefulFile(LogOnDisk(path, rotate_bytes=rotate_bytes), self.fate)
        self.keeper = WorldKeeper(file, path=str(path), store=store, clock=self.house.clock, user="me")
        self.house.world = self.keeper

    async def take_in(self, read: WorldRead) -> Reply:
        self.fate.begins()
        reply = await self.house.hub.take_in(read)
        self.fate.ended()
        return reply

    async def look(self) -> None:
        await self.keeper.look()

    @property
    def intake(self) -> WorldIntake:
        return self.house.hub.state().world.intake

    def session(self, session_id: str) -> WorldSession:
        return self.house.hub.state().world.sessions[session_id]

    def status(self, session_id: str) -> AgentStatus:
        return self.session(session_id).status

    async def waiting(self) -> tuple[LoggedOut, ...]:
        return await self.store.read(WorldLinesOut(user="me", limit=99))

    def lines(self) -> list[WorldLine]:
        """All that stands in the log, also in what was put aside."""
        files = [*(self.path.with_name(one.name) for one in archives_of(self.path)), self.path]
        return [read_line(raw) for file in files for raw in file.read_bytes().splitlines() if raw]


@asynccontextmanager
async def keeping(
    path: Path, store: MemoryStore | None = None, *, fate: Fate | None = None, rotate_bytes: int = 1 << 20
) -> AsyncIterator[KeptLog]:
    """Start a hub with a log; nothing is looked at but when the test says so."""
    kept = KeptLog(path, store or MemoryStore(), fate=fate, rotate_bytes=rotate_bytes)
    async with living(kept.house):
        kept.keeper.meet(kept.take_in, kept.house.hub.submit)
        yield kept
