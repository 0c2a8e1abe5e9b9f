"""What can go wrong with the store: whose fault it is, and what to do. Codes are listed in docs/errors.md."""

import shutil
import sqlite3
from pathlib import Path

from hub.errors import PulseError, WorldError

SHARED_FILE_BYTES = 32_768
"""What SQLite takes at least for the `-shm` file beside a store."""
PRIMARY_CODE_MASK = 0xFF
"""SQLite's extended result codes carry the primary code in their low byte."""


class StoreError(WorldError):
    """The store cannot be used."""

    code = "store-broken"


class StoreBrokenError(StoreError):
    """The store's file is damaged or cannot be reached. It was left as it is."""

    code = "store-broken"
    retryable = False


class DiskFullError(StoreError):
    """There is no space left for Pulse's state. Nothing was lost."""

    code = "disk-full"


class DiskReadOnlyError(StoreError):
    """The store may be read but not written."""

    code = "disk-read-only"


class StoreBusyError(StoreError):
    """Another program holds the store's lock for too long."""

    code = "store-busy"


class StoreNewerError(StoreError):
    """The store was written by a newer Pulse."""

    code = "store-newer"
    retryable = False


class StoreForeignError(StoreError):
    """The file is a database of another program."""

    code = "store-foreign"
    retryable = False


class StoreClosedError(PulseError):
    """The store was used after it was closed. This is our bug: please report it."""

    code = "store-closed"


class BrokenChangeError(PulseError):
    """A change was handed to the store that could not be read back. This is our bug: please report it."""

    code = "broken-change"


_FIXES: dict[int, tuple[type[StoreError], str, str]] = {
    sqlite3.SQLITE_FULL: (DiskFullError, "no space left for", "Free some space; Pulse goes on by itself."),
    sqlite3.SQLITE_READONLY: (
        DiskReadOnlyError,
        "no leave to write",
        "Make the disk, folder and file writable.",
    ),
    sqlite3.SQLITE_BUSY: (StoreBusyError, "another program has locked", "End the other program that uses the file."),
    sqlite3.SQLITE_LOCKED: (StoreBusyError, "another program has locked", "End the other program that uses the file."),
    sqlite3.SQLITE_CANTOPEN: (StoreBrokenError, "cannot open", "Check that the folder exists and is yours."),
    sqlite3.SQLITE_IOERR: (StoreBrokenError, "the disk failed at", "Check the disk; Pulse tries again."),
    sqlite3.SQLITE_CORRUPT: (StoreBrokenError, "damaged:", "Move it away, then put a backup in its place."),
    sqlite3.SQLITE_NOTADB: (StoreBrokenError, "not a database:", "Move it away, then put a backup in its place."),
}


def explain(error: sqlite3.Error, path: Path) -> StoreError:
    """Turn SQLite's error into ours: what happened to which file, and what to do."""
    number = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE_MASK
    if number == sqlite3.SQLITE_IOERR and _has_no_room(path):
        number = sqlite3.SQLITE_FULL
    kind, what, fix = _FIXES.get(number, (StoreBrokenError, "cannot use", "Run `pulse doctor`."))
    return kind(f"{what} {path} ({error}). {fix}", fix=fix)


def _has_no_room(path: Path) -> bool:
    """Say whether the disk has no room for SQLite's shared file; what it then says is that the disk failed."""
    try:
        return shutil.disk_usage(path.parent).free < SHARED_FILE_BYTES
    except OSError:
        return False
