"""Tasks beside what starts them: each is kept while it works, who started it hears of a bug, and all end together."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any


async def end_all(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Cancel all, and return when they have ended; how they did is nobody's business any more."""
    ending = tuple(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)


class BackgroundTasks:
    """The tasks of one part; `broke` is told of a bug in any of them, and is to log it."""

    def __init__(self, broke: Callable[[BaseException], object]) -> None:
        self._broke = broke
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Begin one; nobody has to wait for its end."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    async def close(self) -> None:
        """Cancel all of them, and wait until they have ended."""
        await end_all(self._tasks)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._broke(error)
