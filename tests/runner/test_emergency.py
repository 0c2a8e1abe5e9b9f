"""The emergency stop: at once, whatever the disk and the inbox say, and only a person lifts it."""

import pytest

from hub.contract.api import ConfigPatch
from hub.contract.errors import BusyError
from hub.contract.events import ExecutionFailed, ExecutionStarted
from hub.contract.words import Status, Verb
from hub.domain.requests import Configure, Noted, Refused, Reply, RevokeDevice
from hub.domain.storage import MindOf
from hub.loop.events import CycleBroke
from hub.runner.inbox import INBOX_EVENTS_MAX, STOPS_RESERVED
from tests.fakes.agent import Script, ScriptedRunner
from tests.fakes.armed import FakeArming
from tests.fakes.store import MemoryStore
from tests.loop.stage import PHONE, a_policy
from tests.runner.running_hub import House, hanging, living

DELIVERED = "deliver/phone"
HANGS = Script(hangs=True)
STOP = Configure(patch=ConfigPatch(emergency_stop=True), by="me")
GO_ON = Configure(patch=ConfigPatch(emergency_stop=False), by="me")


async def running_card(house: House) -> str:
    """Let something run, and return its card."""
    house.agent = ScriptedRunner(default=HANGS)
    card = await house.card()
    await house.answer(card, Verb.APPROVE)
    await house.until_told_of(ExecutionStarted)
    return card.id


def a_house(**kept: MemoryStore) -> House:
    house = House(hanging(a_policy()), **kept)  # type: ignore[arg-type]  # the store, where one is given
    house.agent = ScriptedRunner(default=HANGS)
    return house


def is_off(house: House) -> bool:
    status = house.hub.status()
    return not status.enabled and status.killed_by == "emergency"


async def stored_stop(house: House) -> bool:
    mind = await house.store.read(MindOf(user="me"))
    return mind is not None and mind.ledger.emergency


async def test_on_a_full_disk_what_runs_is_ended_and_the_stop_is_kept_without_the_store() -> None:
    house = a_house()
    async with living(house):
        card = await running_card(house)
        house.store.refuse()
        reply = await house.hub.submit(STOP)
        assert isinstance(reply, Noted)
        assert (reply.status.enabled, reply.status.killed_by) == (False, "emergency")
        assert is_off(house)
        assert not house.arming.armed
        assert not await stored_stop(house)
        house.store.accept()
        await house.tick()
        assert (await house.stored(card)).status is Status.CANCELLED
        assert is_off(house)
        assert await stored_stop(house), "it is stored as soon as there is room"


async def test_a_stop_that_was_never_stored_holds_after_a_restart() -> None:
    house = a_house()
    async with living(house):
        card = await house.card()
        house.store.refuse()
        await house.hub.submit(STOP)
        house.store.accept()
    assert not await stored_stop(house)
    again = a_house(store=house.store)
    again.arming = house.arming
    async with living(again):
        assert is_off(again)
        reply = await again.answer(card, Verb.APPROVE)
        assert isinstance(reply, Refused)
        assert reply.code == "rail-kill"
        assert again.agent.jobs == []
        await again.tick()
        assert await stored_stop(again)


async def test_where_not_even_the_file_goes_the_person_is_told() -> None:
    house = a_house()
    house.arming.lets_go = False
    async with living(house):
        await running_card(house)
        house.store.refuse()
        reply = await house.hub.submit(STOP)
        assert isinstance(reply, Refused)
        assert (reply.status, "could not be saved" in reply.detail, "Ctrl-C" in reply.fix) == (507, True, True)
        assert is_off(house), "in memory it holds all the same"
        house.store.accept()


async def test_the_file_alone_stops_what_was_about_to_begin() -> None:
    house = a_house()
    async with living(house):
        card = await house.card()
        house.arming.armed = False
        await house.answer(card, Verb.APPROVE)
        await house.until_told_of(ExecutionFailed)
        await house.settle()
        assert house.agent.jobs == []
        assert is_off(house)
        assert await stored_stop(house)


async def test_the_file_alone_ends_what_runs_at_the_next_tick() -> None:
    house = a_house()
    async with living(house):
        card = await running_card(house)
        house.arming.armed = False
        await house.tick()
        assert (await house.stored(card)).status is Status.CANCELLED
        assert is_off(house)


