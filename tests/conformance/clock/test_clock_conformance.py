"""What every clock does: tells the time in UTC, and wakes at the moment, never before it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, timedelta

import pytest

from hub.io.home.clock import SystemClock
from hub.ports import Clock
from tests.fakes.clock import VirtualClock

MOMENT = timedelta(milliseconds=20)
Wait = Callable[[Awaitable[object]], Awaitable[None]]


async def really(work: Awaitable[object]) -> None:
    await asyncio.wait_for(work, 10)


@pytest.fixture(params=["system", "virtual"])
def clock(request: pytest.FixtureRequest) -> Clock:
    return SystemClock() if request.param == "system" else VirtualClock()


@pytest.fixture
def wait(clock: Clock) -> Wait:
    """Wait for something that needs the clock to go on."""

    async def virtually(work: Awaitable[object]) -> None:
        task = asyncio.ensure_future(work)
        assert isinstance(clock, VirtualClock)
        await clock.let_pass(10 * MOMENT)
        await really(task)

    return virtually if isinstance(clock, VirtualClock) else really


async def test_the_time_is_in_utc_and_does_not_go_back(clock: Clock) -> None:
    first, second = clock.now(), clock.now()
    assert first.tzinfo is UTC
    assert first <= second


async def test_a_moment_that_has_passed_is_not_waited_for(clock: Clock) -> None:
    await asyncio.wait_for(clock.sleep_until(clock.now() - timedelta(days=1)), 10)
    await asyncio.wait_for(clock.sleep_until(clock.now()), 10)


async def test_it_wakes_at_the_moment_and_not_before(clock: Clock, wait: Wait) -> None:
    moment = clock.now() + MOMENT
    seen = []

    async def sleep() -> None:
        await clock.sleep_until(moment)
        seen.append(clock.now())

    await wait(sleep())
    assert seen[0] >= moment - timedelta(milliseconds=2)  # the machine's timer is no better than that


async def test_sleepers_wake_in_the_order_of_their_moments(clock: Clock, wait: Wait) -> None:
    start, woken = clock.now(), []

    async def sleep(times: int) -> None:
        await clock.sleep_until(start + times * MOMENT)
        woken.append(times)

    await wait(asyncio.gather(*(sleep(times) for times in (3, 1, 2))))
    assert woken == [1, 2, 3]


async def test_a_zone_does_not_matter(clock: Clock, wait: Wait) -> None:
    local = (clock.now() + MOMENT).astimezone()
    await wait(clock.sleep_until(local))
    assert clock.now() >= local - timedelta(milliseconds=2)


async def test_one_that_gives_up_does_not_wake_the_others(clock: Clock, wait: Wait) -> None:
    start = clock.now()
    gone = asyncio.ensure_future(clock.sleep_until(start + MOMENT))
    stays = asyncio.ensure_future(clock.sleep_until(start + 2 * MOMENT))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    assert gone.cancelled()
    assert not stays.done() or clock.now() >= start + 2 * MOMENT  # a busy machine may have let the time pass by now
    await wait(stays)
