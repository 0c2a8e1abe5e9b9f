"""Brings a file to the schema of this Pulse: numbered SQL files, each in one transaction, after a backup.

They may call `shown(text)`, which is `visible`.
"""

import os
import sqlite3
from pathlib import Path

from hub.domain.canonical import visible
from hub.io.store.connect import FILE_MODE
from hub.io.store.schema import APPLICATION_ID, FOLDER, pragma_number, schema_files


def migrate(connection: sqlite3.Connection, path: Path, folder: Path = FOLDER) -> None:
    """Apply what is missing; a failure leaves the file as the last whole step left it.

    Raises:
        sqlite3.Error: the disk refuses.
    """
    files = schema_files(folder)
    connection.create_function("shown", 1, visible, deterministic=True)
    version = pragma_number(connection, "user_version")
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


def _apply(connection: sqlite3.Connection, file: Path, number: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if pragma_number(connection, "user_version") == number:  # else another process was faster
            for statement in _statements(file.read_text(encoding="utf-8")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> list[str]:
    statements, pending = [], ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements
