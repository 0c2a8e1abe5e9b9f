"""What a next-prompt predictor of the person's foresees: a file with a line for each prediction (CROSSPOLL 9.3)."""

from pathlib import Path

from hub.domain.readings import PredictorReading
from hub.io.sensors.bounded import head
from hub.io.sensors.guard import UnreadableError
from hub.io.sensors.one_file import FileSensor
from hub.sense.predictor_lines import predictor_reading

FILE_BYTES_MAX = 1024 * 1024


def predictor_sensor(path: Path) -> FileSensor:
    """Return what reads the predictions; a file that does not exist foresees nothing."""
    return FileSensor("predictor", path, content=_whole, meaning=predictor_reading, without=PredictorReading())


def _whole(file: Path) -> bytes:
    if file.stat().st_size > FILE_BYTES_MAX:
        raise UnreadableError(f"{file} is larger than {FILE_BYTES_MAX} bytes. Let the predictor start over.")
    return head(file, FILE_BYTES_MAX)
