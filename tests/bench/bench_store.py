"""The store: commits per second alone and in groups, import cost, and what a million stored suggestions cost.

A transaction is a card with its step and its outbox message, the answer to it is a compare-and-set with its step.
"""

import asyncio
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from hub.contract.words import Status
from hub.domain.storage import (
    AddCard,
    CardById,
    Change,
    Committed,
    CountOpen,
    DueCards,
    NextDue,
    OpenCards,
    Query,
    RecentCards,
    Send,
)
from hub.domain.suggestion import Card
from hub.io.store.queries import named_queries
from hub.io.store.sqlite import SqliteStore, open_store
from hub.io.store.writes import operations_of
from tests.bench.figures import Figure
from tests.conformance.store.samples import ANNA, NOON, card, message, moved, step

BENCH: Final = "store"

COMMITS: Final = 2_000
WRITERS: Final = 32
SMALL_ROWS: Final = 1_000
LARGE_ROWS: Final = 1_000_000
PENDING: Final = 50
IMPORTS: Final = 5
CALLS: Final = 400
FILL_GROUP: Final = 20_000
RATIO_MAX: Final = 1.5


def a_card(number: int, status: Status = Status.PENDING) -> Card:
    """Make one of many cards; ids are spread evenly, the worst case for an index."""
    spread = (number * 2_654_435_761) & 0xFFFFFFFF
    return card(f"pred_{spread:08x}{number:08x}", created=number * 30, expires=number * 30 + 28_800, status=status)


def transaction(number: int) -> tuple[Change, ...]:
    """Make what the loop writes for one suggestion."""
    made = a_card(number)
    later = NOON + timedelta(days=30_000)
    outgoing = Send(message=message(f"m-{made.id}", payload=b"x" * 512), leased_until=later)
    return (AddCard(card=made), step(made.id), outgoing)


async def timed_commits(store: SqliteStore, numbers: Iterator[int], count: int) -> list[float]:
    """Commit one after another; return each one's seconds."""
    took = []
    for _ in range(count):
        changes = transaction(next(numbers))
        begin = time.perf_counter()
        assert await store.commit([changes]) == (Committed(),)
        took.append(time.perf_counter() - begin)
    return took


def figures(name: str, took: list[float], seconds: float, reference: float | None = None) -> list[Figure]:
    """Put latencies and a rate into figures."""
    rate = Figure(
        bench=BENCH,
        what=name,
        value=len(took) / seconds,
        unit="/s",
        better="higher",
        reference="bare sqlite3, one writer" if reference else "",
        reference_value=reference,
    )
    late = Figure(bench=BENCH, what=f"{name}, p99", value=statistics.quantiles(took, n=100)[98] * 1e3, unit="ms")
    return [rate, late]


async def commit_rates(folder: Path, reference: float) -> list[Figure]:
    """Measure one writer, then many at once."""
    results: list[Figure] = []
    for name, writers in (("commit, one writer", 1), (f"commit, {WRITERS} writers", WRITERS)):
        store = await open_store(folder / f"rate-{writers}.db")
        numbers = iter(range(10**9))
        await timed_commits(store, numbers, 50)
        begin = time.perf_counter()
        each = COMMITS * (4 if writers > 1 else 1) // writers
        took = await asyncio.gather(*(timed_commits(store, numbers, each) for _ in range(writers)))
        seconds = time.perf_counter() - begin
        results += figures(name, [one for many in took for one in many], seconds, reference)
        await store.close()
    return results


def bare_sqlite(folder: Path) -> float:
    """Return the reference in transactions a second: the same SQL on a bare connection, with nothing to encode."""
    path = folder / "bare.db"
    asyncio.run(_create(path))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    queries = named_queries()
    prepared = [operations_of(transaction(number)) for number in range(COMMITS)]
    start = time.perf_counter()
    for operations in prepared:
        connection.execute("BEGIN IMMEDIATE")
        for operation in operations:
            connection.execute(queries[operation.query], operation.values)
        connection.execute("COMMIT")
    seconds = time.perf_counter() - start
    connection.close()
    return len(prepared) / seconds


async def _create(path: Path) -> None:
    store = await open_store(path)
    await store.close()


