"""A disk that is full, read-only or failing: a clear outcome, nothing half written, and it goes on afterwards."""

import os
import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.contract.words import Status
from hub.domain.storage import AddCard, CardById, Change, Committed, DeleteSent, OutboxDepth, Unwritten
from hub.io.store.errors import DiskFullError, DiskReadOnlyError, StoreError
from hub.io.store.sqlite import SqliteStore, open_store
from tests.conformance.store.samples import ANNA, NOON, card, moved, send

KIB = 1_024
SMALL_STORE_BYTES = 400 * KIB
ROOM_BYTES = 16 * KIB
"""Enough for a file, too little for the one that SQLite shares between processes."""
BIG_PAYLOAD = b"x" * 16 * KIB


async def fill_up(store: SqliteStore) -> tuple[list[str], Unwritten]:
    """Send messages until the disk refuses; return which are stored, and the refusal."""
    stored: list[str] = []
    while True:
        id_ = f"m{len(stored)}"
        (outcome,) = await store.commit([(send(id_, payload=BIG_PAYLOAD),)])
        if isinstance(outcome, Unwritten):
            return stored, outcome
        stored.append(id_)


async def test_a_full_store_refuses_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db", size_bytes_max=SMALL_STORE_BYTES)
    await store.commit([(AddCard(card=card()),)])
    stored, refusal = await fill_up(store)
    assert refusal.code == "disk-full"
    assert "Free some space" in refusal.detail
    assert store.health().status == "degraded"
    assert store.health().detail == refusal.detail
    assert await store.read(OutboxDepth()) == len(stored)
    assert await store.commit([(DeleteSent(ids=tuple(stored)),)]) == (Committed(),)
    assert await store.commit([(send("later", payload=BIG_PAYLOAD),)]) == (Committed(),)
    assert store.health().status == "ok"
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card()
    await store.close()


async def test_a_transaction_too_big_for_the_store_leaves_nothing_behind(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db", size_bytes_max=SMALL_STORE_BYTES)
    big = tuple(send(f"m{n}", payload=BIG_PAYLOAD) for n in range(100))
    outcomes = await store.commit([(AddCard(card=card()),), big])
    assert [type(outcome) for outcome in outcomes] == [Unwritten, Unwritten]
    assert await store.read(OutboxDepth()) == 0
    assert await store.read(CardById(user=ANNA, card_id="c1")) is None
    await store.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of one megabyte; mounting needs root."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let root mount a tmpfs")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


async def test_a_disk_that_others_filled(small_disk: Path) -> None:
    store = await open_store(small_disk / "pulse.db")
    await store.commit([(AddCard(card=card()),)])
    ballast = small_disk / "ballast"
    with ballast.open("wb") as file:
        file.write(b"x" * (os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize))
    _, refusal = await fill_up(store)
    assert refusal.code == "disk-full"
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card()
    ballast.unlink()
    answer = moved(card(), Status.CONFIRMED)
    assert await store.commit([(answer,)]) == (Committed(),)
    assert store.health().status == "ok"
    await store.close()
    again = await open_store(small_disk / "pulse.db")
    assert await again.read(CardById(user=ANNA, card_id="c1")) == answer.card
    await again.close()


async def test_claiming_on_a_full_disk_leases_nothing(small_disk: Path) -> None:
    store = await open_store(small_disk / "pulse.db")
    await store.commit([(send("first"),)])
    with (small_disk / "ballast").open("wb") as file:
        file.write(b"x" * (os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize))
    await fill_up(store)
    while claimed := await store.claim(now=NOON, lease_s=0, limit=1):
        assert claimed[0].id
    assert store.health().status == "degraded"
    (small_disk / "ballast").unlink()
    assert len(await store.claim(now=NOON, lease_s=1, limit=1)) == 1
    await store.close()


def seal(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)


async def test_a_read_only_disk_is_refused_at_the_start(small_disk: Path) -> None:
    seal(small_disk)
    with pytest.raises(DiskReadOnlyError):
        await open_store(small_disk / "pulse.db")


async def test_a_store_that_becomes_read_only(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")

    def forbid_writing(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA query_only = ON")

    await on_the_writers_connection(store, forbid_writing)
    (refusal,) = await store.commit([(AddCard(card=card()),)])
    assert isinstance(refusal, Unwritten)
    assert refusal.code == "disk-read-only"
    assert await store.commit([(AddCard(card=card()),)]) == (Committed(),), "the next commit has a fresh connection"
    await store.close()


async def on_the_writers_connection(store: SqliteStore, do: object) -> None:
    assert callable(do)
    await store._writer.ask([lambda session: do(session.connection)])  # noqa: SLF001  no public way to break the disk


@pytest.fixture
def file_size_limit() -> Iterator[None]:
    """Let every write beyond what a file has now fail, as a broken disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("file_size_limit")
async def test_a_failing_disk(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")
    await store.commit([(AddCard(card=card()),)])
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "pulse.db-wal").stat().st_size, hard))
    (refusal,) = await store.commit([(send("m1", payload=BIG_PAYLOAD),)])
    assert isinstance(refusal, Unwritten)
    assert refusal.code == "store-broken"
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card()
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert await store.commit([(send("m1"),)]) == (Committed(),)
    assert store.health().status == "ok"
    await store.close()


async def test_a_file_whose_folder_vanished_is_not_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    store = await open_store(folder / "pulse.db")

    def forbid_writing(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA query_only = ON")

    await on_the_writers_connection(store, forbid_writing)
    await store.commit([(AddCard(card=card()),)])
    folder.rename(tmp_path / "elsewhere")
    (refusal,) = await store.commit([(AddCard(card=card()),)])
    assert isinstance(refusal, Unwritten)
    assert refusal.code == "store-broken"
    assert not folder.exists()
    await store.close()


async def test_a_body_that_nobody_can_read_says_so(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")
    await store.commit([(AddCard(card=card()),)])

    def scribble(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE predictions SET body = '{}'")

    await on_the_writers_connection(store, scribble)
    with pytest.raises(StoreError, match="unreadable"):
        await store.read(CardById(user=ANNA, card_id="c1"))
    await store.close()


async def test_what_the_tables_refuse_is_our_bug_and_hurts_nobody_else(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")

    def refuse_bert(connection: sqlite3.Connection) -> None:
        connection.execute(
            "CREATE TEMP TRIGGER no_b BEFORE INSERT ON main.predictions WHEN NEW.id = 'b'"
            " BEGIN SELECT RAISE(ABORT, 'no b'); END"
        )

    await on_the_writers_connection(store, refuse_bert)
    changes: tuple[Change, ...] = (AddCard(card=card("b")),)
    with pytest.raises(Exception, match="no b"):
        await store.commit([changes])
    assert await store.commit([(AddCard(card=card("a")),)]) == (Committed(),)
    assert store.health().status == "ok"
    await store.close()


async def test_opening_where_not_even_the_shared_file_fits_says_that_the_disk_is_full(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
    ballast.write_bytes(b"x" * (free - ROOM_BYTES))
    with pytest.raises(DiskFullError):
        await open_store(small_disk / "pulse.db")
