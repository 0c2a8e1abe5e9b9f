"""What can go wrong with the store: whose fault it is, and what to do. Codes are listed in docs/errors.md."""

import shutil
import sqlite3
from pathlib import Path

from hub.contract.errors import PulseError, WorldError

_MEND = "Stop Pulse and put a backup in its place; without one, docs/runbook.md says how to save what is left."
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


class StoreDamagedError(StoreError):
    """The store's file holds something that Pulse did not write. It was left as it is, and nothing runs."""

    code = "store-damaged"
    retryable = False

    @classmethod
    def of(cls, path: Path, what: str) -> "StoreDamagedError":
        """Say what is damaged in which file, and what to do."""
        return cls(f"{path} is damaged ({what}).", fix=_MEND)


class StoreChangedError(StoreDamagedError):
    """Another program wrote to the store while Pulse ran. What it wrote is not believed, and nothing runs."""

    code = "store-changed"
    FIX = "Look at what your agents did. Stop Pulse, put a backup in place, delete pulse.db.changed, and start again."


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
    sqlite3.SQLITE_FULL: (DiskFullError, "no space left for", "Free some space; Pulse then continues automatically."),
    sqlite3.SQLITE_READONLY: (
        DiskReadOnlyError,
        "no leave to write",
        "Make the disk, folder and file writable.",
    ),
    sqlite3.SQLITE_BUSY: (StoreBusyError, "another program has locked", "End the other program that uses the file."),
    sqlite3.SQLITE_LOCKED: (StoreBusyError, "another program has locked", "End the other program that uses the file."),
    sqlite3.SQLITE_CANTOPEN: (StoreBrokenError, "cannot open", "Check that the folder exists and is yours."),
    sqlite3.SQLITE_IOERR: (StoreBrokenError, "the disk failed at", "Check the disk; Pulse tries again."),
    sqlite3.SQLITE_NOMEM: (StoreBrokenError, "no memory left for", "End what needs so much memory."),
    sqlite3.SQLITE_INTERRUPT: (StoreBrokenError, "interrupted at", "Try again."),
}


SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite's module raises; the second when a message quotes a damaged file."""


def explain(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> StoreError:
    """Turn SQLite's error into ours: what happened to which file, and what to do."""
    number = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE_MASK
    if number == sqlite3.SQLITE_IOERR and _has_no_room(path):
        number = sqlite3.SQLITE_FULL
    if number not in _FIXES:  # our statements are right, so the file is not as we wrote it
        return StoreDamagedError.of(path, str(error))
    kind, what, fix = _FIXES[number]
    return kind(f"{what} {path} ({error}). {fix}", fix=fix)


def _has_no_room(path: Path) -> bool:
    """Return True if the disk has no room for SQLite's shared file; what it then says is that the disk failed."""
    try:
        return shutil.disk_usage(path.parent).free < SHARED_FILE_BYTES
    except OSError:
        return False
