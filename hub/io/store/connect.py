"""Connections to the store's file: created private, opened durable, small in memory."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import Final

from hub.io.store.damage import check_small
from hub.io.store.errors import (
    DiskReadOnlyError,
    StoreBrokenError,
    StoreChangedError,
    StoreDamagedError,
    StoreError,
)
from hub.io.store.limits import BUSY_TIMEOUT_MS, CACHE_KIB, WAL_BYTES_KEPT
from hub.io.store.schema import pragma_number, refuse_strangers

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700

COMMON_PRAGMAS: Final = (
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}",
    f"PRAGMA cache_size = -{CACHE_KIB}",
    "PRAGMA mmap_size = 0",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)
WRITER_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    f"PRAGMA journal_size_limit = {WAL_BYTES_KEPT}",
)


def create_file(path: Path) -> None:
    """Make the file and its folder if they are missing, and close the file to everybody else.

    An empty file is as good as none, unless something shows that it held a store.

    Raises:
        StoreError: the file system refuses.
    """
    try:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
        if path.stat().st_mode & ~FILE_MODE & 0o777:
            path.chmod(FILE_MODE)
        was_emptied = path.stat().st_size == 0 and _held_a_store(path)
    except OSError as error:
        raise _refused(error, path) from error
    if was_emptied:
        raise StoreDamagedError.of(path, "it is empty, and was not")


def mark_made(path: Path) -> None:
    """Leave a mark beside a store that is complete, so that an emptied file is not taken for a new one."""
    _mark(path).touch(FILE_MODE)


def mark_changed(path: Path) -> None:
    """Let no start take the store for its own until a person has looked; a new name needs no room on a full disk.

    Raises:
        OSError: the file system refuses.
    """
    try:
        _mark(path).rename(_changed_mark(path))
    except FileNotFoundError:
        _changed_mark(path).touch(FILE_MODE)


def refuse_changed(path: Path) -> None:
    """Refuse a store that another program wrote to while Pulse ran, until its mark is gone.

    Raises:
        StoreChangedError: it has the mark.
    """
    mark = _changed_mark(path)
    if mark.exists():
        raise StoreChangedError(
            f"Another program wrote to {path} while Pulse last ran.",
            fix=f"Look at what your agents did. Put a backup in its place, delete {mark}, and start Pulse again.",
        )


def _changed_mark(path: Path) -> Path:
    return path.with_name(f"{path.name}.changed")


def _mark(path: Path) -> Path:
    return path.with_name(f"{path.name}.made")


def _held_a_store(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    is_logged = log.exists() and log.stat().st_size > 0
    return is_logged or _mark(path).exists() or any(path.parent.glob(f"{path.name}.schema-*.backup"))


def _refused(error: OSError, path: Path) -> StoreError:
    fix = "Make the folder writable, or choose another one with PULSE_HOME."
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return DiskReadOnlyError(f"no leave to write {path} ({error.strerror}). {fix}", fix=fix)
    return StoreBrokenError(f"cannot open {path} ({error.strerror}). {fix}", fix=fix)


def open_writer(path: Path, bytes_max: int) -> sqlite3.Connection:
    """Open the one connection that writes, never creating the file.

    Raises:
        StoreError: the file is not ours to touch.
        sqlite3.Error: as SQLite says it; `errors.explain` translates.
    """
    connection = _open(path)
    try:
        refuse_strangers(connection, path)
        check_small(connection, path)
        _set(connection, *WRITER_PRAGMAS)
        page_bytes = pragma_number(connection, "page_size")
        _set(connection, f"PRAGMA max_page_count = {max(bytes_max // page_bytes, 1)}")
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot write.

    Raises:
        sqlite3.Error: as SQLite says it; `errors.explain` translates.
    """
    connection = _open(path)
    _set(connection, "PRAGMA query_only = ON")
    return connection


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None)
    _set(connection, *COMMON_PRAGMAS)
    return connection


def _set(connection: sqlite3.Connection, *pragmas: str) -> None:
    for pragma in pragmas:
        connection.execute(pragma)
