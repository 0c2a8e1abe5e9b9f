"""A disk that refuses, for both stores: the outcome says so, nothing is written, and it goes on afterwards."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from hub.domain.storage import AddCard, Committed, CountOpen, DeleteSent, OutboxDepth, Unwritten
from hub.io.store.sqlite import open_store
from hub.ports import Store
from tests.conformance.store.samples import ANNA, NOON, card, send
from tests.fakes.store import MemoryStore

STORE_BYTES = 400 * 1_024
BIG = b"x" * 16 * 1_024


class Tight(NamedTuple):
    """A store whose disk can be filled and freed."""

    store: Store
    fill: Callable[[], Awaitable[None]]
    free: Callable[[], Awaitable[None]]


def in_memory() -> Tight:
    store = MemoryStore()

    async def fill() -> None:
        store.refuse()

    async def free() -> None:
        store.accept()

    return Tight(store, fill, free)


async def on_disk(path: Path) -> Tight:
    store = await open_store(path, size_bytes_max=STORE_BYTES)
    ballast: list[str] = []

    async def fill() -> None:
        for payload in (BIG, b""):
            while await store.commit([(send(f"b{len(ballast)}", leased=9, payload=payload),)]) == (Committed(),):
                ballast.append(f"b{len(ballast)}")

    async def free() -> None:
        await store.commit([(DeleteSent(ids=tuple(ballast)),)])

    return Tight(store, fill, free)


@pytest_asyncio.fixture(params=["memory", "sqlite"])
async def tight(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Tight]:
    made = in_memory() if request.param == "memory" else await on_disk(tmp_path / "pulse.db")
    yield made
    await made.store.close()


async def test_every_transaction_is_refused_and_none_is_written(tight: Tight) -> None:
    await tight.fill()
    before = await tight.store.read(OutboxDepth())
    outcomes = await tight.store.commit([(AddCard(card=card()), send("m1", payload=BIG)), (send("m2", payload=BIG),)])
    assert [outcome.code for outcome in outcomes if isinstance(outcome, Unwritten)] == ["disk-full"] * 2
    assert await tight.store.read(CountOpen(user=ANNA)) == 0
    assert await tight.store.read(OutboxDepth()) == before


async def test_health_is_degraded_until_a_write_succeeds(tight: Tight) -> None:
    await tight.fill()
    await tight.store.commit([(send("m1", payload=BIG),)])
    assert tight.store.health().status == "degraded"
    await tight.free()
    assert await tight.store.commit([(AddCard(card=card()),)]) == (Committed(),)
    assert tight.store.health().status == "ok"


async def test_what_waits_can_be_claimed_when_there_is_room_again(tight: Tight) -> None:
    await tight.store.commit([(send("m1"),)])
    await tight.fill()
    await tight.free()
    assert [message.id for message in await tight.store.claim(now=NOON, lease_s=1, limit=9)] == ["m1"]