@pytest.mark.slow
async def test_a_signal_stops_without_waiting_for_a_full_inbox() -> None:
    house = a_house()
    async with living(house):
        await running_card(house)
        for _ in range(INBOX_EVENTS_MAX + STOPS_RESERVED):
            house.hub.post(CycleBroke(cycle_id="cyc_none", why=""))
        with pytest.raises(BusyError):
            await house.hub.submit(STOP)
        assert is_off(house), "pressed before it was queued"
        house.hub.emergency.stop_now("a signal")
        await house.until_told_of(ExecutionFailed)
        assert house.agent.running == set()


async def lift(house: House) -> Reply:
    return await house.hub.submit(GO_ON)


async def test_lifting_makes_the_file_again_and_work_begins() -> None:
    house = a_house()
    async with living(house):
        await house.hub.submit(STOP)
        assert not house.arming.armed
        reply = await lift(house)
        assert isinstance(reply, Noted)
        assert reply.status.enabled
        assert house.arming.armed
        assert house.hub.status().enabled
        await running_card(house)


async def test_where_the_file_cannot_be_made_it_stays_stopped() -> None:
    house = a_house()
    async with living(house):
        await house.hub.submit(STOP)
        house.arming.takes = False
        reply = await lift(house)
        assert isinstance(reply, Refused)
        assert "stays stopped" in reply.detail
        await house.settle()
        assert is_off(house)
        assert await stored_stop(house)


async def test_a_stop_that_comes_while_another_is_lifted_wins() -> None:
    house = a_house()
    async with living(house):
        await house.hub.submit(STOP)
        commit = house.store.commit

        async def meanwhile(*arguments: object) -> object:
            done = await commit(*arguments)  # type: ignore[arg-type]  # passed on
            house.store.commit = commit  # type: ignore[method-assign]  # once
            house.hub.emergency.stop_now("a signal")
            return done

        house.store.commit = meanwhile  # type: ignore[assignment, method-assign]  # a moment that cannot be hit otherwise
        reply = await lift(house)
        assert isinstance(reply, Refused)
        assert reply.code == "still-off"
        await house.settle()
        assert is_off(house)
        assert not house.arming.armed
        assert await stored_stop(house)


async def test_a_stored_stop_takes_the_file_away_at_the_next_start() -> None:
    house = a_house()
    async with living(house):
        await house.hub.submit(STOP)
    again = a_house(store=house.store)
    again.arming = FakeArming(armed=True)
    async with living(again):
        assert is_off(again)
        assert not again.arming.armed


async def test_a_device_whose_revocation_the_store_did_not_take_is_revoked_and_hears_of_no_card() -> None:
    house = a_house()
    async with living(house):
        await house.pair(PHONE)
        assert [one.revoked for one in house.hub.state().devices] == [False]
        house.store.refuse()
        assert isinstance(await house.hub.submit(RevokeDevice(address=PHONE)), Refused)
        assert [one.revoked for one in house.hub.state().devices] == [True]
        house.store.accept()
    again = a_house(store=house.store)
    async with living(again):
        await again.card()
        await again.settle()
        (heard,) = again.published(DELIVERED)
        again.hub.emergency.revoke(PHONE)  # as a start does with what the file of revocations says
        await again.card("Tell the others")
        await again.settle()
        assert again.published(DELIVERED) == [heard]


async def test_a_file_that_comes_back_while_it_is_on_is_taken_away() -> None:
    house = a_house()
    async with living(house):
        assert not house.hub.emergency.keep()
        await house.hub.submit(STOP)
        assert not house.hub.emergency.keep()
        house.arming.armed = True
        assert house.hub.emergency.keep()
        assert not house.arming.armed
        house.arming.armed, house.arming.lets_go = True, False
        with pytest.raises(OSError, match="cannot be removed"):
            house.hub.emergency.keep()
        house.arming.lets_go = True
        await lift(house)
        assert not house.hub.emergency.keep()
        assert house.arming.armed


async def test_a_file_that_came_back_before_the_start_lifts_nothing_and_is_noticed() -> None:
    house = a_house()
    async with living(house):
        await house.hub.submit(STOP)
    again = a_house(store=house.store)
    again.arming.armed = True
    async with living(again):
        assert is_off(again)
        assert not again.arming.armed
        assert again.hub.emergency.keep(), "it was there"
        assert not again.hub.emergency.keep()
