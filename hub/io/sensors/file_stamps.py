"""How files were at one moment, to tell later whether they changed, without reading them."""

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from hub.domain.moment import Change
from hub.io.sensors.traces import ANY, WatchedFile

ENTRIES_MAX = 1_000
"""Of a folder so many files are looked at; one more or less shows in the folder's own time."""
Stamp = tuple[int, int, int]
"""When it was written (in ns), its size, and its number: a file that was put in its place has another one."""
Stamps = tuple[Stamp | None, ...]


def stamp_of(status: os.stat_result) -> Stamp:
    """Return what changes when a file is written, or replaced by another."""
    return status.st_mtime_ns, status.st_size, status.st_ino


def marked(traces: Sequence[WatchedFile]) -> tuple[Stamps, ...]:
    """Return how each file is now: of a `*`, its folder and what is in it."""
    return tuple(tuple(_stamps(trace.file)) for trace in traces)


def changed_since(traces: Sequence[WatchedFile], before: Sequence[Stamps]) -> tuple[Change, ...]:
    """Return what it means that files are other than they were marked as, each kind of change once."""
    now = marked(traces)
    return tuple(dict.fromkeys(trace.change for trace, old, new in zip(traces, before, now, strict=True) if old != new))


def _stamps(file: Path) -> Iterator[Stamp | None]:
    if file.name != ANY:
        yield _stamp(file)
        return
    yield _stamp(file.parent)
    try:
        with os.scandir(file.parent) as entries:
            for path in sorted(entry.path for entry in islice(entries, ENTRIES_MAX)):
                yield _stamp(path)
    except OSError:  # not there, or not ours to read: then it is not watched either
        return


def _stamp(path: str | Path) -> Stamp | None:
    try:
        return stamp_of(os.lstat(path))
    except OSError:
        return None
