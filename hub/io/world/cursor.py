"""How far the log has been read, as a value: to be kept with what came of the lines, so that each is taken in once.

Theory: a file is known by what it holds, not by its number: its first bytes, and those before the place up to which it
was read. Where both are as they were, reading goes on there, also in a copy. Where the first bytes are the same and the
others are not, somebody has cut or edited the log: it is read again from its beginning, and what is not later than what
was last taken is left out. Where the first bytes differ it is another log, and all of it is new.
"""

import os
from datetime import datetime

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.world_file import LogGap
from hub.io.world.files import LogFile

KNOWN_BYTES = 256
"""What is remembered of a file's beginning, and of what stands before the place."""


class FileMark(Value):
    """How far one file was read.

    Attributes:
        offset: where the next line begins.
        scanned: how far a line that is too long was looked through without finding its end.
        head, tail: the file's first bytes, and the last ones before `offset`.
        newest_at: the latest time of a line that was taken in.
        retake_to, retake_after: while an edited file is read again: how long it was then, and after which time a line
            of it is new.
    """

    name: str
    device: int
    inode: int
    offset: int = 0
    scanned: int = 0
    head: bytes = b""
    tail: bytes = b""
    newest_at: datetime | None = None
    retake_to: int = 0
    retake_after: datetime | None = None


class LogCursor(Value):
    """How far all of the log was read; without marks, from its very beginning."""

    marks: tuple[FileMark, ...] = ()


BEGINNING = LogCursor()


def fresh(file: LogFile) -> FileMark:
    """Return the mark of a file of which nothing was read."""
    return FileMark(name=file.name, device=file.device, inode=file.inode)


def is_same(mark: FileMark, file: LogFile) -> bool:
    """Return True if the number is that of the file; that is no proof, for numbers are used again."""
    return (mark.device, mark.inode) == (file.device, file.inode)


def goes_on(descriptor: int, mark: FileMark, size: int) -> bool:
    """Return True if a file holds what was read of it, up to where that was."""
    start = mark.offset - len(mark.tail)
    return (
        size >= mark.offset
        and os.pread(descriptor, len(mark.head), 0) == mark.head
        and os.pread(descriptor, len(mark.tail), start) == mark.tail
    )


def compared(descriptor: int, mark: FileMark, size: int) -> tuple[FileMark, LogGap | None]:
    """Return where to read on in a file, and what happened to it; an empty one may be about to be filled again."""
    if size == 0 or goes_on(descriptor, mark, size):
        return mark, None
    now = os.pread(descriptor, len(mark.head), 0)
    again = FileMark(name=mark.name, device=mark.device, inode=mark.inode)
    if not mark.head.startswith(now):
        return again, LogGap.REPLACED
    return replace(again, newest_at=mark.newest_at, retake_to=size, retake_after=mark.newest_at), LogGap.CUT


def is_new(mark: FileMark, start: int, at: datetime | None) -> bool:
    """Return True if a line that begins at `start` is to be taken in, where an edited file is read again."""
    if not mark.retake_to:
        return True
    if at is None:
        return start >= mark.retake_to
    return mark.retake_after is None or at > mark.retake_after


def marked(descriptor: int, mark: FileMark, offset: int, newest_at: datetime | None) -> FileMark:
    """Return the mark after everything before `offset` was taken in."""
    length = min(offset, KNOWN_BYTES)
    return replace(
        mark,
        offset=offset,
        scanned=0,
        head=mark.head if len(mark.head) == KNOWN_BYTES else os.pread(descriptor, length, 0),
        tail=os.pread(descriptor, length, offset - length),
        newest_at=newest_at,
    )
