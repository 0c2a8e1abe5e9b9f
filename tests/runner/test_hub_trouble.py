"""A full disk, a bug, a full inbox, a broken sensor, a kill: what the hub does, and that it goes on afterwards."""

import asyncio
from datetime import datetime, timedelta

import pytest

from hub.contract.api import ConfigPatch, TriggerAnswer
from hub.contract.errors import BusyError, WorldError
from hub.contract.events import ExecutionStarted, PredictionExecuted, PredictionExpired
from hub.contract.words import RunState, Status, Verb
from hub.domain.policy import Policy
from hub.domain.readings import BrokenReading, Reading, SystemReading
from hub.domain.requests import Configure, Noted, Pause, Refused, RemoveTask, Reply, Request, Trigger
from hub.domain.storage import ExecutionsOf, MindOf
from hub.domain.twin import TwinQuestion, TwinReply
from hub.loop.events import CycleBroke
from hub.runner.inbox import INBOX_EVENTS_MAX
from hub.runner.sensor_reader import OUTSIDE_SENSORS_MAX
from tests.fakes.agent import Script, ScriptedRunner
from tests.fakes.clock import let_others
from tests.fakes.store import MemoryStore
from tests.fakes.twin import ScriptedTwin
from tests.loop.stage import a_policy
from tests.runner.running_hub import TICK, House, hanging, is_new, living

HANGS = Script(hangs=True)


def loop_health(house: House) -> str:
    return next(part.status for part in house.hub.health() if part.name == "loop")


async def test_a_full_disk_refuses_and_changes_nothing_and_works_again() -> None:
    async with living(House()) as house:
        card = await house.card()
        before = house.hub.state()
        house.store.refuse()
        reply = await house.answer(card, Verb.APPROVE)
        assert isinstance(reply, Refused)
        assert (reply.code, reply.status) == ("disk-full", 507)
        assert (house.hub.state(), await house.stored(card.id)) == (before, card)
        assert house.agent.jobs == []
        house.store.accept()
        assert is_new(await house.answer(card, Verb.APPROVE))
        await house.until_told_of(PredictionExecuted)


async def test_a_trigger_on_a_full_disk_is_refused_and_the_next_one_is_taken() -> None:
    async with living(House()) as house:
        house.store.refuse()
        reply = await house.hub.submit(Trigger(hint="Water the plants", force=True))
        assert isinstance(reply, Refused)
        assert (reply.code, reply.status) == ("disk-full", 507)
        house.store.accept()
        await house.settle()
        assert (await house.card("Water the plants")).status is Status.PENDING


async def test_a_run_that_ends_while_the_disk_is_full_is_settled_later() -> None:
    house = House(hanging(a_policy()))
    house.agent = ScriptedRunner(default=HANGS)
    async with living(house):
        card = await house.card()
        await house.answer(card, Verb.APPROVE)
        await house.until_told_of(ExecutionStarted)
        house.store.refuse()
        await house.agent.close()
        await house.settle()
        await house.tick()
        assert (await house.stored(card.id)).status is Status.CONFIRMED
        house.store.accept()
        await house.tick()
        assert (await house.stored(card.id)).status is Status.CANCELLED
        assert house.hub.state().running == ()


async def test_an_approval_whose_start_finds_the_disk_full_starts_later() -> None:
    class FullAfterOne(MemoryStore):
        full_after: int | None = None

        async def commit(self, transactions):  # type: ignore[no-untyped-def]  # as in the base  # noqa: ANN001, ANN202
            outcomes = await super().commit(transactions)
            if self.full_after is not None:
                self.full_after -= 1
                if self.full_after == 0:
                    self.refuse()
            return outcomes

    store = FullAfterOne()
    async with living(House(store=store)) as house:
        card = await house.card()
        store.full_after = 1
        assert is_new(await house.answer(card, Verb.APPROVE))
        await house.settle()
        assert house.agent.jobs == []
        store.full_after = None
        store.accept()
        await house.tick()
        await house.until_told_of(PredictionExecuted)
        assert len(house.agent.jobs) == 1


