"""Brings a file to the schema of this Pulse: numbered SQL files, each in one transaction, after a backup.

`PRAGMA user_version` says how far a file has come, `PRAGMA application_id` that it is ours. A file of a newer Pulse
or of another program is refused and left alone.
"""

import os
import sqlite3
from pathlib import Path
from typing import Final

from hub.io.store.connect import FILE_MODE
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


def migrate(connection: sqlite3.Connection, path: Path, folder: Path = FOLDER) -> None:
    """Apply what is missing; a failure leaves the file as the last whole step left it.

    Raises:
        StoreNewerError: the file knows more steps than this Pulse.
        StoreForeignError: the file belongs to another program.
        sqlite3.Error: the disk refuses.
    """
    files = schema_files(folder)
    version = _number(connection, "user_version")
    _refuse_strangers(connection, path, version, len(files))
    if 0 < version < len(files):
        back_up(connection, backup_path(path, version))
    for number in range(version, len(files)):
        _apply(connection, files[number], number)


def backup_path(path: Path, version: int) -> Path:
    """Return where the copy of a file at `version` goes before it is upgraded."""
    return path.with_name(f"{path.name}.schema-{version}.backup")


def back_up(connection: sqlite3.Connection, target: Path) -> None:
    """Copy the whole database, consistent and synchronised to disk, readable by the owner only."""
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        copy = sqlite3.connect(part)
        try:
            connection.backup(copy)
        finally:
            copy.close()
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    part.replace(target)


def _refuse_strangers(connection: sqlite3.Connection, path: Path, version: int, newest: int) -> None:
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and _number(connection, "application_id") != APPLICATION_ID:
        raise StoreForeignError(f"{path} belongs to another program. Choose another folder with PULSE_HOME.")
    if version > newest:
        raise StoreNewerError(
            f"{path} was written by a newer Pulse (schema {version}, this one knows {newest}). "
            "Update Pulse, or put back the backup that the newer one made beside the file."
        )


def _apply(connection: sqlite3.Connection, file: Path, number: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _number(connection, "user_version") == number:  # else another process was faster
            for statement in _statements(file.read_text(encoding="utf-8")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _statements(script: str) -> list[str]:
    statements, pending = [], ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements
