"""Which files make up the log: the one that is written, and those before it that were put aside when they had grown.

A file that is put aside keeps its name and the time: `world.log.20260109T100000.000000Z`. So their names are in order.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hub.contract.base import Value

ARCHIVES_MAX = 64
"""Older ones are deleted when one more is put aside; with `ROTATE_BYTES` each, that is 4 GiB."""
SIBLINGS_MAX = 4_096
"""So many files of the folder are looked at when the log was renamed by somebody else."""
FILE_MODE = 0o600
_ARCHIVED = re.compile(r"\.([0-9]{8}T[0-9]{6}\.[0-9]{6})Z")
_STAMP = "%Y%m%dT%H%M%S.%f"


class LogFile(Value):
    """One file as it was when it was looked at."""

    name: str
    device: int
    inode: int
    size: int


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    """Open a plain file, never through a link and never waiting for the other end of a pipe.

    Raises:
        OSError: it does not exist, is not ours, or is no plain file.
    """
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, FILE_MODE)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        yield descriptor
    finally:
        os.close(descriptor)


def status_of(path: Path) -> LogFile | None:
    """Return a plain file as it is now; None if there is none."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return _file(path.name, found) if stat.S_ISREG(found.st_mode) else None


def archives_of(path: Path) -> tuple[LogFile, ...]:
    """Return the files that were put aside, oldest first."""
    names = (name for name in _names(path.parent) if name.startswith(path.name))
    aside = sorted(name for name in names if _ARCHIVED.fullmatch(name.removeprefix(path.name)))
    return tuple(found for name in aside if (found := status_of(path.with_name(name))))


def is_archive(path: Path, name: str) -> bool:
    """Return True if a file of that name was put aside by us."""
    return name.startswith(path.name) and _ARCHIVED.fullmatch(name.removeprefix(path.name)) is not None


def next_archive(path: Path, now: datetime) -> str:
    """Return the name for what is put aside now; it comes after all others, also when the clock went back."""
    last = max((one.name for one in archives_of(path)), default="")
    found = _ARCHIVED.fullmatch(last.removeprefix(path.name))
    at = now.astimezone(UTC)
    if found:
        at = max(at, datetime.strptime(found[1], _STAMP).replace(tzinfo=UTC) + timedelta(microseconds=1))
    return f"{path.name}.{at.strftime(_STAMP)}Z"


def siblings(path: Path) -> Iterator[LogFile]:
    """Yield the plain files of the log's folder, up to `SIBLINGS_MAX`."""
    for name in sorted(_names(path.parent))[:SIBLINGS_MAX]:
        if found := status_of(path.with_name(name)):
            yield found


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208  only names
    except FileNotFoundError:
        return []


def _file(name: str, found: os.stat_result) -> LogFile:
    return LogFile(name=name, device=found.st_dev, inode=found.st_ino, size=found.st_size)
