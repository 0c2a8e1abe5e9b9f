"""What a next-prompt predictor of the person's foresees: a file with a line for each prediction (CROSSPOLL 9.3)."""

from datetime import datetime
from pathlib import Path

from hub.domain.situation import AnyReading, PredictorReading, Reading
from hub.io.sensors.bounded import head
from hub.io.sensors.guard import Disk, UnreadableError, guarded
from hub.sense.predictor_lines import predictor_reading

READ_S_MAX = 2.0
FILE_BYTES_MAX = 1024 * 1024
Stamp = tuple[int, int]


class PredictorSensor:
    """Reads the file when it changed; one that is not there foresees nothing."""

    name = "predictor"

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
            return PredictorReading()
        if status.st_size > FILE_BYTES_MAX:
            raise UnreadableError(f"{self._path} is larger than {FILE_BYTES_MAX} bytes. Let the predictor begin anew.")
        stamp = (status.st_mtime_ns, status.st_size)
        if self._kept is None or self._kept[0] != stamp:
            self._kept = (stamp, head(self._path, FILE_BYTES_MAX))
        return predictor_reading(self._kept[1], now)
