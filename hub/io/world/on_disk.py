"""The world log's file for the keeper of it: reads on, appends, and sees that it is there. All of it blocks."""

import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from hub.contract.world import BadWorldEntryError
from hub.domain.world_file import LogRead
from hub.domain.world_lines import write_line
from hub.domain.world_log_state import LoggedOut
from hub.io.world.cursor import BEGINNING, LogCursor
from hub.io.world.errors import WorldLogError, explained
from hub.io.world.files import opened, status_of
from hub.io.world.reading import read_on
from hub.io.world.writing import ROTATE_BYTES, WorldLog
from hub.kit.files import FOLDER_MODE

HALF_MAX = timedelta(seconds=45)
"""So long nobody goes on with a half line before it is ended: its writer is gone."""
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(LogCursor)
Half = tuple[int, int]
"""Which file ends with a half line, and how long it is."""


class LogOnDisk:
    """The `WorldFile` port on a real file. Not safe for two threads at once."""

    def __init__(self, path: Path, *, rotate_bytes: int = ROTATE_BYTES) -> None:
        self.path = path
        self._log = WorldLog(path, rotate_bytes=rotate_bytes)
        self._rotate_bytes = rotate_bytes
        self._half: tuple[Half, datetime] | None = None

    def read(self, cursor: bytes, lines_max: int) -> LogRead:
        """Read what the log has beyond the cursor, at most so many lines; an empty cursor is its very beginning.

        Raises:
            WorldLogError: it cannot be read, or the cursor is none.
        """
        batch = read_on(self.path, _cursor_of(cursor), lines_max=lines_max)
        return LogRead(
            lines=tuple(each.line for each in batch.lines),
            cursor=_encoder.encode(batch.cursor),
            has_more=batch.has_more,
            gaps=batch.gaps,
            half_bytes=0 if batch.has_more else self._half_bytes(batch.cursor),
        )

    def append(self, lines: Sequence[LoggedOut]) -> tuple[str, ...]:
        """Append lines; return the ids of those that no line can say, and that were left out.

        Raises:
            WorldLogError: the file cannot be written, or there is no space. The lines before may be there.
        """
        writable: list[bytes] = []
        unwritable: list[str] = []
        for out in lines:
            try:
                writable.append(write_line(out.line))
            except BadWorldEntryError:
                unwritable.append(out.id)
        self._log.append_all(writable)
        return tuple(unwritable)

    def tend(self, now: datetime, half_bytes: int) -> None:
        """See that the log is there; put it aside if it has grown; end a half line that nobody goes on with.

        Raises:
            WorldLogError: it cannot be made or written.
        """
        with explained(self.path):
            self._make()
            found = status_of(self.path)
        size = 0 if found is None else found.size
        if self._is_left(now, (0 if found is None else found.inode, size), half_bytes):
            self._log.end_half_line()
        if size >= self._rotate_bytes and self._log.rotate(now) is not None:
            with explained(self.path):
                self._make()

    def _is_left(self, now: datetime, half: Half, half_bytes: int) -> bool:
        """Return True if the same half line has been there for long."""
        if not half_bytes:
            self._half = None
        elif self._half is None or self._half[0] != half:
            self._half = half, now
        return self._half is not None and now - self._half[1] >= HALF_MAX

    def _make(self) -> None:
        if status_of(self.path) is None:
            self.path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            with opened(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND):
                pass

    def _half_bytes(self, cursor: LogCursor) -> int:
        """Return how much stands behind the last whole line of the file that is written."""
        found = status_of(self.path)
        mark = next((mark for mark in cursor.marks if mark.name == self.path.name), None)
        return 0 if found is None or mark is None else max(0, found.size - mark.offset)


def _cursor_of(raw: bytes) -> LogCursor:
    try:
        return _decoder.decode(raw) if raw else BEGINNING
    except msgspec.DecodeError as error:
        raise WorldLogError(
            f"How far the world log was read is damaged ({error}).",
            fix="Stop Pulse and put a backup of its store in place.",
        ) from error
