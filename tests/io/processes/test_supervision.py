"""What keeps a process alive beside the hub: how long it waits after which ends, and how its words are read."""

import asyncio
from collections.abc import Iterable

import pytest

from hub.io.processes.supervision import LINE_CHARS_MAX, Restarts, keep_alive, lines_of
from hub.kit.backoff import RetryPolicy

PROMPT = RetryPolicy(base_s=0.001, cap_s=0.008, spread=0.0)


async def waits_after(lives: Iterable[bool], restarts: Restarts) -> list[float]:
    """Return what is waited after each of some short lives, of which each came up or did not."""
    waits: list[float] = []
    left = iter(lives)

    async def live() -> bool:
        came_up = next(left, None)
        if came_up is None:
            raise asyncio.CancelledError
        return came_up

    with pytest.raises(asyncio.CancelledError):
        await keep_alive(live, restarts, waits.append)
    return waits


async def test_each_early_end_in_a_row_waits_longer() -> None:
    waits = await waits_after([True] * 5, Restarts(policy=PROMPT, stable_after_s=60))
    assert waits == [0.001, 0.002, 0.004, 0.008, 0.008]


async def test_who_lived_long_is_started_promptly() -> None:
    assert await waits_after([True] * 3, Restarts(policy=PROMPT, stable_after_s=-1)) == [0.001] * 3


async def test_a_long_try_to_come_up_is_no_long_life() -> None:
    assert await waits_after([False] * 3, Restarts(policy=PROMPT, stable_after_s=-1)) == [0.001, 0.002, 0.004]


async def test_who_came_up_waits_less_than_who_cannot() -> None:
    restarts = Restarts(policy=PROMPT, stable_after_s=60, if_up_max=1)
    assert await waits_after([False, False, False, True], restarts) == [0.001, 0.002, 0.004, 0.002]


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ([b"one\ntwo\n"], ["one", "two"]),
        ([b"on", b"e\ntw", b"o"], ["one", "two"]),
        ([b"\xff\xfe bad\n"], ["\ufffd\ufffd bad"]),
        ([b"x" * 5_000, b"y" * 70_000, b"\nnext\n"], ["x" * LINE_CHARS_MAX, "next"]),
        ([], []),
    ],
)
async def test_lines_are_heard_however_they_come(said: list[bytes], heard: list[str]) -> None:
    stream = asyncio.StreamReader()
    for chunk in said:
        stream.feed_data(chunk)
    stream.feed_eof()
    assert [line async for line in lines_of(stream)] == heard


async def test_who_says_nothing_has_no_lines() -> None:
    assert [line async for line in lines_of(None)] == []
