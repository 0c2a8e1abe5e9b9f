"""Damaged stores: each is told from a new one, says so with a code, and nothing is written into it."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hub.domain.storage import AddCard, CardById, Unwritten
from hub.io.store import damage
from hub.io.store.errors import StoreDamagedError, StoreError
from hub.io.store.sqlite import SqliteStore, open_store
from tests.conformance.store.samples import ANNA, card

CARDS = 30


async def made(path: Path, *, is_cut: bool = False) -> None:
    """Make a store with cards; `is_cut`: as a kill leaves it, with all of them in its log."""
    store = await open_store(path)
    for number in range(CARDS):
        await store.commit([(AddCard(card=card(f"c{number}")),)])
    if is_cut:
        kept = {file: file.read_bytes() for file in path.parent.iterdir()}
    await store.close()
    if is_cut:
        for file, content in kept.items():
            file.write_bytes(content)
        path.with_name("pulse.db-shm").unlink()


async def cards_in(store: SqliteStore) -> int:
    found = [await store.read(CardById(user=ANNA, card_id=f"c{number}")) for number in range(CARDS)]
    return sum(one is not None for one in found)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pulse.db"


def flip(path: Path, at: int, bits: int = 0xFF) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ bits]))


def to_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def to_nothing(path: Path) -> None:
    path.write_bytes(b"")


def to_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def to_zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def to_page_one(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:4_096])


@pytest.mark.slow
@pytest.mark.parametrize("harm", [to_a_folder, to_nothing, to_half, to_zeros, to_page_one])
async def test_what_is_no_store_any_more_is_not_started_as_a_new_one(path: Path, harm: Callable[[Path], None]) -> None:
    await made(path)
    harm(path)
    with pytest.raises(StoreError) as refused:
        await open_store(path)
    assert refused.value.code in {"store-damaged", "store-broken"}
    assert refused.value.fix


@pytest.mark.slow
async def test_an_empty_file_of_a_first_start_that_was_cut_short_is_a_new_store(path: Path) -> None:
    to_nothing(path)
    await made(path)
    store = await open_store(path)
    assert await cards_in(store) == CARDS
    await store.close()


@pytest.mark.slow
async def test_an_index_that_lost_its_order_is_found_at_the_start(path: Path) -> None:
    await made(path)
    connection = sqlite3.connect(path)
    root = connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_predictions_1'"
    ).fetchone()[0]
    connection.close()
    flip(path, (root - 1) * 4_096 + 4_090)
    with pytest.raises(StoreDamagedError):
        await open_store(path)


@pytest.mark.slow
@pytest.mark.parametrize("frame", [0, 3, 10])
async def test_a_log_with_a_hole_is_told_from_one_that_a_crash_cut(path: Path, frame: int) -> None:
    await made(path, is_cut=True)
    flip(path.with_name("pulse.db-wal"), 32 + frame * (24 + 4_096) + 24 + 100)
    with pytest.raises(StoreDamagedError) as refused:
        await open_store(path)
    assert "log" in refused.value.detail


@pytest.mark.parametrize("at", [0, 9, 17, 25])
async def test_a_log_whose_head_is_damaged(path: Path, at: int) -> None:
    await made(path, is_cut=True)
    flip(path.with_name("pulse.db-wal"), at)
    with pytest.raises(StoreDamagedError):
        await open_store(path)


async def test_a_log_that_a_crash_tore_is_taken_as_far_as_it_goes(path: Path) -> None:
    await made(path, is_cut=True)
    log = path.with_name("pulse.db-wal")
    flip(log, log.stat().st_size - 100)
    store = await open_store(path)
    assert await cards_in(store) == CARDS - 1
    await store.close()


async def test_a_log_that_began_anew_is_whole(path: Path) -> None:
    store = await open_store(path)
    await store.commit([(AddCard(card=card("first")),)])
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(RESTART)")
    connection.close()
    again = await open_store(path)
    await again.commit([(AddCard(card=card("second")),)])
    third = await open_store(path)
    assert third.health().status == "ok"
    for one in (third, again, store):
        await one.close()


@pytest.mark.slow
async def test_damage_found_while_running_stops_every_write_and_health_says_so(path: Path) -> None:
    await made(path)
    store = await open_store(path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE predictions SET body = '{}' WHERE id = 'c7'")
    connection.commit()
    connection.close()
    assert store.health().status == "ok"
    with pytest.raises(StoreDamagedError):
        await store.read(CardById(user=ANNA, card_id="c7"))
    (outcome,) = await store.commit([(AddCard(card=card("new")),)])
    assert isinstance(outcome, Unwritten)
    assert outcome.code == "store-damaged"
    assert store.health().status == "down"
    assert await store.read(CardById(user=ANNA, card_id="c8"))
    await store.close()


@pytest.mark.slow
async def test_a_large_store_is_checked_in_the_background(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await made(path)
    connection = sqlite3.connect(path)
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'predictions'").fetchone()[0]
    connection.close()
    flip(path, (root - 1) * 4_096 + 9, 0x3F)
    monkeypatch.setattr(damage, "CHECKED_AT_ONCE_BYTES_MAX", 0)
    try:
        store = await open_store(path)
    except StoreDamagedError:
        return
    store._check._thread.join()  # noqa: SLF001  the end of the check is not told to anybody
    assert store.health().status == "down"
    await store.close()


async def test_closing_ends_the_check(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await made(path)
    monkeypatch.setattr(damage, "CHECKED_AT_ONCE_BYTES_MAX", 0)
    store = await open_store(path)
    await store.close()
    assert not store._check._thread.is_alive()  # noqa: SLF001  no thread stays
    assert store._damage.found is None  # noqa: SLF001  being ended is no damage


async def test_a_restored_backup_is_a_store(path: Path, tmp_path: Path) -> None:
    await made(path)
    shutil.copy(path, tmp_path / "backup")
    to_nothing(path)
    with pytest.raises(StoreDamagedError):
        await open_store(path)
    shutil.copy(tmp_path / "backup", path)
    store = await open_store(path)
    assert await cards_in(store) == CARDS
    await store.close()
