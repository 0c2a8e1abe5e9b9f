"""A shell script that nobody knows names its process, is killed, and its session fails and asks: by `echo` alone."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from hub.io.agents.process_table import PROC
from tests.cli.real_hub import ENDED_WELL, RealHub, environment_of, make_repository
from tests.local_token import token_for

WAIT_S = 240.0
LOOK_S = 0.5
SCRIPT = """
log={log}
echo "[agent:start][abc123] Book a flight | need: confirmation number" >> "$log"
echo "[event:system][abc123] process $$ since $(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)" >> "$log"
echo "[agent:active][abc123] searching" >> "$log"
exec sleep 600
"""


async def status(hub: RealHub) -> dict[str, Any]:
    token = await asyncio.to_thread(token_for, hub.home)
    address = json.loads(hub.said)["api"]
    async with httpx.AsyncClient(base_url=address, headers={"Authorization": f"Bearer {token}"}) as client:
        answer = await client.get("/api/v1/crosspoll/status")
    answer.raise_for_status()
    world: dict[str, Any] = answer.json()["world"]
    return world


async def until(hub: RealHub, group: str) -> dict[str, Any]:
    """Wait until one session is in a group; return the status."""
    async with asyncio.timeout(WAIT_S):
        while (world := await status(hub))[group] != 1:  # noqa: ASYNC110  another process, which is asked
            await asyncio.sleep(LOOK_S)
    return world


@pytest.mark.slow
@pytest.mark.skipif(not PROC.exists(), reason="processes are found through /proc")
async def test_a_script_that_is_killed_is_found_and_asked_about(tmp_path: Path) -> None:
    hub = RealHub(tmp_path / "home", tmp_path / "repository", environment_of(tmp_path))
    make_repository(hub.repository)
    await asyncio.to_thread(hub.start)
    log = hub.home / "world.log"
    script = await asyncio.create_subprocess_exec("sh", "-c", SCRIPT.format(log=log))
    try:
        await until(hub, "active")
        script.kill()
        await script.wait()
        world = await until(hub, "failed")
        assert world["asks"] == "abc123"
        assert [one["kind"] for one in world["alerts"]] == ["abandoned"]
        said = "[agent:failed][abc123] The process ended without reporting on the work. | need:"
        async with asyncio.timeout(WAIT_S):
            while said not in log.read_text():  # noqa: ASYNC110  written by another process, after it has said it
                await asyncio.sleep(LOOK_S)
    finally:
        if script.returncode is None:
            script.kill()
            await script.wait()
        assert await asyncio.to_thread(hub.stop) == ENDED_WELL
