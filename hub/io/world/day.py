"""The part of the log that one day is made of, found without reading the rest.

Theory: lines stand in the order in which they were written, so their times rise, but for writers whose clocks differ
and lines that have no time at all. So a place is searched by halves (bisection), each time by the middle one of some
lines' times, and an hour more is taken at both ends. What it costs grows with the logarithm of the log, and with the
day, up to `DAY_BYTES_MAX`; of a longer day the end is read.
"""

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from hub.contract.base import Value
from hub.contract.world import LINE_BYTES_MAX
from hub.domain.world import WorldLine
from hub.domain.world_lines import read_line
from hub.io.world.errors import explained
from hub.io.world.files import LogFile, archives_of, opened, status_of

DAY_BYTES_MAX = 8 * 1024 * 1024
BEFORE_BYTES_MAX = 1024 * 1024
"""So much before the day is read, too: it says where the sessions were that had begun by then."""
ORDER_SLACK = timedelta(hours=1)
"""Lines may stand so far from where their time would have them."""
PROBE_BYTES = 16 * 1024
PROBES_MAX = 8
"""So many pieces are looked at for a line with a time."""
_NEW_LINE = b"\n"


class _Piece(Value):
    """A part of a file, by bytes."""

    name: str
    begin: int
    end: int


class DayText(Value):
    """What was read: whole lines, in the order in which they stand. `cut_at`: what was before that was not read."""

    parts: tuple[bytes, ...] = ()
    cut_at: datetime | None = None

    def lines(self) -> Iterator[WorldLine]:
        """Yield what the lines say."""
        return (read_line(raw) for part in self.parts for raw in part.split(_NEW_LINE) if raw.strip())


def read_day(path: Path, since: datetime, until: datetime, *, bytes_max: int = DAY_BYTES_MAX) -> DayText:
    """Return the lines between two times, some from before, and those around that have none.

    Raises:
        WorldLogError: a file of the log cannot be read.
    """
    with explained(path):
        live = status_of(path)
        files = (*archives_of(path), *((live,) if live else ()))
        pieces = [found for file in files if (found := _piece_that_is_there(path, file, since, until))]
        kept, is_cut = _newest(pieces, bytes_max)
        before = [] if is_cut or not kept else _before(files, kept[0])
        parts = tuple(_whole_lines(path, piece) for piece in (*before, *kept))
    return DayText(parts=parts, cut_at=_first_time(parts[0]) if is_cut and parts else None)


def _piece_that_is_there(path: Path, file: LogFile, since: datetime, until: datetime) -> _Piece | None:
    """Return the part of a file that may hold lines of the day; None for no part, or a file that went away."""
    try:
        with opened(path.with_name(file.name), os.O_RDONLY) as descriptor:
            size = os.fstat(descriptor).st_size
            begin = _place(descriptor, size, _shifted(since, -ORDER_SLACK), is_end=False)
            end = _place(descriptor, size, _shifted(until, ORDER_SLACK), is_end=True)
    except FileNotFoundError:
        return None
    return _Piece(name=file.name, begin=begin, end=end) if begin < end else None


def _place(descriptor: int, size: int, wanted: datetime, *, is_end: bool) -> int:
    """Return where the lines of a time begin, or end: rather too much than too little is between the two."""
    ends = _times_at(descriptor, 0 if is_end else max(0, size - PROBE_BYTES), size)
    if is_end and ends and min(ends) > wanted:
        return 0
    if not is_end and ends and max(ends) < wanted:
        return size
    low, high = 0, size
    while high - low > PROBE_BYTES:
        middle = (low + high) // 2
        times = _times_at(descriptor, middle, high)
        is_before = sorted(times)[(len(times) - 1) // 2] < wanted if times else is_end
        low, high = (middle, high) if is_before else (low, middle)
    # Of the lines that were looked at behind `high`, half may still be before.
    return min(size, high + PROBES_MAX * PROBE_BYTES) if is_end else low


def _shifted(at: datetime, by: timedelta) -> datetime:
    try:
        return at + by
    except OverflowError:  # the ends of the calendar
        return at


def _times_at(descriptor: int, begin: int, end: int) -> list[datetime]:
    """Return the times of some lines behind a place. Who takes the middle one is not misled by one that is far off."""
    at = begin
    for _ in range(PROBES_MAX):
        text = os.pread(descriptor, min(PROBE_BYTES, max(0, end - at)), at)
        times = _times(text if at == 0 else text.partition(_NEW_LINE)[2])
        if times or not text:
            return times
        at += len(text)
    return []


def _times(text: bytes) -> list[datetime]:
    whole = text.rpartition(_NEW_LINE)[0].split(_NEW_LINE)
    return [at for raw in whole if (at := getattr(read_line(raw), "at", None)) is not None]


def _first_time(text: bytes) -> datetime | None:
    lines = (read_line(raw) for raw in text.split(_NEW_LINE))
    return next((at for line in lines if (at := getattr(line, "at", None)) is not None), None)


def _newest(pieces: list[_Piece], bytes_max: int) -> tuple[list[_Piece], bool]:
    """Return the last parts that are not too long together, and whether that left something out."""
    kept: list[_Piece] = []
    left = bytes_max
    for piece in reversed(pieces):
        length = min(piece.end - piece.begin, left)
        if length:
            kept.insert(0, _Piece(name=piece.name, begin=piece.end - length, end=piece.end))
        left -= length
    total = sum(piece.end - piece.begin for piece in pieces)
    return kept, total > bytes_max


def _before(files: tuple[LogFile, ...], first: _Piece) -> list[_Piece]:
    """Return what stands before the day, in its file and the one before."""
    names = [file.name for file in files]
    place = names.index(first.name)
    begin = max(0, first.begin - BEFORE_BYTES_MAX)
    here = [_Piece(name=first.name, begin=begin, end=first.begin)] if begin < first.begin else []
    left = BEFORE_BYTES_MAX - (first.begin - begin)
    if place == 0 or left == 0:
        return here
    last = files[place - 1]
    return [_Piece(name=last.name, begin=max(0, last.size - left), end=last.size), *here]


def _whole_lines(path: Path, piece: _Piece) -> bytes:
    """Read a part of a file without the halves of lines at its ends, but to the end of the last one that it begins."""
    try:
        with opened(path.with_name(piece.name), os.O_RDONLY) as descriptor:
            text = os.pread(descriptor, piece.end - piece.begin, piece.begin)
            follows = os.pread(descriptor, LINE_BYTES_MAX, piece.end)
            is_line_start = piece.begin == 0 or os.pread(descriptor, 1, piece.begin - 1) == _NEW_LINE
    except FileNotFoundError:
        return b""
    tail, new_line, _ = follows.partition(_NEW_LINE)
    if not text.endswith(_NEW_LINE):
        text = text + tail if new_line else text.rpartition(_NEW_LINE)[0]
    return text if is_line_start else text.partition(_NEW_LINE)[2]
