"""The end of an agent's process, and what it leaves behind, with real processes."""

import asyncio
import os
import subprocess
from collections.abc import Iterator

import pytest

from hub.io.agents import agent_end
from hub.io.agents.agent_end import left_running, until_ended
from hub.io.agents.process_table import entry, has_proc, ticks_now
from tests.io.api.running import FixedClock

NOBODY = 2**22 + 1
"""Above the highest number that a process has."""
pytestmark = pytest.mark.skipif(not has_proc(), reason="processes are not shown as files here")


@pytest.fixture
def agent() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"], env={**os.environ, "AGENT_SESSION": "s1"}) as process:
        yield process
        process.kill()


async def ends(process: subprocess.Popen[bytes]) -> asyncio.Task[None]:
    found = entry(process.pid)
    assert found is not None
    waiting = asyncio.create_task(until_ended(process.pid, found.started, FixedClock()))
    await asyncio.sleep(0)
    assert not waiting.done()
    return waiting


async def test_it_returns_when_the_process_is_over(agent: subprocess.Popen[bytes]) -> None:
    waiting = await ends(agent)
    agent.kill()
    async with asyncio.timeout(5):
        await waiting


async def test_and_where_the_system_does_not_tell(
    agent: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = entry(agent.pid)
    assert found is not None
    monkeypatch.setattr(agent_end, "_handle", lambda _: None)
    agent.kill()
    agent.wait()
    async with asyncio.timeout(5):
        await until_ended(agent.pid, found.started, FixedClock())


async def test_one_that_is_gone_or_another_by_now_is_over(agent: subprocess.Popen[bytes]) -> None:
    async with asyncio.timeout(5):
        await until_ended(NOBODY, 1, FixedClock())
        await until_ended(agent.pid, 1, FixedClock())


def test_what_it_began_is_known_by_its_environment(agent: subprocess.Popen[bytes]) -> None:
    assert left_running("AGENT_SESSION=s1", 0) == (agent.pid,)
    assert left_running("AGENT_SESSION=s2", 0) == ()
    assert left_running("AGENT_SESSION=s1", ticks_now() + 1) == ()
