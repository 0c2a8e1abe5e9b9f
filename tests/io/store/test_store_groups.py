"""The writing thread: who waits together is written together, and only so many may wait."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from hub.domain.storage import AddCard, CardById, Committed, CountOpen, LogEntry, Lost
from hub.io.store.errors import StoreClosedError
from hub.io.store.sqlite import SqliteStore, open_store
from hub.io.store.worker_thread import WorkerThread
from tests.conformance.store.samples import ANNA, NOON, card

WAITERS = 32


class Gate:
    """Holds the writing thread until it is opened."""

    def __init__(self, store: SqliteStore) -> None:
        self._reached, self._free = threading.Event(), threading.Event()
        self._asked = asyncio.create_task(store._writer.ask([self._hold]))  # noqa: SLF001  no public way to stop the disk

    def _hold(self, session: object) -> None:
        assert session is not None
        self._reached.set()
        self._free.wait()

    async def reached(self) -> None:
        await asyncio.to_thread(self._reached.wait)

    async def open(self) -> None:
        self._free.set()
        await self._asked


async def test_those_who_wait_share_one_synchronisation(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")
    gate = Gate(store)
    await gate.reached()
    before, _ = store.group_counts()
    commits = [asyncio.create_task(store.commit([(AddCard(card=card(f"c{n % 31}")),)])) for n in range(WAITERS)]
    await asyncio.sleep(0)
    await gate.open()
    outcomes = [outcome for (outcome,) in await asyncio.gather(*commits)]
    assert outcomes == [Committed()] * 31 + [Lost(what="add-card c0")]
    assert store.group_counts()[0] - before == 2, "the gate's own, and one for all who waited"
    assert store.group_counts()[1] == WAITERS + 1
    await store.close()


async def test_reading_does_not_wait_for_the_writer(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")
    await store.commit([(AddCard(card=card()),)])
    gate = Gate(store)
    await gate.reached()
    later = asyncio.create_task(store.commit([(AddCard(card=card("c2")),)]))
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card()
    assert await store.read(CountOpen(user=ANNA)) == 1, "only what is committed is seen"
    assert not later.done()
    await gate.open()
    assert await later == (Committed(),)
    await store.close()


async def test_a_bad_neighbour_in_a_group_hurts_only_itself(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")
    gate = Gate(store)
    await gate.reached()
    half_a_character = LogEntry(
        user=ANNA,
        card_id=None,
        trigger="manual",
        channel="koji-core",
        prompt="\ud800",
        cost_microusd=0,
        blocked=False,
        block_reason="",
        at=NOON,
    )
    bad = asyncio.create_task(store.commit([(AddCard(card=card("bad")),), (half_a_character,)]))
    good = [asyncio.create_task(store.commit([(AddCard(card=card(f"c{n}")),)])) for n in range(3)]
    await asyncio.sleep(0)
    await gate.open()
    with pytest.raises(UnicodeEncodeError):
        await bad
    assert [await one for one in good] == [(Committed(),)] * 3
    assert await store.read(CountOpen(user=ANNA)) == 3, "nothing of the bad call was written"
    assert store.health().status == "ok"
    await store.close()


class Echo(WorkerThread[int, int]):
    """Answers with what it was asked, and remembers how much it was handed at a time."""

    def __init__(self, *, waiting_max: int, fail: bool = False) -> None:
        super().__init__("echo", waiting_max=waiting_max, group_max=100)
        self.fail = fail
        self.handed: list[int] = []
        self.closed = False

    def _open(self) -> None:
        if self.fail:
            raise OSError("no")

    def _answer(self, works: Sequence[int]) -> Sequence[int | BaseException]:
        self.handed.append(len(works))
        return [work if work >= 0 else ValueError(work) for work in works]

    def _close(self) -> None:
        self.closed = True


async def test_only_so_many_are_let_in_and_all_are_answered() -> None:
    lane = Echo(waiting_max=3)
    await lane.start()
    assert await asyncio.gather(*(lane.ask(n) for n in range(50))) == list(range(50))
    assert max(lane.handed) <= 3
    await lane.close()
    assert lane.closed


async def test_an_exception_reaches_only_its_asker() -> None:
    lane = Echo(waiting_max=9)
    await lane.start()
    answers = await asyncio.gather(lane.ask(1), lane.ask(-1), lane.ask(2), return_exceptions=True)
    assert [answers[0], answers[2]] == [1, 2]
    assert isinstance(answers[1], ValueError)
    await lane.close()


async def test_who_still_waits_outside_at_closing_time_is_told() -> None:
    lane = Echo(waiting_max=1)
    await lane.start()
    asked = [asyncio.create_task(lane.ask(n)) for n in range(3)]
    await asyncio.sleep(0)
    await lane.close()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert answers[0] == 0
    assert [type(answer) for answer in answers[1:]] == [StoreClosedError] * 2


async def test_a_lane_that_cannot_open_says_why_and_is_closed() -> None:
    lane = Echo(waiting_max=1, fail=True)
    with pytest.raises(OSError, match="no"):
        await lane.start()
    with pytest.raises(StoreClosedError):
        await lane.ask(1)
    await lane.close()


async def test_a_store_whose_loop_has_gone_does_no_harm(tmp_path: Path) -> None:
    def leave_open() -> None:
        async def write() -> None:
            store = await open_store(tmp_path / "pulse.db")
            await store.commit([(AddCard(card=card()),)])

        asyncio.run(write())

    await asyncio.to_thread(leave_open)
    store = await open_store(tmp_path / "pulse.db")
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card()
    await store.close()


async def test_a_transaction_that_is_lost_half_done_takes_back_only_itself(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "pulse.db")
    gate = Gate(store)
    await gate.reached()
    twice = (AddCard(card=card("c9")), AddCard(card=card("c1")))
    changes = ((AddCard(card=card("c1")),), twice, (AddCard(card=card("c2")),))
    commits = [asyncio.create_task(store.commit([one])) for one in changes]
    await asyncio.sleep(0)
    await gate.open()
    outcomes = [outcome for (outcome,) in await asyncio.gather(*commits)]
    assert outcomes == [Committed(), Lost(what="add-card c1"), Committed()]
    assert await store.read(CardById(user=ANNA, card_id="c9")) is None
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card("c1")
    assert await store.read(CardById(user=ANNA, card_id="c2")) == card("c2")
    await store.close()
