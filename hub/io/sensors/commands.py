"""The long commands that a person's shell tells of, where they have let it (`pulse shell-hook`)."""

from pathlib import Path

from hub.domain.readings import ShellReading
from hub.io.sensors.bounded import tail
from hub.io.sensors.one_file import FileSensor
from hub.sense.command_lines import command_reading

TAIL_BYTES_MAX = 32 * 1024


def command_sensor(path: Path) -> FileSensor:
    """Return what reads the end of the record; without one, nobody's shell tells."""
    return FileSensor(
        "commands",
        path,
        content=lambda file: tail(file, TAIL_BYTES_MAX),
        meaning=command_reading,
        without=ShellReading(),
    )
