"""Appends lines to the world log, from any number of processes, any of which may be killed at any moment.

Theory: one line, or several whole ones, are one `write` to a file opened for appending, so lines do not mix, whoever
else appends with `echo`. A process that is killed within its write may leave half a line where it crosses a page. So
whoever writes holds the file's lock (`flock`; it goes with the process), and sets a new line first if the file does not
end with one: what was half stays alone. `echo` knows no lock; nor does anybody wait for ever for one: what got no lock
in time is appended without. On a full disk what was written at once is taken back, and whoever wanted it is told.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from hub.contract.base import Value
from hub.domain.world import WorldEntryLine
from hub.domain.world_lines import write_line
from hub.io.world.errors import explained, full
from hub.io.world.files import ARCHIVES_MAX, archives_of, next_archive, opened

ROTATE_BYTES = 64 * 1024 * 1024
LOCK_S_MAX = 5.0
LOCK_POLL_S, LOCK_POLL_S_MAX = 0.001, 0.016
REOPEN_MAX = 16
"""So often the log may be put aside by others between its opening and its lock."""
AT_ONCE_BYTES_MAX = 64 * 1024
"""Of several lines, so much is written at once, and the lock is let go in between; one line alone may have more."""
_READ_WRITE = os.O_RDWR | os.O_APPEND | os.O_CREAT
_NEW_LINE = b"\n"


class LinePlace(Value):
    """Where a line stands: in which file, and at which byte it begins."""

    device: int
    inode: int
    offset: int


class WorldLog:
    """The log as one writes it. Cheap to make; holds nothing open."""

    def __init__(
        self,
        path: Path,
        *,
        rotate_bytes: int = ROTATE_BYTES,
        archives_max: int = ARCHIVES_MAX,
        lock_s_max: float = LOCK_S_MAX,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.path = path
        self._rotate_bytes = rotate_bytes
        self._archives_max = archives_max
        self._lock_s_max = lock_s_max
        self._sleep = sleep

    def append(self, line: WorldEntryLine) -> LinePlace:
        """Append one line; say where it stands, so that it is known again when it is read.

        Raises:
            BadWorldEntryError: no line can say this. Nothing was written.
            WorldLogFullError: the disk is full. Nothing was written.
            WorldLogError: the file cannot be written.
        """
        raw = write_line(line)
        with explained(self.path), self._held() as (descriptor, _):
            return self._written(descriptor, raw)

    def append_all(self, lines: Sequence[bytes]) -> None:
        """Append lines that are made already (`write_line`), many with one write: what is done for one is done for all.

        Raises:
            WorldLogFullError: the disk is full. The lines before may be there; none is there in part.
            WorldLogError: the file cannot be written; the same.
        """
        for raw in _at_once(lines):
            with explained(self.path), self._held() as (descriptor, _):
                self._written(descriptor, raw)

    def end_half_line(self) -> bool:
        """Set a new line behind a last line that has none, so that it is read; say whether that was needed.

        For whoever has seen that nobody has gone on writing it.
        """
        with explained(self.path), self._held() as (descriptor, _):
            lacks = _lacks_new_line(descriptor)
            if lacks:
                os.write(descriptor, _NEW_LINE)
            return lacks

    def rotate(self, now: datetime) -> str | None:
        """Put the file aside if it has grown large, and delete what was put aside too long ago.

        Returns:
            The name under which it was put aside; None if it is not large, or others are writing all the time.
        """
        with explained(self.path), self._held() as (descriptor, is_locked):
            if not is_locked or os.fstat(descriptor).st_size < self._rotate_bytes:
                return None
            if _lacks_new_line(descriptor):
                os.write(descriptor, _NEW_LINE)
            name = next_archive(self.path, now)
            self.path.rename(self.path.with_name(name))
            for old in archives_of(self.path)[: -self._archives_max]:
                self.path.with_name(old.name).unlink(missing_ok=True)
            return name

    def _written(self, descriptor: int, raw: bytes) -> LinePlace:
        lead = _NEW_LINE if _lacks_new_line(descriptor) else b""
        count = os.write(descriptor, lead + raw)
        # Where this write ended: the position of a descriptor is its own, also when it appends.
        end = os.lseek(descriptor, 0, os.SEEK_CUR)
        if count < len(lead + raw):
            _take_back(descriptor, end, count)
            raise full(self.path)
        found = os.fstat(descriptor)
        return LinePlace(device=found.st_dev, inode=found.st_ino, offset=end - len(raw))

    @contextmanager
    def _held(self) -> Iterator[tuple[int, bool]]:
        """Give the file that the path leads to while its lock is held, and whether it is."""
        for attempt in range(REOPEN_MAX):
            with opened(self.path, _READ_WRITE) as descriptor:
                is_locked = self._lock(descriptor)
                if _is_at(self.path, descriptor) or attempt == REOPEN_MAX - 1:
                    yield descriptor, is_locked
                    return

    def _lock(self, descriptor: int) -> bool:
        waited_s, poll_s = 0.0, LOCK_POLL_S
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if waited_s >= self._lock_s_max:
                    return False
                self._sleep(poll_s)
                waited_s, poll_s = waited_s + poll_s, min(2 * poll_s, LOCK_POLL_S_MAX)
            else:
                return True


def _at_once(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Join lines to what is written at once."""
    group: list[bytes] = []
    size = 0
    for raw in lines:
        if group and size + len(raw) > AT_ONCE_BYTES_MAX:
            yield b"".join(group)
            group, size = [], 0
        group.append(raw)
        size += len(raw)
    if group:
        yield b"".join(group)


def _lacks_new_line(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != _NEW_LINE


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _take_back(descriptor: int, end: int, count: int) -> None:
    """Remove the part of a line that still found room, unless somebody has written behind it since."""
    if os.fstat(descriptor).st_size == end:
        os.ftruncate(descriptor, end - count)
