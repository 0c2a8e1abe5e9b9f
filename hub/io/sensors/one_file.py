"""A file that something else writes for Pulse: read when it changed, and never longer than it may be."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from hub.domain.situation import AnyReading, Reading
from hub.io.sensors.guard import Disk, guarded

READ_S_MAX = 2.0
Stamp = tuple[int, int]


class FileSensor:
    """Reads one file: `content` is what of it counts, `meaning` what that says, `without` what no file says."""

    def __init__(
        self,
        name: str,
        path: Path,
        *,
        content: Callable[[Path], bytes],
        meaning: Callable[[bytes, datetime], AnyReading],
        without: AnyReading,
    ) -> None:
        self.name = name
        self._path = path
        self._content, self._meaning, self._without = content, meaning, without
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
            return self._without
        stamp = (status.st_mtime_ns, status.st_size)
        if self._kept is None or self._kept[0] != stamp:
            self._kept = (stamp, self._content(self._path))
        return self._meaning(self._kept[1], now)
