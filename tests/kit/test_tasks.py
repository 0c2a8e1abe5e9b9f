"""Ending tasks: all of them, whatever they do about it."""

import asyncio
import contextlib

from hub.kit.tasks import BackgroundTasks, end_all


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


async def test_a_bug_is_told_and_the_others_work_on() -> None:
    told: list[BaseException] = []
    heard, worked, go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()

    def broke(error: BaseException) -> None:
        told.append(error)
        heard.set()

    async def break_down() -> None:
        raise ValueError("upside down")

    async def work() -> None:
        await go_on.wait()
        worked.set()

    tasks = BackgroundTasks(broke)
    tasks.spawn(work())
    tasks.spawn(break_down())
    await heard.wait()
    go_on.set()
    await worked.wait()
    await tasks.close()
    assert [str(error) for error in told] == ["upside down"]


async def test_all_have_ended_once_it_is_closed_and_that_is_no_bug() -> None:
    told: list[BaseException] = []
    begun, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            ended.set()

    tasks = BackgroundTasks(told.append)
    tasks.spawn(work())
    await begun.wait()
    await tasks.close()
    assert (ended.is_set(), told) == (True, [])
