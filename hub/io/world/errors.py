"""What can go wrong with the file of the world log, and what to do. Codes are listed in docs/errors.md."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hub.contract.errors import WorldError
from hub.io.home.private_files import NO_SPACE

FULL = NO_SPACE | {errno.EFBIG}


class WorldLogError(WorldError):
    """The world log cannot be read or written. The message says why; nothing was changed."""

    code = "world-log-unusable"


class WorldLogFullError(WorldLogError):
    """There is no space left for the world log. Nothing was written."""

    code = "world-log-full"


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the system says of the log into our words.

    Raises:
        WorldLogFullError: there is no space.
        WorldLogError: anything else that the file system refuses.
    """
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise full(path) from error
        raise WorldLogError(
            f"The world log {path} cannot be used ({error.strerror}).",
            fix="Make the file and its folder readable and writable for you; it must be a regular file, not a link.",
        ) from error


def full(path: Path) -> WorldLogFullError:
    """Say that the line was not written, and what to do."""
    return WorldLogFullError(f"No space left for {path}.", fix="Free some space, and write the line again.")
