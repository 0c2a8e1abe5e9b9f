"""Messages under way are bounded in number and in time."""

import asyncio

from hub.kit.mqtt.window import Window

LONG_S = 60.0
SHORT_S = 0.01


async def test_an_acknowledgement_frees_the_place() -> None:
    window = Window(1)
    assert await window.enter(LONG_S)
    outcome = window.sent(1, LONG_S)
    assert window.full
    window.acknowledged(2)
    assert not outcome.done()
    window.acknowledged(1)
    assert await outcome
    assert not window.full
    window.close()


async def test_who_finds_no_place_in_time_is_told() -> None:
    window = Window(1)
    assert await window.enter(LONG_S)
    assert not await window.enter(SHORT_S)
    window.leave()
    assert await window.enter(SHORT_S)


async def test_who_waits_for_a_place_gets_the_next_one() -> None:
    window = Window(1)
    assert await window.enter(LONG_S)
    waiting = asyncio.ensure_future(window.enter(LONG_S))
    await asyncio.sleep(0)
    window.leave()
    assert await waiting
    assert window.full


async def test_a_message_that_is_not_acknowledged_in_time_keeps_its_place() -> None:
    window = Window(2)
    outcomes = []
    for mid in (1, 2):
        assert await window.enter(LONG_S)
        outcomes.append(window.sent(mid, SHORT_S))
        await asyncio.sleep(0)
    assert await asyncio.gather(*outcomes) == [False, False]
    assert window.full
    window.acknowledged(2)
    assert not window.full
    window.close()


async def test_the_end_of_the_connection_ends_all_waiting() -> None:
    window = Window(2)
    assert await window.enter(LONG_S)
    outcome = window.sent(1, LONG_S)
    window.close()
    assert not await outcome
    assert not window.full
