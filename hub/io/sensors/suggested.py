"""What agents suggest: the box in which the hub keeps it."""

from pathlib import Path

from hub.domain.suggested import SuggestedReading
from hub.io.home.suggestion_box import BOX_BYTES_MAX
from hub.io.sensors.bounded import tail
from hub.io.sensors.one_file import FileSensor
from hub.sense.suggested_lines import suggested_reading


def suggested_sensor(path: Path) -> FileSensor:
    """Return what reads the box; without one, nobody suggests anything."""
    return FileSensor(
        "suggested",
        path,
        content=lambda file: tail(file, BOX_BYTES_MAX),
        meaning=suggested_reading,
        without=SuggestedReading(),
    )
