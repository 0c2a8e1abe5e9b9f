"""Which schema a file has: `PRAGMA user_version` says how far it has come, `PRAGMA application_id` that it is ours."""

import sqlite3
from pathlib import Path
from typing import Final

from hub.io.store.errors import StoreForeignError, StoreNewerError

FOLDER: Final = Path(__file__).with_name("migrations")
APPLICATION_ID: Final = 0x50756C73
"""'Puls' in ASCII."""


def schema_files(folder: Path = FOLDER) -> tuple[Path, ...]:
    """Return the migrations in order; the one at index n leads to version n + 1.

    Raises:
        ValueError: a number is missing or there twice.
    """
    files = tuple(sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql")))
    numbers = [int(file.name[:4]) for file in files]
    if numbers != list(range(1, len(files) + 1)):
        raise ValueError(f"migrations must be numbered 1, 2, 3, …, not {numbers}")
    return files


def refuse_strangers(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that this Pulse must not touch; it has only been read so far.

    Raises:
        StoreNewerError: the file knows more steps than this Pulse.
        StoreForeignError: the file belongs to another program.
    """
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and pragma_number(connection, "application_id") != APPLICATION_ID:
        raise StoreForeignError(f"{path} belongs to another program. Choose another folder with PULSE_HOME.")
    version, newest = pragma_number(connection, "user_version"), len(schema_files())
    if version > newest:
        raise StoreNewerError(
            f"{path} was written by a newer Pulse (schema {version}, this one knows {newest}). "
            "Update Pulse, or put back the backup that the newer one made beside the file."
        )


def pragma_number(connection: sqlite3.Connection, pragma: str) -> int:
    """Read a pragma that is a number."""
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
