"""Finding out that a store is damaged: before it is used, while it is used, and in the background.

Theory: SQLite looks at a page when it needs it, so damage may lie where nobody looks for weeks. A store of up to
`CHECKED_AT_ONCE_BYTES_MAX` is checked whole when it is opened; a larger one afterwards, table by table, by a thread of
its own. Whoever finds damage notes it, for good: what was read may be wrong and what would be written may make it
worse, so nothing is written any more and health says why, until the file is mended and Pulse restarts.

The write-ahead log needs a look of its own. SQLite takes the first frame whose checksum is wrong for the end of the
log, as a crash leaves it. But each commit is synchronised before the next begins, so a crash can only tear the last
one: when two commits or more follow the end, they were there and are lost.
"""

import contextlib
import os
import sqlite3
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from hub.io.store.errors import SQLITE_ERRORS, StoreChangedError, StoreDamagedError, StoreError, explain
from hub.io.store.limits import CHECKED_AT_ONCE_BYTES_MAX

WAL_HEADER: Final = struct.Struct(">8I")
FRAME_HEADER: Final = struct.Struct(">6I")
SHARED_HEADER: Final = struct.Struct("=16xI12x8s")
"""What the shared file begins with, in this machine's own order of bytes: the last frame that counts, and the salts."""
BIG_ENDIAN: Final = 1
WORD_MAX: Final = 0xFFFF_FFFF
TORN_COMMITS_MAX: Final = 1


class Damage:
    """What was found, by whichever thread; the first finding stays.

    What another program changed is marked by `mark_changed`, so that the next start does not believe it, either.
    """

    def __init__(self, mark_changed: Callable[[], None]) -> None:
        self._mark_changed = mark_changed
        self.found: StoreDamagedError | None = None

    def note(self, error: BaseException) -> None:
        """Take note of an error if it means damage."""
        if not isinstance(error, StoreDamagedError):
            return
        if isinstance(error, StoreChangedError):
            try:
                self._mark_changed()
            except OSError as refused:
                error = StoreChangedError(f"{error.detail} The next start will not know it ({refused}).", fix=error.fix)
        if self.found is None:
            self.found = error


def check_small(connection: sqlite3.Connection, path: Path) -> None:
    """Check a store that is small enough to be checked before it is used, and the log of any.

    Raises:
        StoreDamagedError: it is damaged.
        sqlite3.Error: as SQLite says it.
    """
    check_log(path)
    if path.stat().st_size <= CHECKED_AT_ONCE_BYTES_MAX:
        _check(connection, path, "PRAGMA integrity_check(1)")


def check_log(path: Path) -> None:
    """Check that the write-ahead log ends where a crash may have ended it; somebody has opened it already.

    Raises:
        StoreDamagedError: commits behind its end are lost.
    """
    log, shared = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    if not log.exists() or not shared.exists() or log.stat().st_size < WAL_HEADER.size + FRAME_HEADER.size:
        return
    last, salts = _counted(shared)
    with log.open("rb") as file:
        header = file.read(WAL_HEADER.size)
        if last == 0 and not _is_whole(header):
            raise _lost(path)
        commits = _commits(file, WAL_HEADER.unpack(header)[2], last, salts)
    last, salts_now = _counted(shared)  # another process may have written meanwhile
    if salts_now == salts and sum(number >= last for number in commits) > TORN_COMMITS_MAX:
        raise _lost(path)


def _counted(shared: Path) -> tuple[int, bytes]:
    with shared.open("rb") as file:
        last, salts = SHARED_HEADER.unpack(file.read(SHARED_HEADER.size))
    return last, salts


def _commits(file: BinaryIO, page_bytes: int, first: int, salts: bytes) -> list[int]:
    """Return which frames of the log, from the first on, say that they end a commit of its present round."""
    frames = (file.seek(0, os.SEEK_END) - WAL_HEADER.size) // (FRAME_HEADER.size + page_bytes)
    found = []
    for number in range(first, frames):
        file.seek(WAL_HEADER.size + number * (FRAME_HEADER.size + page_bytes))
        frame = file.read(FRAME_HEADER.size)
        if frame[8:16] == salts and FRAME_HEADER.unpack(frame)[1]:
            found.append(number)
    return found


class BackgroundCheck:
    """Checks a large store table by table, and any store again and again, in a thread of its own.

    Args:
        compare: Raises a StoreError where the next start would believe what this hub did not write.
        every_s: How often it is called.
    """

    def __init__(
        self,
        path: Path,
        damage: Damage,
        connect: Callable[[Path], sqlite3.Connection],
        *,
        compare: Callable[[], None],
        every_s: float,
    ) -> None:
        self._compare = compare
        self._every_s = every_s
        self._path = path
        self._damage = damage
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._is_large = False
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-check", daemon=True)

    def start(self) -> None:
        """Begin; a store that is small has been checked already, so that it is only compared."""
        self._is_large = self._path.stat().st_size > CHECKED_AT_ONCE_BYTES_MAX  # it may be gone when the thread runs
        self._thread.start()

    def close(self) -> None:
        """End, wherever it is."""
        self._ends.set()
        if self._connection is not None:
            with contextlib.suppress(sqlite3.ProgrammingError):  # the check has come to its end, and closed it
                self._connection.interrupt()
        if self._thread.ident is not None:
            self._thread.join()

    def compare(self) -> None:
        """Compare once, in the caller's thread, and note what was found."""
        try:
            self._compare()
        except StoreError as error:
            self._damage.note(error)

    def _run(self) -> None:
        if self._is_large:
            self._check_tables()
        while not self._ends.wait(self._every_s):
            self.compare()

    def _check_tables(self) -> None:
        try:
            connection = self._connect(self._path)
            self._connection = connection
            for table in _tables(connection):
                if self._ends.is_set():
                    break
                _check(connection, self._path, f'PRAGMA quick_check("{table}")')
            connection.close()
        except (*SQLITE_ERRORS, StoreError) as error:
            if not self._ends.is_set():
                self._damage.note(error if isinstance(error, StoreError) else explain(error, self._path))


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def _check(connection: sqlite3.Connection, path: Path, pragma: str) -> None:
    said = connection.execute(pragma).fetchone()[0]
    if said != "ok":
        raise StoreDamagedError.of(path, str(said).splitlines()[-1])


def _lost(path: Path) -> StoreDamagedError:
    return StoreDamagedError.of(path, "its write-ahead log is damaged, and what was written last is lost")


def _is_whole(header: bytes) -> bool:
    """Check the log's header against its own checksum, as SQLite's file format has it."""
    order = ">" if WAL_HEADER.unpack(header)[0] & BIG_ENDIAN else "<"
    words = struct.unpack(f"{order}6I", header[:24])
    first = second = 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & WORD_MAX
        second = (second + odd + first) & WORD_MAX
    return (first, second) == WAL_HEADER.unpack(header)[6:]
