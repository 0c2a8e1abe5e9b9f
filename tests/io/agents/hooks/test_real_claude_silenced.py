"""The real Claude Code, where something would switch its hooks off: git in the middle of a session, or its own options.

It asks nobody by itself here, so that what Pulse does not hold runs.
"""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.app.agent_watch import EVERY_S
from hub.io.agents.hooks.unasked import SETTLED_S
from hub.loop.notices import CHANNEL
from tests.cli.real_hub import running_hub
from tests.io.agents.hooks.real_claude import S_MAX, Desk, claude_program
from tests.io.agents.hooks.stub_model import ModelTool, stub_model

pytestmark = pytest.mark.slow
FREELY = ("--permission-mode", "bypassPermissions")
SETTINGS = ".claude/settings.json"
OFF = '{"disableAllHooks": true}'


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    program = claude_program()
    with running_hub(tmp_path) as hub, stub_model() as model:
        made = Desk(hub, model, program)
        made.environment["IS_SANDBOX"] = "1"  # without it Claude takes no such mode from root
        hub.sit_down()
        assert hub.pulse("connect", "claude-code", "--yes").returncode == 0
        made.build()
        yield made
        made.close()


def git(desk: Desk, *words: str) -> str:
    known = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    return subprocess.run(("git", *known, *words), cwd=desk.project, check=True, capture_output=True, text=True).stdout


def commit_off(desk: Desk) -> None:
    """Commit settings that switch hooks off on a branch of their own, and go back."""
    git(desk, "checkout", "-q", "-b", "evil")
    (desk.project / SETTINGS).parent.mkdir()
    (desk.project / SETTINGS).write_text(OFF)
    git(desk, "add", "-f", SETTINGS)
    git(desk, "commit", "-q", "-m", "off")
    git(desk, "checkout", "-q", "-")


def bash(command: str) -> ModelTool:
    return "Bash", {"command": command, "description": "What the test wants"}


def test_a_branch_that_switches_hooks_off_waits_for_a_person(desk: Desk) -> None:
    commit_off(desk)
    desk.model.tools = [bash(one) for one in ("git checkout evil", "sleep 3", "rm -rf build")]
    with desk.unattended(*FREELY):
        card = desk.told("new")
        assert card["permission"]["text"] == "git checkout evil"
        assert [one["name"] for one in card["permission"]["unknownFields"]] == [SETTINGS]
        assert desk.hub.pulse("reject", card["id"]).returncode == 0
        assert desk.told("new")["permission"]["text"] == "rm -rf build"
    assert not (desk.project / SETTINGS).exists()
    assert (desk.project / "build").exists()


def test_where_a_pull_brought_it_claude_is_stopped_before_its_next_tool(desk: Desk) -> None:
    commit_off(desk)
    there = desk.project.with_name("there.git")
    git(desk, "clone", "-q", "--bare", ".", str(there))
    git(desk, "remote", "add", "origin", str(there))
    git(desk, "fetch", "-q", "origin")
    branch = git(desk, "branch", "--show-current").strip()
    git(desk, "branch", "-q", f"--set-upstream-to=origin/{branch}")
    git(desk, "branch", "-q", "-D", "evil")
    git(desk, "-C", str(there), "update-ref", f"refs/heads/{branch}", "refs/heads/evil")
    desk.model.tools = [bash("git pull"), bash("rm -rf build")]
    with desk.unattended(*FREELY) as claude:
        claude.communicate(timeout=S_MAX)
    assert (desk.project / SETTINGS).read_text() == OFF
    assert (desk.project / "build").exists()
    assert len(desk.model.tools) == 1


def test_a_session_without_hooks_is_told_of_within_a_minute(desk: Desk) -> None:
    time.sleep(SETTLED_S + 1.0)  # before that it may not have read its settings
    desk.model.tools = [bash("rm -rf build"), bash("sleep 1")]
    with desk.unattended(*FREELY, "--settings", OFF) as claude:
        assert claude.wait(S_MAX) == 0
    assert not (desk.project / "build").exists()
    ran_s = time.monotonic()
    while not (cards := _cut_off(desk)):
        assert time.monotonic() - ran_s < EVERY_S + 2 * SETTLED_S
        time.sleep(0.5)
    assert f"A session of it works in {desk.project} without asking Pulse" in cards[0]["prompt"]


def _cut_off(desk: Desk) -> list[dict[str, str]]:
    cards = json.loads(desk.hub.pulse("cards", "--json").stdout)["predictions"]
    return [one for one in cards if one["targetChannel"] == CHANNEL]
