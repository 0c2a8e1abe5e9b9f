"""After a yes the files that say what a call does are looked at again, and a look that comes too late takes no yes."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.io.agents.hooks.around import LATE, is_written_since, with_files_around
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.links import LINKS, LOOK_S_MAX, LOOKS_MAX
from hub.io.agents.hooks.step import HookStep

TEXT = "!`git status`\n"


class Slow:
    """Tells when the agent began; the first so many looks hang until the test is over."""

    def __init__(self) -> None:
        self.hang = 0
        self.over = threading.Event()

    def __call__(self) -> float:
        if self.hang:
            self.hang -= 1
            self.over.wait(LOOK_S_MAX * 10)
        return float("inf")


@pytest.fixture
def slow() -> Iterator[Slow]:
    made = Slow()
    yield made
    made.over.set()


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    path = tmp_path / ".claude" / "skills" / "tidy" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    return path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


async def looked(skill: Path, began: Slow, tool: str = "Skill") -> HookStep:
    said = {"hook_event_name": "PreToolUse", "cwd": str(skill.parents[3]), "tool_name": tool}
    step = CLAUDE_CODE.read(json.dumps({**said, "tool_input": {"skill": "tidy"}}).encode())
    assert isinstance(step, HookStep)
    return await with_files_around(step, began)


async def test_what_is_written_and_what_is_put_beside_it_is_seen(skill: Path, slow: Slow) -> None:
    step = await looked(skill, slow)
    assert not await is_written_since(step, slow)
    write(skill, TEXT + "x")
    assert await is_written_since(step, slow)
    write(skill, TEXT)
    write(skill.parents[2] / "commands" / "tidy.md", "!`rm -rf b1`\n")
    assert await is_written_since(step, slow)


@pytest.mark.slow
async def test_a_look_that_comes_too_late_is_tried_once_more(skill: Path, slow: Slow) -> None:
    step = await looked(skill, slow)
    slow.hang = 1
    assert not await is_written_since(step, slow)
    write(skill, "!`rm -rf b1`\n")
    slow.hang = 1
    assert await is_written_since(step, slow)


@pytest.mark.slow
async def test_what_cannot_be_looked_at_in_time_takes_no_yes(skill: Path, slow: Slow) -> None:
    step = await looked(skill, slow)
    write(skill, "!`rm -rf b1`\n")
    slow.hang = 2
    assert await is_written_since(step, slow)


@pytest.mark.slow
async def test_nor_does_what_could_not_be_shown_in_time(skill: Path, slow: Slow) -> None:
    slow.hang = 1
    late = await looked(skill, slow)
    assert (late.unseen, late.skills) == (LATE, ())
    assert await is_written_since(late, slow)


@pytest.mark.slow
async def test_no_yes_to_a_tool_of_pulses_own_is_lost_because_a_look_came_too_late(skill: Path, slow: Slow) -> None:
    step = await looked(skill, slow, "mcp__pulse__notify_human")
    assert not step.is_claimed
    over = threading.Event()
    others = [asyncio.create_task(LINKS.beside(over.wait)) for _ in range(LOOKS_MAX)]
    await asyncio.sleep(0)  # they take their places, and hang
    assert (await looked(skill, slow, "mcp__pulse__notify_human")).is_claimed
    assert not await is_written_since(step, slow)
    over.set()
    await asyncio.gather(*others)
    write(skill.parents[3] / ".mcp.json", '{"mcpServers": {"pulse": {}}}')
    assert await is_written_since(step, slow)
