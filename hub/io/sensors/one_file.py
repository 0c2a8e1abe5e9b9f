"""A file that something else writes for Pulse: read when it changed, and never longer than it may be."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from hub.domain.readings import AnyReading
from hub.io.sensors.guard import DiskSensor

Stamp = tuple[int, int]


class FileSensor(DiskSensor):
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
        super().__init__()
        self.name = name
        self._path = path
        self._content, self._meaning, self._without = content, meaning, without
        self._kept: tuple[Stamp, bytes] | None = None

    def look(self, now: datetime) -> AnyReading:
        """Look once, beside the loop."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return self._without
        stamp = (status.st_mtime_ns, status.st_size)
        if self._kept is None or self._kept[0] != stamp:
            self._kept = (stamp, self._content(self._path))
        return self._meaning(self._kept[1], now)
