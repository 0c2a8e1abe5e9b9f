"""Takes in each line of the world log once, from where it was left: through rotation, cuts, copies, halves and junk.

Theory: what was put aside is read to its end first, and stays in sight, for a program that had it open may still write
there. A last line without a new line is half, and waits. A line that is too long is looked through, in pieces, to its
end, and becomes one `Unparsed`. `read_on` does a bounded part; the cursor that comes with its lines is what to keep.
"""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.world import LINE_BYTES_MAX, LineFault
from hub.domain.world import UNPARSED_CHARS_MAX, WorldLine
from hub.domain.world_file import LogGap
from hub.domain.world_lines import read_line, unparsed
from hub.io.world.cursor import FileMark, LogCursor, compared, fresh, goes_on, is_new, is_same, marked
from hub.io.world.errors import explained
from hub.io.world.files import LogFile, archives_of, is_archive, opened, siblings, status_of
from hub.io.world.writing import LinePlace

LINES_MAX = 10_000
"""What one call takes in at most."""
BYTES_MAX = 16 * 1024 * 1024
"""What one call looks at in one file at most; never less than one line may have, or it would not get on."""
CHUNK_BYTES = 1024 * 1024
_NEW_LINE = b"\n"


class LoggedLine(Value):
    """A line and where it stands."""

    place: LinePlace
    line: WorldLine


class LogBatch(Value):
    """Lines in order, the cursor to keep with what comes of them, whether there is more, and what befell the log."""

    lines: tuple[LoggedLine, ...]
    cursor: LogCursor
    has_more: bool = False
    gaps: tuple[LogGap, ...] = ()


class _Part(Value):
    """What was read of one file."""

    mark: FileMark
    lines: tuple[LoggedLine, ...] = ()
    has_more: bool = False
    gap: LogGap | None = None


def read_on(path: Path, cursor: LogCursor, *, lines_max: int = LINES_MAX, bytes_max: int = BYTES_MAX) -> LogBatch:
    """Read what the log has beyond the cursor, at most so much.

    Raises:
        WorldLogError: a file of it cannot be read. Nothing was taken in.
    """
    with explained(path):
        marks, gaps = _located(path, cursor)
        parts: list[_Part] = []
        taken = 0
        for mark in marks:
            parts.append(_part_that_is_there(path, mark, lines_max - taken, bytes_max))
            taken += len(parts[-1].lines)
    return LogBatch(
        lines=tuple(line for part in parts for line in part.lines),
        cursor=LogCursor(marks=tuple(part.mark for part in parts)),
        has_more=any(part.has_more for part in parts),
        gaps=(*gaps, *(part.gap for part in parts if part.gap)),
    )


def end_of(path: Path) -> LogCursor:
    """Return the cursor of somebody who has read everything there is; what is half at the end is still to come.

    Raises:
        WorldLogError: a file of it cannot be read.
    """
    with explained(path):
        marks, _ = _located(path, LogCursor())
        return LogCursor(marks=tuple(_at_end(path, mark) for mark in marks))


def _located(path: Path, cursor: LogCursor) -> tuple[list[FileMark], list[LogGap]]:
    """Return the marks of the files that are there, oldest first, and those of the log itself last."""
    archives, live = archives_of(path), status_of(path)
    kept = {mark.name: mark for mark in cursor.marks if mark.name != path.name}
    aside = {file.name: file for file in archives}
    current = next((mark for mark in cursor.marks if mark.name == path.name), None)
    gaps: list[LogGap] = []
    if current is not None and not (live and is_same(current, live) and _holds(path, live, current)):
        moved = _moved(path, current, [file for file in (*archives, *siblings(path)) if file.name not in kept])
        if moved is not None:
            kept[moved.name], current = moved, None
        elif live is None:
            gaps += [LogGap.GONE] if current.offset else []
    others = [mark for name, mark in kept.items() if name not in aside and _is_there(path, mark)]
    newest = max((name for name in kept if name in aside), default="")
    known = [
        kept[name] if name in kept else fresh(file) for name, file in aside.items() if name in kept or name > newest
    ]
    return [*others, *known, *_current(live, current)], gaps


def _current(live: LogFile | None, mark: FileMark | None) -> list[FileMark]:
    if mark is None:
        return [fresh(live)] if live else []
    return [replace(mark, device=live.device, inode=live.inode)] if live else [mark]


def _moved(path: Path, mark: FileMark, files: list[LogFile]) -> FileMark | None:
    """Return the mark of the log under the name that it has been given; None if it is not in its folder.

    What we put aside is known by what it holds alone: it may be a copy that had taken the log's place, and of what
    nothing was read it is new.
    """
    for file in files:
        is_known = mark.offset > 0 if is_archive(path, file.name) else is_same(mark, file)
        if file.name == path.name or not is_known:
            continue
        if _holds(path, file, mark):
            return replace(mark, name=file.name, device=file.device, inode=file.inode)
    return None


