"""What all gateways carry by: one live message in each lane, and waits that are spread, bounded and end in time."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.kit.gateway.lanes import ASKED_S_MAX, RETRY, TRIES_MAX, Lane, Lanes, next_try_s

WAIT_S_MAX = 30


class Work:
    """The work of one message: it goes on until it is let go or overtaken."""

    def __init__(self) -> None:
        self.began, self.go = asyncio.Event(), asyncio.Event()

    async def __call__(self, lane: Lane) -> None:
        self.began.set()
        await self.go.wait()
        while not lane.overtaken.is_set():
            await lane.pause(WAIT_S_MAX)


async def test_a_later_message_waits_for_the_attempt_before_it_and_ends_its_further_ones() -> None:
    lanes, first, second = Lanes(), Work(), Work()
    assert lanes.enter("one", "card", first)
    await first.began.wait()
    assert lanes.enter("two", "card", second)
    await asyncio.sleep(0)
    assert not second.began.is_set()
    first.go.set()
    async with asyncio.timeout(WAIT_S_MAX / 2):
        await second.began.wait()
    assert ("one" in lanes, "two" in lanes, len(lanes)) == (False, True, 1)
    await lanes.close()
    assert len(lanes) == 0


async def test_messages_about_different_things_do_not_wait_for_each_other() -> None:
    lanes, first, second = Lanes(), Work(), Work()
    assert lanes.enter("one", ("phone", "card"), first)
    assert lanes.enter("two", ("watch", "card"), second)
    await asyncio.gather(first.began.wait(), second.began.wait())
    await lanes.close()


async def test_a_message_that_comes_again_is_one_message_and_a_full_house_says_so() -> None:
    lanes, first, never = Lanes(waiting_max=1), Work(), Work()
    assert lanes.enter("one", "card", first)
    assert lanes.enter("one", "card", never)
    assert not lanes.enter("two", "card", never)
    await first.began.wait()
    assert not never.began.is_set()
    await lanes.close()


async def test_a_bug_ends_its_message_is_told_and_frees_the_lane() -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context["exception"]))

    async def broken(_lane: Lane) -> None:
        raise RuntimeError("a bug")

    lanes, after = Lanes(), Work()
    assert lanes.enter("one", "card", broken)
    assert lanes.enter("two", "card", after)
    await after.began.wait()
    assert [str(one) for one in told] == ["a bug"]
    await lanes.close()


@pytest.mark.slow
@given(tried=st.integers(0, 1_000), asked=st.floats(0, 1e5), left=st.floats(-10, 1e6), drawn=st.floats(0, 0.999))
def test_waits_are_bounded_and_end_with_the_card(tried: int, asked: float, left: float, drawn: float) -> None:
    wait_s, least_s = next_try_s(tried, asked, left, lambda: drawn), min(asked, ASKED_S_MAX)
    if wait_s is None:
        assert tried >= TRIES_MAX or least_s + RETRY.cap_s >= left
    else:
        assert least_s <= wait_s < min(left, least_s + RETRY.cap_s)


def test_waits_grow_and_are_spread() -> None:
    assert [next_try_s(tried, 0, 1e6, lambda: 0.5) for tried in (0, 1, 2, 3, 30)] == [0.25, 0.5, 1.0, 2.0, 150.0]
    assert next_try_s(0, 30, 1e6, lambda: 0.0) == pytest.approx(30)
    assert next_try_s(0, 30, 29, lambda: 0.0) is None
