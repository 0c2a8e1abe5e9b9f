"""Connections to the store's file: created private, opened durable, small in memory."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import Final

from hub.io.store.errors import DiskReadOnlyError, StoreBrokenError, StoreError
from hub.io.store.limits import BUSY_TIMEOUT_MS, CACHE_KIB, WAL_BYTES_KEPT

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700

COMMON_PRAGMAS: Final = (
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}",
    f"PRAGMA cache_size = -{CACHE_KIB}",
    "PRAGMA mmap_size = 0",
    "PRAGMA trusted_schema = OFF",
)
WRITER_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    f"PRAGMA journal_size_limit = {WAL_BYTES_KEPT}",
)


def create_file(path: Path) -> None:
    """Make the file and its folder if they are missing, and close the file to everybody else.

    Raises:
        StoreError: the file system refuses.
    """
    try:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
        if path.stat().st_mode & ~FILE_MODE & 0o777:
            path.chmod(FILE_MODE)
    except OSError as error:
        raise _refused(error, path) from error


def _refused(error: OSError, path: Path) -> StoreError:
    fix = "Make the folder writable, or choose another one with PULSE_HOME."
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return DiskReadOnlyError(f"no leave to write {path} ({error.strerror}). {fix}", fix=fix)
    return StoreBrokenError(f"cannot open {path} ({error.strerror}). {fix}", fix=fix)


def open_writer(path: Path, bytes_max: int) -> sqlite3.Connection:
    """Open the one connection that writes, never creating the file.

    Raises:
        sqlite3.Error: as SQLite says it; `errors.explain` translates.
    """
    connection = _open(path, (*COMMON_PRAGMAS, *WRITER_PRAGMAS))
    page_bytes = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {max(bytes_max // page_bytes, 1)}")
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot write.

    Raises:
        sqlite3.Error: as SQLite says it; `errors.explain` translates.
    """
    return _open(path, (*COMMON_PRAGMAS, "PRAGMA query_only = ON"))


def _open(path: Path, pragmas: tuple[str, ...]) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None)
    try:
        for pragma in pragmas:
            connection.execute(pragma)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
