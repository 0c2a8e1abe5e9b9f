"""Whether a path leads elsewhere is looked at beside the loop, and what hangs costs a few threads only."""

import asyncio
import threading
from pathlib import Path

from hub.contract.permission import Act, Permission
from hub.io.agents.hooks.links import LOOKS_MAX, LinkLooker


def deletes(folder: Path) -> Permission:
    return Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="rm -rf build/x", folder=str(folder))


async def test_a_link_below_the_folder_leads_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    assert not await LinkLooker().leads_elsewhere(deletes(tmp_path))
    (tmp_path / "build" / "x").symlink_to("/etc")
    assert await LinkLooker().leads_elsewhere(deletes(tmp_path))


async def test_a_file_system_that_hangs_holds_nobody_up(tmp_path: Path) -> None:
    answers = threading.Event()
    looker = LinkLooker(lambda _: not answers.wait(20), within_s=0.05)
    looks = [asyncio.create_task(looker.leads_elsewhere(deletes(tmp_path))) for _ in range(LOOKS_MAX)]
    await asyncio.sleep(0)
    assert await looker.leads_elsewhere(deletes(tmp_path))  # at once: no more threads are spent on it
    assert await asyncio.gather(*looks) == [True] * LOOKS_MAX
    answers.set()