async def fill(path: Path, rows: int) -> None:
    """Store settled suggestions, and as many pending ones as a person may have, straight through the named SQL."""
    await _create(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -262144")
    queries = named_queries()
    connection.execute("BEGIN")
    for number in range(rows):
        if number % FILL_GROUP == 0:
            connection.execute("COMMIT")
            connection.execute("BEGIN")
        status = Status.PENDING if number >= rows - PENDING else Status.EXECUTED
        made = a_card(number, status)
        changes: tuple[Change, ...] = (AddCard(card=made), step(made.id))
        for operation in operations_of(changes):
            connection.execute(queries[operation.query], operation.values)
    connection.execute("COMMIT")
    connection.close()


def questions(rows: int) -> dict[str, Query[object]]:
    """Return what the loop and the surfaces ask all the time."""
    now = NOON + timedelta(seconds=rows * 30)
    named: dict[str, object] = {
        "CardById": CardById(user=ANNA, card_id=a_card(rows // 2).id),
        "CountOpen": CountOpen(user=ANNA),
        "OpenCards": OpenCards(user=ANNA, limit=50, now=now),
        "NextDue": NextDue(user=ANNA),
        "DueCards": DueCards(user=ANNA, now=now, limit=50),
        "RecentCards": RecentCards(user=ANNA, limit=50),
        "RecentCards page": RecentCards(user=ANNA, limit=50, before=NOON + timedelta(seconds=rows * 15)),
        "RecentCards with a search": RecentCards(user=ANNA, limit=50, search="nothing like it"),
        "RecentCards of a status": RecentCards(user=ANNA, limit=50, status=Status.EXECUTED),
    }
    return named  # type: ignore[return-value]  # each query knows its own answer; here only the time counts


Operation = Callable[[SqliteStore], Awaitable[object]]


def operations(rows: int, numbers: Iterator[int]) -> dict[str, Operation]:
    """Return everything to measure on a store that held `rows` suggestions at first."""
    return {name: _asking(query) for name, query in questions(rows).items()} | {
        "one commit": lambda store: store.commit([transaction(next(numbers))]),
        "one card, added and answered": lambda store: _answered(store, a_card(next(numbers))),
        f"{WRITERS} commits at once": lambda store: _burst(store, numbers),
    }


def _asking(query: Query[object]) -> Operation:
    return lambda store: store.read(query)


async def _answered(store: SqliteStore, made: Card) -> None:
    await store.commit([(AddCard(card=made),)])
    await store.commit([(moved(made, Status.REJECTED), step(made.id))])


async def _burst(store: SqliteStore, numbers: Iterator[int]) -> None:
    await asyncio.gather(*(store.commit([transaction(next(numbers))]) for _ in range(WRITERS)))


async def growth(folder: Path, large: int) -> list[Figure]:
    """Compare a small and a large store, call by call in turn, so that the machine's moods hit both alike."""
    stores, todo = [], []
    for rows in (SMALL_ROWS, large):
        await fill(folder / f"rows-{rows}.db", rows)
        stores.append(await open_store(folder / f"rows-{rows}.db"))
        todo.append(operations(rows, iter(range(rows, 10**9))))
    os.sync()  # what filling left to be written must not count
    results = []
    for name in todo[0]:
        small, big = await _in_turn((stores[0], todo[0][name]), (stores[1], todo[1][name]))
        results.append(_ratio(name, small, big, large))
    for store in stores:
        await store.close()
    return results


async def _in_turn(*sides: tuple[SqliteStore, Operation]) -> list[float]:
    """Return each side's median seconds for one call."""
    took: list[list[float]] = [[] for _ in sides]
    for _ in range(CALLS):
        for seconds, (store, operation) in zip(took, sides, strict=True):
            begin = time.perf_counter()
            await operation(store)
            seconds.append(time.perf_counter() - begin)
    return [statistics.median(seconds) for seconds in took]


def _ratio(name: str, small_s: float, large_s: float, large: int) -> Figure:
    return Figure(
        bench=BENCH,
        what=f"{name}: time with {large:,} suggestions over time with {SMALL_ROWS:,}",
        value=large_s / small_s,
        unit="times",
        goal=RATIO_MAX,
    )


IMPORT: Final = """
import resource, sys, time
import {first}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begin = time.perf_counter()
import {module}
print((time.perf_counter() - begin) * 1e3, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def import_cost() -> Figure:
    """Measure the store's own import, after the domain that every part of the hub needs."""
    code = IMPORT.format(first="asyncio, hub.ports", module="hub.io.store.sqlite")
    runs = []
    for _ in range(IMPORTS):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        runs.append(tuple(map(float, done.stdout.split())))
    return Figure(bench=BENCH, what="import of the store", value=min(runs)[0], unit="ms")


def run(folder: Path | None = None, large: int = LARGE_ROWS) -> list[Figure]:
    """Measure everything; about a minute and 2 GB for a million rows."""
    with tempfile.TemporaryDirectory(dir=folder, prefix="bench-store-") as name:
        here = Path(name)
        reference = bare_sqlite(here)
        return [
            import_cost(),
            *asyncio.run(commit_rates(here, reference)),
            *asyncio.run(growth(here, large)),
        ]
