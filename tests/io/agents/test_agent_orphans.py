"""A hub that was killed must not leave its agents running beside their second attempt."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from hub.io.agents.environment import marked
from hub.io.agents.orphans import end_orphans, orphans
from hub.io.agents.process_table import PROC
from hub.io.agents.session import session_folder
from tests.io.agents.agent_work import is_there

pytestmark = pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")
DEAF = "import signal as s, time; s.signal(s.SIGTERM, s.SIG_IGN); print('up', flush=True); time.sleep(60)"


async def started(home: Path, code: str) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        code,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **marked(home)},
        start_new_session=True,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"up\n"
    return process


@pytest.mark.slow
async def test_what_was_left_behind_is_ended_even_if_it_does_not_listen(tmp_path: Path) -> None:
    deaf = await started(tmp_path, DEAF)
    session = session_folder(tmp_path)
    other = session_folder(tmp_path / "other")
    assert session
    assert other
    assert orphans(tmp_path) == (deaf.pid,)
    assert await end_orphans(tmp_path) == 1
    assert await deaf.wait() != 0
    assert not is_there(session.name)
    assert is_there(other.name)
    session.cleanup()
    other.cleanup()


async def test_another_home_is_left_alone(tmp_path: Path) -> None:
    other = await started(tmp_path / "other", DEAF)
    assert await end_orphans(tmp_path) == 0
    assert other.returncode is None
    other.kill()
    await other.wait()


async def test_with_nothing_left_behind_nothing_happens(tmp_path: Path) -> None:
    assert await end_orphans(tmp_path) == 0