def _holds(path: Path, file: LogFile, mark: FileMark) -> bool:
    try:
        with opened(path.with_name(file.name), os.O_RDONLY) as descriptor:
            return goes_on(descriptor, mark, os.fstat(descriptor).st_size)
    except FileNotFoundError:
        return False


def _is_there(path: Path, mark: FileMark) -> bool:
    """Return True if what others renamed still has that name; programs that rotate logs rename them all each time."""
    file = status_of(path.with_name(mark.name))
    return file is not None and is_same(mark, file)


def _part_that_is_there(path: Path, mark: FileMark, lines_max: int, bytes_max: int) -> _Part:
    try:
        return _part(path, mark, lines_max, bytes_max)
    except FileNotFoundError:
        return _Part(mark=mark, has_more=True)


def _part(path: Path, mark: FileMark, lines_max: int, bytes_max: int) -> _Part:
    here, is_live = path.with_name(mark.name), mark.name == path.name
    found = status_of(here)
    if found is None or (not is_live and found.size <= max(mark.offset, mark.scanned)):
        return _Part(mark=mark)
    if is_live and not is_same(mark, found):
        return _Part(mark=mark, has_more=True)  # put aside just now, since it was looked for: to be looked for again
    with opened(here, os.O_RDONLY) as descriptor:
        now = os.fstat(descriptor)
        if (now.st_dev, now.st_ino) != (found.device, found.inode):
            return _Part(mark=mark, has_more=True)
        size = now.st_size
        mark, gap = compared(descriptor, mark, size)
        if size == 0 or lines_max <= 0:
            return _Part(mark=mark, gap=gap, has_more=size > mark.offset)
        end = min(size, max(mark.offset, mark.scanned) + max(bytes_max, LINE_BYTES_MAX))
        lines, after = _taken(descriptor, mark, end, lines_max)
        has_more = after.offset < size and (len(lines) >= lines_max or end < size)
        return _Part(mark=after, lines=lines, gap=gap, has_more=has_more)


def _taken(descriptor: int, mark: FileMark, end: int, lines_max: int) -> tuple[tuple[LoggedLine, ...], FileMark]:
    """Take in the whole lines of a file before `end`; those of an edited one that were taken before are left out."""
    lines: list[LoggedLine] = []
    newest_at, offset, retaking = mark.newest_at, mark.offset, mark
    for start, following, line in _lines(descriptor, mark, end):
        offset = following
        if line is None:
            continue
        at: datetime | None = getattr(line, "at", None)
        if not is_new(retaking, start, at):
            continue
        if retaking.retake_to and start >= retaking.retake_to:
            retaking = replace(retaking, retake_to=0, retake_after=None)
        newest_at = at if newest_at is None or (at is not None and at > newest_at) else newest_at
        place = LinePlace(device=mark.device, inode=mark.inode, offset=start)
        lines.append(LoggedLine(place=place, line=line))
        if len(lines) >= lines_max:
            break
    if offset > mark.offset:
        return tuple(lines), marked(descriptor, retaking, offset, newest_at)
    is_long = end - offset >= LINE_BYTES_MAX
    return (), replace(retaking, scanned=end) if is_long else retaking


def _lines(descriptor: int, mark: FileMark, end: int) -> Iterator[tuple[int, int, WorldLine | None]]:
    """Yield each whole line with where it begins and where the next one does; a blank one is nothing."""
    start, at = mark.offset, max(mark.offset, mark.scanned)
    held = b""
    while at < end and (chunk := os.pread(descriptor, min(CHUNK_BYTES, end - at), at)):
        *whole, last = chunk.split(_NEW_LINE)
        for piece in whole:
            at += len(piece)
            yield start, at + 1, _line(descriptor, start, at, held + piece)
            held = b""
            start = at = at + 1
        at += len(last)
        held = held + last if at - start < LINE_BYTES_MAX else b""  # too long: looked at again where it began


def _line(descriptor: int, start: int, end: int, raw: bytes) -> WorldLine | None:
    if end - start >= LINE_BYTES_MAX:
        return unparsed(LineFault.TOO_LONG, end - start, os.pread(descriptor, 4 * UNPARSED_CHARS_MAX, start))
    return read_line(raw) if raw.strip() else None


def _at_end(path: Path, mark: FileMark) -> FileMark:
    """Return the mark behind a file's last whole line."""
    with opened(path.with_name(mark.name), os.O_RDONLY) as descriptor:
        size = os.fstat(descriptor).st_size
        begin = max(size - LINE_BYTES_MAX, 0)
        seen, new_line, half = os.pread(descriptor, size - begin, begin).rpartition(_NEW_LINE)
        if not new_line:
            return mark if begin == 0 else marked(descriptor, mark, size, None)
        times = [at for raw in seen.split(_NEW_LINE) if (at := getattr(read_line(raw), "at", None))]
        return marked(descriptor, mark, size - len(half), max(times, default=None))
