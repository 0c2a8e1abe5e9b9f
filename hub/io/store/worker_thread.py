"""A thread with an inbox: asyncio asks, the thread answers in order, and sleeps when nothing is asked.

The inbox is bounded by letting in only so many askers; whoever comes later waits outside. What was let in is
finished even when its asker has gone, and before the thread ends.
"""

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from hub.io.store.errors import StoreClosedError

W = TypeVar("W")
R = TypeVar("R")


class QueuedWork(Generic[W, R]):
    """One piece of work and where its answer goes."""

    __slots__ = ("future", "work")

    def __init__(self, work: W, future: asyncio.Future[R]) -> None:
        self.work = work
        self.future = future


class WorkerThread(ABC, Generic[W, R]):
    """Answers work of type W with R, or with an exception; belongs to the event loop that made it."""

    def __init__(self, name: str, *, waiting_max: int, group_max: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._inbox: SimpleQueue[QueuedWork[W, R] | None] = SimpleQueue()
        self._room = asyncio.Semaphore(waiting_max)
        self._group_max = group_max
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._ended = asyncio.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def _open(self) -> None:
        """Get ready, in the thread; an exception is handed to `start`."""

    @abstractmethod
    def _answer(self, works: Sequence[W]) -> Sequence[R | BaseException]:
        """Do some work, in the thread; one answer each, in order. Never raises."""

    @abstractmethod
    def _close(self) -> None:
        """Let go of everything, in the thread."""

    async def start(self) -> None:
        """Start the thread and wait until it is ready."""
        self._thread.start()
        try:
            await asyncio.shield(self._opened)
        except asyncio.CancelledError:
            self._inbox.put(None)
            raise

    async def ask(self, work: W) -> R:
        """Queue work, waiting for room first, and return its answer.

        Raises:
            StoreClosedError: the thread has ended.
        """
        await self._room.acquire()
        if self._closing:
            self._room.release()
            raise StoreClosedError
        asked: QueuedWork[W, R] = QueuedWork(work, self._loop.create_future())
        self._inbox.put(asked)
        return await asked.future

    async def close(self) -> None:
        """Finish what was let in, then end the thread. Closing twice is fine."""
        if not self._closing:
            self._closing = True
            self._inbox.put(None)
        await self._ended.wait()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._open()
        except Exception as error:  # noqa: BLE001  handed to whoever started the thread
            self._tell(self._fail_to_open, error)
            return
        self._tell(self._opened.set_result, None)
        while group := self._next_group():
            answers = self._answer([asked.work for asked in group])
            self._tell(self._hand_back, list(zip(group, answers, strict=True)))
        self._close()
        self._tell(self._ended.set)

    def _next_group(self) -> list[QueuedWork[W, R]]:
        """Wait for work; return all that waits by then. Empty at the end."""
        asked = self._inbox.get()
        group: list[QueuedWork[W, R]] = []
        while asked is not None:
            group.append(asked)
            if len(group) == self._group_max:
                return group
            try:
                asked = self._inbox.get_nowait()
            except Empty:
                return group
        if group:
            self._inbox.put(None)  # the end was seen early; see it again after this group
        return group

    def _fail_to_open(self, error: Exception) -> None:
        self._closing = True
        self._ended.set()
        self._opened.set_exception(error)

    def _hand_back(self, answered: list[tuple[QueuedWork[W, R], R | BaseException]]) -> None:
        for asked, answer in answered:
            self._room.release()
            if asked.future.done():
                continue
            if isinstance(answer, BaseException):
                asked.future.set_exception(answer)
            else:
                asked.future.set_result(answer)

    def _tell(self, function: Callable[..., object], *arguments: object) -> None:
        with suppress(RuntimeError):  # the event loop is gone: nobody is left to tell
            self._loop.call_soon_threadsafe(function, *arguments)
