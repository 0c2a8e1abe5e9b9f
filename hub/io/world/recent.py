"""The last lines of the log, read from its end: what it costs does not grow with the log."""

import os
from pathlib import Path

from hub.domain.world import WorldLine
from hub.domain.world_lines import read_line
from hub.io.world.errors import explained
from hub.io.world.files import LogFile, archives_of, opened, status_of

RECENT_MAX = 1_000
RECENT_BYTES_MAX = 8 * 1024 * 1024
FIRST_BYTES = 64 * 1024
_NEW_LINE = b"\n"


def recent(path: Path, count: int) -> tuple[WorldLine, ...]:
    """Return the last whole lines, oldest first: `count` of them, at most `RECENT_MAX`, or what 8 MiB hold.

    Raises:
        WorldLogError: the log cannot be read.
    """
    wanted = max(min(count, RECENT_MAX), 0)
    found: list[bytes] = []
    left = RECENT_BYTES_MAX
    with explained(path):
        live = status_of(path)
        for file in (*((live,) if live else ()), *reversed(archives_of(path))):
            if len(found) >= wanted or left <= 0:
                break
            lines, span = _last(path.with_name(file.name), file, wanted - len(found), left)
            found, left = [*lines, *found], left - span
    return tuple(read_line(raw) for raw in found)


def _last(path: Path, file: LogFile, count: int, bytes_max: int) -> tuple[list[bytes], int]:
    """Return the last lines of one file, and how much of it was read for them."""
    with opened(path, os.O_RDONLY) as descriptor:
        size, most = file.size, min(file.size, bytes_max)
        span = min(FIRST_BYTES, most)
        while True:
            text = os.pread(descriptor, span, size - span)
            lines = [raw for raw in _whole(text, is_all=span == size) if raw.strip()]
            if len(lines) >= count or span == most:
                return lines[len(lines) - min(count, len(lines)) :], span
            span = min(4 * span, most)


def _whole(text: bytes, *, is_all: bool) -> list[bytes]:
    """Return the lines that are there from their beginning to their end."""
    lines = text.split(_NEW_LINE)[:-1]
    return lines if is_all else lines[1:]
