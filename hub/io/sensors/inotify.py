"""inotify(7) through libc: no thread, no wake-up while nothing happens. Why not a library: docs/adr/0008."""

import asyncio
import ctypes
import errno
import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from hub.contract.base import Value

IN_MODIFY = 0x0000_0002
IN_ATTRIB = 0x0000_0004
IN_CLOSE_WRITE = 0x0000_0008
IN_MOVED_FROM = 0x0000_0040
IN_MOVED_TO = 0x0000_0080
IN_CREATE = 0x0000_0100
IN_DELETE = 0x0000_0200
IN_MOVE_SELF = 0x0000_0800
IN_Q_OVERFLOW = 0x0000_4000
IN_IGNORED = 0x0000_8000
IN_ONLYDIR = 0x0100_0000
IN_DONT_FOLLOW = 0x0200_0000
IN_EXCL_UNLINK = 0x0400_0000
IN_MASK_ADD = 0x2000_0000
IN_ISDIR = 0x4000_0000
CHANGES = IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE
"""Not IN_MODIFY: a program that writes a log for hours would wake us for each line. Transcripts are such logs."""
HOW = IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK
HEADER = struct.Struct("iIII")
READ_BYTES = 64 * 1024
DRAIN_READS_MAX = 128
"""More than the kernel's queue holds, unless it is filled meanwhile."""


class InotifyEvent(Value):
    """One thing that happened in the folder watched as `watch`; `name` is empty for the folder itself."""

    watch: int
    mask: int
    name: str


class Inotify:
    """One inotify instance; `fd` is for the event loop to wait on."""

    def __init__(self) -> None:
        """Open it.

        Raises:
            OSError: the system's limit of instances is reached.
        """
        # `use_errno` keeps this library's errno apart from other threads'.
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self._checked(self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))

    def watch(self, folder: str | Path, mask: int = CHANGES) -> int:
        """Watch a folder (not what is below) and return the number its events will carry.

        Raises:
            OSError: it is gone, unreadable or a link, or (ENOSPC) the system's limit of watches is reached.
        """
        return self._checked(self._libc.inotify_add_watch(self.fd, os.fsencode(folder), mask | HOW))

    def watch_file(self, path: str | Path, mask: int) -> int:
        """Watch one file, whatever it is called later, and return the number its events will carry.

        Raises:
            OSError: as `watch`.
        """
        return self._checked(self._libc.inotify_add_watch(self.fd, os.fsencode(path), mask | IN_DONT_FOLLOW))

    def forget(self, watch: int) -> None:
        """Stop watching; a watch that is gone already is no matter."""
        self._libc.inotify_rm_watch(self.fd, watch)

    def read(self) -> tuple[InotifyEvent, ...]:
        """Return what has happened, at most 64 KiB of it; empty when nothing has."""
        try:
            raw = os.read(self.fd, READ_BYTES)
        except BlockingIOError:
            return ()
        return tuple(_events(raw))

    def drain(self) -> bool:
        """Throw away what has happened since; return True if there was anything."""
        for number in range(DRAIN_READS_MAX):
            try:
                os.read(self.fd, READ_BYTES)
            except BlockingIOError:
                return number > 0
        return True

    def close(self) -> None:
        """Let go of all watches."""
        os.close(self.fd)

    def _checked(self, result: int) -> int:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return result


class InotifyListener:
    """An instance that the event loop waits on: each batch is handed on, and then the kernel collects for a while.

    `inotify` is None once it is closed, which may be while a thread still adds watches.
    """

    def __init__(self, heard: Callable[[tuple[InotifyEvent, ...]], None], coalesce_s: float) -> None:
        """Open it, inside the event loop.

        Raises:
            OSError: as `Inotify`.
        """
        self.inotify: Inotify | None = Inotify()
        self._heard, self._coalesce_s = heard, coalesce_s
        self._loop = asyncio.get_running_loop()

    def opened(self) -> Inotify:
        """Return it.

        Raises:
            OSError: it was closed.
        """
        if self.inotify is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self.inotify

    def listen(self) -> None:
        """Let the event loop wait for what happens."""
        if self.inotify is not None:
            self._loop.add_reader(self.inotify.fd, self._on_readable)

    def close(self) -> None:
        """Stop; may be called twice."""
        inotify, self.inotify = self.inotify, None
        if inotify is not None:
            self._loop.remove_reader(inotify.fd)
            inotify.close()

    def _on_readable(self) -> None:
        if self.inotify is not None:
            self._loop.remove_reader(self.inotify.fd)
            self._loop.call_later(self._coalesce_s, self.listen)
            self._heard(self.inotify.read())


def _events(raw: bytes) -> Iterator[InotifyEvent]:
    at = 0
    while at < len(raw):
        watch, mask, _, size = HEADER.unpack_from(raw, at)
        at += HEADER.size
        yield InotifyEvent(watch=watch, mask=mask, name=os.fsdecode(raw[at : at + size].rstrip(b"\0")))
        at += size
