"""The long commands that a person's shell tells of, where they have let it (`pulse shell-hook`)."""

from datetime import datetime
from pathlib import Path

from hub.domain.situation import AnyReading, Reading, ShellReading
from hub.io.sensors.bounded import tail
from hub.io.sensors.guard import Disk, guarded
from hub.sense.command_lines import command_reading

READ_S_MAX = 2.0
TAIL_BYTES_MAX = 32 * 1024
Stamp = tuple[int, int]


class CommandSensor:
    """Reads the end of the record when it changed; without one, nobody's shell tells."""

    name = "commands"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._disk = Disk()
        self._kept: tuple[Stamp, bytes] | None = None

    async def read(self, now: datetime) -> Reading:
        """Look once."""
        return await guarded(self.name, now, READ_S_MAX, self._disk.look(lambda: self._look(now)))

    async def close(self) -> None:
        """Nothing is held open."""

    def _look(self, now: datetime) -> AnyReading:
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return ShellReading()
        stamp = (status.st_mtime_ns, status.st_size)
        if self._kept is None or self._kept[0] != stamp:
            self._kept = (stamp, tail(self._path, TAIL_BYTES_MAX))
        return command_reading(self._kept[1], now)
