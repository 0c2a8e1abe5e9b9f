"""Where the world log of a home lies, and what is kept beside it."""

from pathlib import Path

from hub.contract.base import Value

LOG, READERS = "world.log", "world-readers"


class WorldFiles(Value):
    """The log, and the folder with what each reader has read of it."""

    log: Path
    readers: Path


def world_files(home: Path, written: str) -> WorldFiles:
    """Return the files of a home; `written` is where the settings say that the log lies, empty for the usual place."""
    log = home / LOG if not written else home / Path(written).expanduser()
    return WorldFiles(log=log, readers=home / READERS)
