"""Bytes that another program writes into the store's files, past SQLite, are noticed where a value is read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hub.contract.words import Status
from hub.domain.storage import (
    AddCard,
    AddExecution,
    CardById,
    Change,
    DeliveriesOf,
    ExecutionById,
    OpenCards,
    PutTask,
    Query,
    TaskById,
    Unwritten,
)
from hub.domain.suggestion import Card
from hub.io.store.errors import StoreChangedError
from hub.io.store.known_rows import KnownRows
from hub.io.store.session import QuerySession
from hub.io.store.sqlite import SqliteStore, open_store
from tests.conformance.store.samples import ANNA, NOON, after, card, delivery, log_entry, moved, run, send, task
from tests.io.store.written_over import write_over

HARM, HARMLESS = "rm -rf src", "ls -la src"
READS: dict[str, tuple[Change, Query[Any], str, str]] = {
    "a card": (
        AddCard(card=card("c2", prompt=HARM)),
        CardById(user=ANNA, card_id="c2"),
        HARM,
        HARMLESS,
    ),
    "a list": (
        AddCard(card=card("c2", prompt=HARM)),
        OpenCards(user=ANNA, limit=9, now=NOON),
        HARM,
        HARMLESS,
    ),
    "a task": (
        PutTask(user=ANNA, task=task()),
        TaskById(user=ANNA, task_id="t1"),
        "Write the report",
        "Leave the report",
    ),
    "a run": (
        AddExecution(execution=run()),
        ExecutionById(user=ANNA, execution_id="x1"),
        "Run the tests",
        "Ran the tests",
    ),
    "a delivery": (delivery(), DeliveriesOf(user=ANNA, card_ids=("c1",)), "laptop", "office"),
}


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[SqliteStore]:
    store = await open_store(folder / "pulse.db")
    try:
        yield store
    finally:
        await store.close()


def forget_pages(session: QuerySession) -> None:
    session.connection.execute("PRAGMA shrink_memory")


async def commit(store: SqliteStore, *changes: Change) -> None:
    (outcome,) = await store.commit([changes])
    assert not isinstance(outcome, Unwritten)


@pytest.mark.parametrize("what", READS)
async def test_what_was_written_past_sqlite_is_neither_shown_nor_built_upon(tmp_path: Path, what: str) -> None:
    change, query, before, after_it = READS[what]
    async with opened(tmp_path) as store:
        await commit(store, AddCard(card=card()), change)
        await store.read(query)
        assert write_over(tmp_path, before, after_it)
        await commit(store, log_entry())  # SQLite keeps pages until somebody commits
        with pytest.raises(StoreChangedError):
            await store.read(query)
        (refused,) = await store.commit([(AddCard(card=card("c3")),)])
        assert isinstance(refused, Unwritten)
        assert (refused.code, store.health().status) == ("store-changed", "down")


async def test_a_message_that_waits_is_sent_as_it_was_written(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await commit(store, send(payload=b"run rm"))
        assert write_over(tmp_path, "run rm", "run ls")
        await store._writer.ask([forget_pages])  # noqa: SLF001  as when its memory is full
        assert await store.claim(now=after(60), lease_s=30, limit=5) == ()
        assert "Another program wrote" in store.health().detail


async def test_what_a_store_said_when_it_was_first_read_it_says_from_then_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await commit(store, AddCard(card=card(prompt=HARM)))
    async with opened(tmp_path) as store:
        assert await store.read(CardById(user=ANNA, card_id="c1")) is not None
        assert write_over(tmp_path, HARM, HARMLESS)
        await commit(store, log_entry())
        with pytest.raises(StoreChangedError):
            await store.read(CardById(user=ANNA, card_id="c1"))


async def test_what_is_moved_while_it_is_read_is_no_other_programs(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        now = card()
        await commit(store, AddCard(card=now))

        async def read_on() -> int:
            seen = 0
            while not moving.done():
                seen += await store.read(CardById(user=ANNA, card_id="c1")) is not None
            return seen

        async def move_on(now: Card) -> None:
            for number in range(100):
                change = moved(now, Status.PENDING, snoozed=number)
                await commit(store, change)
                now = change.card

        moving = asyncio.create_task(move_on(now))
        assert await read_on() > 0
        await moving
        assert store.health().status == "ok"


async def test_what_was_not_committed_is_not_known(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await commit(store, AddCard(card=card()))
        lost = (PutTask(user=ANNA, task=task(status="running")), AddCard(card=card(prompt="Other words")))
        await store.commit([lost, (PutTask(user=ANNA, task=task()),)])
        assert await store.read(TaskById(user=ANNA, task_id="t1")) == task()
        assert await store.read(CardById(user=ANNA, card_id="c1")) == card()


@pytest.mark.parametrize(
    ("change", "query", "key"),
    [
        (AddCard(card=card("c2", prompt=HARM)), CardById(user=ANNA, card_id="c2"), "c2"),
        (AddExecution(execution=run()), ExecutionById(user=ANNA, execution_id="x1"), "x1"),
    ],
)
async def test_a_known_row_that_is_not_found_any_more_was_changed(
    tmp_path: Path, change: Change, query: Query[Any], key: str
) -> None:
    async with opened(tmp_path) as store:
        await commit(store, AddCard(card=card()), change)
        assert write_over(tmp_path, f"{key}{ANNA}", f"{key}{ANNA[::-1].upper()}")
        await commit(store, log_entry())
        with pytest.raises(StoreChangedError):
            await store.read(query)


def test_a_row_found_in_the_place_of_another_was_changed() -> None:
    with pytest.raises(StoreChangedError):
        KnownRows().require_found(Card, ANNA, "c1", card("c2"))
    KnownRows().require_found(Card, ANNA, "c1", None)
