"""The watcher of sessions' processes: its order, its ends that are seen at once, and what it does about trouble."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.world import AgentLine, SessionProcess, WorldEvent
from hub.domain.world_findings import ProcessLook
from hub.domain.world_lines import process_words
from hub.io.agents.process_table import PROC, entry
from hub.io.agents.session_processes import is_there
from hub.loop.commands import EndStrays, LookAtProcesses
from hub.loop.events import Event, ProcessesSeen, WorldRead
from hub.runner import ProcessWatcher
from tests.runner.running_hub import House, living

WAIT_S = 40.0
ONE = SessionProcess(pid=4242, started=1)


class Post:
    """Takes what the watcher posts."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue()

    def __call__(self, event: Event) -> None:
        self.events.put_nowait(event)

    async def look(self) -> ProcessLook:
        async with asyncio.timeout(WAIT_S):
            event = await self.events.get()
        assert isinstance(event, ProcessesSeen)
        return event.look


async def nothing() -> None:
    """There is no log to read."""


async def no_strays(_run: str) -> int:
    return 0


@asynccontextmanager
async def a_sleeper() -> AsyncIterator[tuple[asyncio.subprocess.Process, SessionProcess]]:
    process = await asyncio.create_subprocess_exec("sleep", "600")
    found = entry(process.pid)
    assert found is not None
    try:
        yield process, SessionProcess(pid=process.pid, started=found.started)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def really(named: Sequence[SessionProcess]) -> ProcessLook:
    return ProcessLook(gone=tuple(one for one in named if not is_there(one)))


async def test_the_processes_are_looked_at_before_the_log_is_read_and_both_before_the_loop_hears() -> None:
    order: list[str] = []
    post = Post()

    def look(named: Sequence[SessionProcess]) -> ProcessLook:
        order.append("looked")
        return ProcessLook(gone=tuple(named))

    async def read_on() -> None:
        assert post.events.empty()
        order.append("read")

    watcher = ProcessWatcher(look, no_strays, read_on)
    watcher.do(LookAtProcesses(named=(ONE,)), post)
    assert await post.look() == ProcessLook(gone=(ONE,))
    assert order == ["looked", "read"]
    await watcher.close()


@pytest.mark.skipif(not hasattr(os, "pidfd_open") or not PROC.exists(), reason="needs handles of processes")
async def test_where_a_named_process_ends_it_is_looked_for_at_once() -> None:
    post, watcher = Post(), ProcessWatcher(really, no_strays, nothing)
    async with a_sleeper() as (process, named):
        watcher.do(LookAtProcesses(named=(named,)), post)
        assert await post.look() == ProcessLook()
        assert watcher.health().detail == "1 processes watched"
        process.send_signal(signal.SIGKILL)
        assert await post.look() == ProcessLook(gone=(named,))
        assert watcher.health().detail == "0 processes watched"
    await watcher.close()


@pytest.mark.parametrize("error", [OSError("no /proc"), TimeoutError()])
async def test_a_look_that_fails_misses_nobody_and_is_told(error: OSError | TimeoutError) -> None:
    def broken(_named: Sequence[SessionProcess]) -> ProcessLook:
        raise error

    async def unread() -> None:
        raise error

    everybody: Callable[[Sequence[SessionProcess]], ProcessLook] = lambda named: ProcessLook(gone=tuple(named))  # noqa: E731  typed
    for look, read_on in ((broken, nothing), (everybody, unread)):
        post, watcher = Post(), ProcessWatcher(look, no_strays, read_on)
        watcher.do(LookAtProcesses(named=(ONE,)), post)
        assert await post.look() == ProcessLook()
        assert watcher.health().status == "degraded"
        await watcher.close()


async def test_what_a_run_left_behind_is_ended_by_its_run() -> None:
    ended: asyncio.Queue[str] = asyncio.Queue()

    async def end(run: str) -> int:
        ended.put_nowait(run)
        return 1

    watcher = ProcessWatcher(really, end, nothing)
    watcher.do(EndStrays(run="exec_1_1"), Post())
    async with asyncio.timeout(WAIT_S):
        assert await ended.get() == "exec_1_1"
    await watcher.close()


@pytest.mark.skipif(not PROC.exists(), reason="needs /proc")
async def test_a_hub_finds_that_the_process_of_a_session_was_killed() -> None:
    house = House()
    house.processes = ProcessWatcher(really, no_strays, nothing)
    async with a_sleeper() as (process, named), living(house):
        now = house.clock.now()
        lines = (
            AgentLine(at=now, status=AgentStatus.START, session="abc", text=LogText("Book a flight")),
            WorldEvent(at=now, source="system", identifier=LogText("abc"), text=process_words(named)),
        )
        house.hub.post(WorldRead(lines=lines, cursor=b""))
        process.kill()
        await process.wait()
        async with asyncio.timeout(WAIT_S):
            while house.hub.state().world.sessions.get("abc") is None:
                await house.settle()
            while house.hub.state().world.sessions["abc"].status is not AgentStatus.FAILED:
                await house.clock.let_pass(timedelta(seconds=31))
                await house.settle()
    await house.processes.close()
