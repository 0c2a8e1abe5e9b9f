"""Ending tasks: all of them, whatever they do about it."""

import asyncio
import contextlib

from hub.kit.tasks import end_all


async def test_all_have_ended_however_they_take_it() -> None:
    left: list[str] = []
    begun = [asyncio.Event() for _ in range(3)]

    async def plain() -> None:
        begun[0].set()
        await asyncio.Event().wait()

    async def angry() -> None:
        begun[1].set()
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("on the way out")

    async def slow() -> None:
        begun[2].set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        left.append("slow")

    tasks = {asyncio.create_task(one()) for one in (plain, angry, slow)}
    for task in tasks:
        task.add_done_callback(tasks.discard)
    for each in begun:
        await each.wait()
    await end_all(tasks)
    assert (left, tasks) == (["slow"], set())


async def test_nothing_to_end_is_no_trouble() -> None:
    await end_all(())
