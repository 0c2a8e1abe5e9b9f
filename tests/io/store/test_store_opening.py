"""Opening: new files, old files with a backup, and files that must be left alone."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from hub.domain.storage import AddCard, CardById, Committed
from hub.io.store import migrate, schema
from hub.io.store.connect import open_writer
from hub.io.store.errors import (
    DiskReadOnlyError,
    StoreBrokenError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreForeignError,
    StoreNewerError,
)
from hub.io.store.limits import STORE_BYTES_MAX
from hub.io.store.sqlite import open_store
from tests.conformance.store.samples import ANNA, card

SEALED = Path("/sys/kernel")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "pulse.db"


async def a_store_with_a_card(path: Path) -> None:
    store = await open_store(path)
    assert await store.commit([(AddCard(card=card()),)]) == (Committed(),)
    await store.close()


async def test_what_was_written_is_there_after_opening_again(path: Path) -> None:
    await a_store_with_a_card(path)
    store = await open_store(path)
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card()
    await store.close()


async def test_the_file_and_its_folder_are_private(path: Path) -> None:
    store = await open_store(path)
    await store.commit([(AddCard(card=card()),)])
    modes = {file.name: mode_of(file) for file in path.parent.iterdir()}
    await store.close()
    assert modes == dict.fromkeys(("pulse.db", "pulse.db-wal", "pulse.db-shm", "pulse.db.made"), 0o600)
    assert mode_of(path.parent) == 0o700


async def test_a_file_that_others_could_read_is_closed_to_them(path: Path) -> None:
    await a_store_with_a_card(path)
    open_to_all(path)
    await a_store_with_no_change(path)
    assert mode_of(path) == 0o600


def open_to_all(path: Path) -> None:
    path.chmod(0o644)


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def a_store_with_no_change(path: Path) -> None:
    store = await open_store(path)
    await store.close()


async def test_the_disk_is_told_to_keep_every_commit(path: Path) -> None:
    await a_store_with_a_card(path)
    connection = open_writer(path, STORE_BYTES_MAX)
    pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "mmap_size", "cache_size")
    found = [connection.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in pragmas]
    connection.close()
    assert found == ["wal", 2, 1, 5_000, 0, -2_048]


async def test_two_stores_on_one_file_see_each_other(path: Path) -> None:
    one, other = await open_store(path), await open_store(path)
    await one.commit([(AddCard(card=card()),)])
    assert await other.read(CardById(user=ANNA, card_id="c1")) == card()
    await one.close()
    await other.close()


async def test_a_file_of_a_newer_pulse_is_left_alone(path: Path) -> None:
    await a_store_with_a_card(path)
    change(path, f"PRAGMA user_version = {len(schema.schema_files()) + 1}")
    await refused_and_left_alone(path, StoreNewerError, "newer Pulse")


async def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    change(path, "CREATE TABLE songs (name TEXT)")
    await refused_and_left_alone(path, StoreForeignError, "another program")


def write_a_diary(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"Dear diary, today I learned what SQLite is." * 100)


async def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    write_a_diary(path)
    await refused_and_left_alone(path, StoreDamagedError, "is damaged")


async def test_a_damaged_file_is_left_alone(path: Path) -> None:
    await a_store_with_a_card(path)
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xde\xad" * 1_000)
    await refused_and_left_alone(path, StoreDamagedError, "is damaged")


async def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreBrokenError):
        await open_store(tmp_path)


async def test_a_file_in_place_of_the_folder_is_refused(path: Path) -> None:
    path.parent.write_text("")
    with pytest.raises(StoreBrokenError, match="PULSE_HOME"):
        await open_store(path)


@pytest.mark.skipif(not SEALED.is_dir(), reason="needs a folder that even root may not write to")
async def test_a_place_without_leave_to_write_is_refused() -> None:
    with pytest.raises(DiskReadOnlyError, match="PULSE_HOME"):
        await open_store(SEALED / "pulse.db")


async def test_a_locked_file_is_refused_in_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await a_store_with_a_card(path)
    change(path, "PRAGMA user_version = 0")
    monkeypatch.setattr("hub.io.store.connect.COMMON_PRAGMAS", ("PRAGMA busy_timeout = 1",))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusyError, match="another program"):
        await open_store(path)
    other.close()


def change(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(sql)
    connection.close()


async def refused_and_left_alone(path: Path, kind: type[StoreError], said: str) -> None:
    before = content(path)
    with pytest.raises(kind, match=said):
        await open_store(path)
    assert content(path) == before


def content(path: Path) -> bytes:
    return path.read_bytes()


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    folder = tmp_path / "migrations"
    shutil.copytree(schema.FOLDER, folder)
    return folder


def upgrade(path: Path, folder: Path) -> None:
    connection = open_writer(path, STORE_BYTES_MAX)
    try:
        migrate.migrate(connection, path, folder)
    finally:
        connection.close()


def next_step(folder: Path, sql: str) -> None:
    number = len(schema.schema_files(folder)) + 1
    (folder / f"{number:04}_next.sql").write_text(sql)


def one(path: Path, sql: str) -> object:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchone()[0]
    finally:
        connection.close()


async def test_an_upgrade_makes_a_backup_first(path: Path, steps: Path) -> None:
    await a_store_with_a_card(path)
    version = len(schema.schema_files())
    next_step(steps, "ALTER TABLE predictions ADD COLUMN mood TEXT;\nUPDATE predictions SET mood = 'a; b';\n")
    upgrade(path, steps)
    backup = migrate.backup_path(path, version)
    assert one(path, "SELECT mood FROM predictions") == "a; b"
    assert one(path, "PRAGMA user_version") == version + 1
    assert one(backup, "PRAGMA user_version") == version
    assert one(backup, "SELECT id FROM predictions") == "c1"
    assert mode_of(backup) == 0o600


async def test_a_failed_upgrade_changes_nothing(path: Path, steps: Path) -> None:
    await a_store_with_a_card(path)
    next_step(steps, "ALTER TABLE predictions ADD COLUMN mood TEXT;\nALTER TABLE nowhere ADD COLUMN mood TEXT;\n")
    with pytest.raises(sqlite3.OperationalError):
        upgrade(path, steps)
    assert one(path, "PRAGMA user_version") == len(schema.schema_files())
    assert one(path, "SELECT count(*) FROM pragma_table_info('predictions') WHERE name = 'mood'") == 0


async def test_a_new_or_current_file_makes_no_backup(path: Path) -> None:
    await a_store_with_a_card(path)
    await a_store_with_no_change(path)
    assert {file.name for file in path.parent.iterdir()} == {"pulse.db", "pulse.db.made"}


def test_migrations_have_no_gaps(steps: Path) -> None:
    (steps / "0099_far.sql").write_text("")
    with pytest.raises(ValueError, match="numbered"):
        schema.schema_files(steps)
