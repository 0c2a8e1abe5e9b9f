"""Who waits for a reply gets it, or is told in time that there is none."""

import asyncio

import pytest

from hub.domain.requests import Refused
from hub.runner.waiters import Waiters

REPLY = Refused(code="busy", status=503, detail="later", fix="wait")


async def test_each_gets_its_own_reply() -> None:
    waiters = Waiters()
    (one, first), (two, second) = waiters.add(), waiters.add()
    waiters.answer(two, REPLY)
    assert await second is REPLY
    assert one != two
    assert not first.done()
    waiters.close()
    assert first.cancelled()


async def test_a_reply_to_nobody_and_a_second_one_are_dropped() -> None:
    waiters = Waiters()
    name, waiter = waiters.add()
    waiters.answer(name, REPLY)
    waiters.answer(name, Refused(code="x", status=500, detail="", fix=""))
    assert await waiter is REPLY
    waiters.remove(name)
    waiters.answer(name, REPLY)
    waiters.close()


async def test_all_who_wait_too_long_are_told() -> None:
    waiters = Waiters(wait_s_max=0.01)
    _, first = waiters.add()
    await asyncio.sleep(0)
    name, answered = waiters.add()
    _, last = waiters.add()
    waiters.answer(name, REPLY)
    for late in (first, last):
        with pytest.raises(TimeoutError):
            await late
    assert await answered is REPLY


async def test_the_next_one_after_a_pause_is_told_as_well() -> None:
    waiters = Waiters(wait_s_max=0.01)
    for _ in range(2):
        name, waiter = waiters.add()
        with pytest.raises(TimeoutError):
            await waiter
        waiters.remove(name)
