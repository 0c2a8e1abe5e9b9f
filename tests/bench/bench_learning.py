"""A hundred thousand answers, really learnt: what they cost one after the other, in the store, and at a start.

The reference is the same with the first thousand: what grows with the answers shows there.
"""

import asyncio
import gc
import tempfile
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hub.domain.teaching import Taught, YesModel
from hub.io.store.sqlite import SqliteStore, open_store
from hub.learn.yes import learnt
from hub.learn.yes.learner import LIKES_MAX, WEIGHTS_MAX
from hub.loop.habits import latest, taken_up
from tests.bench.figures import Figure
from tests.bench.habits import answered, dice, offered

BENCH = "learning"
ANSWERS, FIRST, AT_ONCE = 100_000, 1_000, 25
"""So many at a time, as between two trainings."""
USER = "mo"
MS, MB = 1_000, 1_000_000


def answers() -> list[Taught]:
    """Return what a person with ever new repositories and reasons said: each fifth matter is one never seen before."""
    draw = dice(9)
    known = [offered(draw, place) for place in range(FIRST)]
    made = []
    for place in range(ANSWERS):
        about = known[place % FIRST]
        if place % 5 == 0:
            about = replace(about, repository=f"/home/mo/new{place}", reason=f"{about.kind}:new{place}")
        made.append(answered(about, yes=draw.random() < 0.5, place=place))
    return made


def learnt_one_after_the_other(said: Sequence[Taught]) -> list[Figure]:
    """Learn all of them, and measure the first thousand, the last thousand, and what is held at the end."""
    gc.collect()
    model = YesModel()
    took: list[float] = []
    for some in _in_parts(said, AT_ONCE):
        started = time.perf_counter()
        model = learnt(model, some)
        took.append(time.perf_counter() - started)
    per = FIRST // AT_ONCE
    assert model.answers == ANSWERS
    assert len(model.weights) <= WEIGHTS_MAX
    assert len(model.likes) <= LIKES_MAX
    return [
        Figure(
            bench=BENCH,
            what="one answer of the last 1,000 of 100,000",
            value=sum(took[-per:]) / FIRST * MS,
            unit="ms",
            reference="of the first 1,000",
            reference_value=sum(took[:per]) / FIRST * MS,
        ),
        Figure(bench=BENCH, what="the model after 100,000", value=_held(model) / MB, unit="MB", goal=3.0),
    ]


def _held(model: YesModel) -> int:
    """Return the bytes of a model, as one that was read anew takes them."""
    written = msgspec.json.encode(model)
    gc.collect()
    tracemalloc.start()
    copy = msgspec.json.decode(written, type=YesModel)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(copy.weights) == len(model.weights)
    return size


def _in_parts(said: Sequence[Taught], size: int) -> Iterator[Sequence[Taught]]:
    return (said[start : start + size] for start in range(0, len(said), size))


async def started(said: Sequence[Taught]) -> list[Figure]:
    """Put them into a store, and measure what a start takes up of 1,000 and of all."""
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(Path(folder) / "taught.db")
        await _put(store, said[:FIRST])
        few = await _start_s(store)
        await _put(store, said[FIRST:])
        many = await _start_s(store)
        await store.close()
    return [
        Figure(
            bench=BENCH,
            what="what a start takes up of 100,000 answers",
            value=many * MS,
            unit="ms",
            reference="of 1,000",
            reference_value=few * MS,
        )
    ]


async def _put(store: SqliteStore, said: Sequence[Taught]) -> None:
    for some in _in_parts(said, FIRST):
        await store.commit([tuple(one for one in some)])


async def _start_s(store: SqliteStore) -> float:
    began = time.perf_counter()
    habits = taken_up(await store.read(latest(USER)))
    assert habits.model.answers == FIRST
    return time.perf_counter() - began


def run() -> list[Figure]:
    """Measure everything; about a minute."""
    said = answers()
    return [*learnt_one_after_the_other(said), *asyncio.run(started(said))]