async def test_a_start_on_a_full_disk_waits_and_forgets_no_emergency() -> None:
    store = MemoryStore()
    async with living(House(store=store)) as house:
        card = await house.card()
        await house.hub.submit(Configure(patch=ConfigPatch(emergency_stop=True), by="me"))
    store.refuse()
    again = House(store=store, broker=house.broker)
    again.opens = False
    async with living(again):
        waiting = asyncio.ensure_future(again.answer(card, Verb.APPROVE))
        await again.clock.let_pass(timedelta(seconds=3))
        assert not waiting.done()
        store.accept()
        await again.clock.let_pass(timedelta(seconds=3))
        reply = await waiting
        assert isinstance(reply, Refused)
        assert reply.code == "rail-kill"
        assert again.hub.state().mind.ledger.emergency


async def test_a_bug_in_one_step_is_its_own() -> None:
    async with living(House()) as house:
        cards = [await house.card(f"Work {number}") for number in range(3)]
        naive = datetime(2030, 1, 1)  # noqa: DTZ001  the bug
        replies = await asyncio.gather(
            house.answer(cards[0], Verb.REJECT),
            house.answer(cards[1], Verb.SNOOZE, until=naive),
            house.answer(cards[2], Verb.REJECT),
        )
        assert [is_new(reply) for reply in replies] == [True, False, True]
        assert isinstance(replies[1], Refused)
        assert (replies[1].code, replies[1].status) == ("internal", 500)
        assert (await house.stored(cards[1].id)) == cards[1]
        assert loop_health(house) == "degraded"
        assert is_new(await house.answer(cards[1], Verb.REJECT))


class Unreadable(MemoryStore):
    """A store whose reads fail on demand."""

    error: Exception | None = None

    async def read(self, query):  # type: ignore[no-untyped-def]  # as in the base  # noqa: ANN001, ANN201
        if self.error is not None:
            raise self.error
        return await super().read(query)


@pytest.mark.slow
@pytest.mark.parametrize("error", [WorldError("the disk is gone"), RuntimeError("a bug")])
async def test_a_store_that_cannot_be_read_ends_neither_the_loop_nor_the_timer(error: Exception) -> None:
    store = Unreadable()
    async with living(House(store=store)) as house:
        card = await house.card()
        store.error = error
        reply = await house.hub.submit(RemoveTask(task_id="task_none"))
        assert isinstance(reply, Refused)
        assert reply.code in {"unavailable", "internal"}
        assert loop_health(house) == "degraded"
        await house.clock.let_pass(3 * TICK)
        store.error = None
        assert is_new(await house.answer(card, Verb.REJECT))
        second = await house.card("Second")
        await house.clock.let_pass(second.expires_at - house.clock.now() + TICK)
        await house.until_told_of(PredictionExpired)
        assert loop_health(house) == ("ok" if isinstance(error, WorldError) else "degraded")


@pytest.mark.slow
async def test_a_full_inbox_takes_nothing_more_and_loses_nothing() -> None:
    house = House()
    hub = house.build()
    for _ in range(INBOX_EVENTS_MAX):
        hub.post(CycleBroke(cycle_id="cyc_none", why=""))
    with pytest.raises(BusyError):
        await hub.submit(Trigger())
    stop = asyncio.create_task(hub.submit(Pause(reason="enough")))  # what stops something has a place beside them
    hub.post(CycleBroke(cycle_id="cyc_none", why=""))  # what follows from the hub's own work is never refused
    await hub.start()
    async with asyncio.timeout(30):
        assert isinstance(await patiently(house, Configure(patch=ConfigPatch(), by="me")), Noted)
        assert isinstance(await stop, Noted)
    await hub.close()


async def patiently(house: House, request: Request) -> Reply:
    """Try again until there is room, as a client does that was told to."""
    while True:
        try:
            return await house.hub.submit(request)
        except BusyError:
            await let_others()


