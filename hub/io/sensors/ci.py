"""Ask for the last result of continuous integration where the person said it can be had: a file or a command."""

import os
from datetime import datetime, timedelta
from pathlib import Path

from hub.contract.base import Value
from hub.io.sensors.bounded import head
from hub.io.sensors.command import run
from hub.io.sensors.guard import Disk, UnreadableError
from hub.sense.ci_output import CiResult, ci_result

FILE_BYTES_MAX = 1024 * 1024
COMMAND_S_MAX = 20.0
COMMAND_EVERY = timedelta(minutes=5)


class CiSource(Value):
    """Where the result is: a file (relative to the work tree), or a program's output. At most one of them."""

    file: Path | None = None
    command: tuple[str, ...] = ()


class CiReader:
    """Reads the file when it changed; asks the command every five minutes at most."""

    def __init__(self, source: CiSource) -> None:
        self.source = source
        self._said: tuple[datetime, CiResult] | None = None
        self._held: tuple[tuple[int, int], CiResult] | None = None

    async def read(self, top: Path, disk: Disk, now: datetime) -> CiResult:
        """Return the result, or "unknown" with the reason."""
        if self.source.file is not None:
            path = top / self.source.file
            return await disk.look(lambda: self._from_file(path))
        if not self.source.command:
            return CiResult()
        if self._said is None or abs(now - self._said[0]) >= COMMAND_EVERY:
            self._said = (now, await _from_command(self.source.command, top))
        return self._said[1]

    def _from_file(self, path: Path) -> CiResult:
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if self._held is None or self._held[0] != stamp:
                self._held = (stamp, ci_result(head(path, FILE_BYTES_MAX)))
        except OSError as wrong:
            return CiResult(detail=str(wrong))
        return self._held[1]


async def _from_command(argv: tuple[str, ...], top: Path) -> CiResult:
    try:
        said = await run(argv, cwd=top, env=os.environ, timeout_s=COMMAND_S_MAX, limit_bytes=FILE_BYTES_MAX)
    except UnreadableError as wrong:
        return CiResult(detail=str(wrong))
    if said.code:
        return CiResult(detail=f"{argv[0]} ended with {said.code}: {said.error.partition(chr(10))[0]}")
    return ci_result(said.out)