async def test_a_stop_during_a_run_is_an_interruption_at_the_next_start() -> None:
    house = House(hanging(a_policy()))
    house.agent = ScriptedRunner(default=HANGS)
    async with living(house):
        card = await house.card()
        await house.answer(card, Verb.APPROVE)
        await house.until_told_of(ExecutionStarted)
    assert house.agent.running == set()
    assert (await house.stored(card.id)).status is Status.CONFIRMED
    async with living(House(store=house.store)) as again:
        back = await again.stored(card.id)
        assert (back.status, again.hub.status().pending) == (Status.PENDING, 1)
        runs = await again.store.read(ExecutionsOf(user="me", card_id=card.id))
        assert [run.state for run in runs] == [RunState.INTERRUPTED]
        assert again.agent.jobs == []


async def test_stop_ends_a_run() -> None:
    house = House(hanging(a_policy()))
    house.agent = ScriptedRunner(default=HANGS)
    async with living(house):
        card = await house.card()
        await house.answer(card, Verb.APPROVE)
        await house.until_told_of(ExecutionStarted)
        assert is_new(await house.answer(card, Verb.STOP))
        await house.settle()
        assert (await house.stored(card.id)).status is Status.CANCELLED


class BuggySensor:
    """A sensor that raises, which no sensor may."""

    name = "git"

    async def read(self, now: datetime) -> Reading:
        raise ZeroDivisionError(now.isoformat())

    async def close(self) -> None:
        return


class BuggyTwin(ScriptedTwin):
    """A model whose code is wrong."""

    async def predict(self, asked: TwinQuestion, policy: Policy) -> TwinReply:
        raise KeyError(f"{asked.situation.at} {policy.zone} {len(asked.offers)}")


async def test_a_sensor_with_a_bug_is_unknown_and_the_others_see() -> None:
    house = House()
    house.sensors = (BuggySensor(),)
    async with living(house):
        await house.card()
        part = next(part for part in house.hub.health() if part.name == "sensor git")
        assert (part.status, part.detail) == ("unknown", "a bug: ZeroDivisionError; please report it")


async def test_a_model_with_a_bug_ends_the_cycle_and_whoever_asked_is_told() -> None:
    house = House(a_policy(twin=True))
    house.twin = BuggyTwin(())
    async with living(house):
        reply = await house.hub.submit(Trigger())
        assert isinstance(reply, TriggerAnswer)
        assert reply.message.startswith("Pulse could not check what is going on: KeyError")
        assert house.hub.state().cycle is None
        assert loop_health(house) == "degraded"


async def test_outside_sensors_are_bounded_and_never_stand_in_for_our_own() -> None:
    house = House()
    house.sensors = (BuggySensor(),)
    async with living(house):
        body = BrokenReading(detail="x")
        for number in range(3 * OUTSIDE_SENSORS_MAX):
            house.sensor_reader.hear(Reading(sensor=f"s{number}", at=house.clock.now(), body=body))
        house.sensor_reader.hear(Reading(sensor="git", at=house.clock.now(), body=SystemReading(load=None)))  # type: ignore[arg-type]  # never looked at
        posted: list[object] = []
        await house.sensor_reader.look("cyc_1", house.hub.state(), posted.append)
        readings = posted[0].readings  # type: ignore[attr-defined]  # a Looked
        assert len(readings) == OUTSIDE_SENSORS_MAX + 3
        assert isinstance(readings["git"].body, BrokenReading)


async def test_the_reply_comes_after_the_commit() -> None:
    class Slow(MemoryStore):
        def __init__(self) -> None:
            super().__init__()
            self.gate = asyncio.Event()
            self.gate.set()

        async def commit(self, transactions):  # type: ignore[no-untyped-def]  # as in the base  # noqa: ANN001, ANN202
            await self.gate.wait()
            return await super().commit(transactions)

    store = Slow()
    async with living(House(store=store)) as house:
        card = await house.card()
        store.gate.clear()
        told = len(house.events)
        waiting = asyncio.ensure_future(house.answer(card, Verb.REJECT))
        for _ in range(100):
            await asyncio.sleep(0)
        assert not waiting.done()
        assert len(house.events) == told
        assert house.hub.status().pending == 1
        store.gate.set()
        assert is_new(await waiting)
        assert await store.read(MindOf(user="me")) == house.hub.state().mind
