"""An agent that takes its own hooks out of its settings: the person is told once, and no program hides that."""

import json
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from hub.io.agents.hooks.unasked import SETTLED_S
from hub.loop.notices import CHANNEL
from tests.cli.real_hub import ENDED_WELL, RealHub, running_hub
from tests.local_token import token_for
from tests.terminals import PULSE, terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
]

SEEN_S_MAX = 20.0
QUIET_S = 4.0
"""Longer than a look and the second one take."""


def notices(hub: RealHub) -> list[dict[str, str]]:
    """Return the open cards that tell of a cut-off agent."""
    cards = json.loads(hub.pulse("cards", "--json").stdout)["predictions"]
    return [one for one in cards if one["targetChannel"] == CHANNEL and one["status"] == "pending"]


def until(hub: RealHub, count: int, text: str = "") -> list[dict[str, str]]:
    """Wait until so many notices are there, each with this text."""
    end = time.monotonic() + SEEN_S_MAX
    while len(found := notices(hub)) != count or any(text not in one["prompt"] for one in found):
        assert time.monotonic() < end, found
        time.sleep(0.2)
    return found


def test_hooks_that_go_are_told_of_once_and_that_they_are_back_hides_it_not(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        token, api = token_for(hub.home), json.loads(hub.said)["api"]
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        settings = Path(hub.environment["HOME"]) / ".claude" / "settings.json"
        ours = settings.read_text()
        time.sleep(QUIET_S)
        assert notices(hub) == []

        settings.write_text('{"model": "opus"}')
        (card,) = until(hub, 1)
        assert f"Nothing in {settings} starts Pulse anymore" in card["prompt"]
        assert "pulse connect claude-code" in card["prompt"]
        with httpx.Client(base_url=api, headers={"Authorization": f"Bearer {token}"}, trust_env=False) as http:
            for verb in ("reject", "confirm", "snooze"):
                assert http.post(f"/api/v1/predictions/{card['id']}/{verb}").status_code == 403, verb
        assert hub.pulse("reject", card["id"]).returncode != ENDED_WELL
        settings.write_text('{"model": "sonnet"}')
        time.sleep(QUIET_S)
        assert [one["id"] for one in notices(hub)] == [card["id"]]

        settings.write_text(ours)
        until(hub, 1, "asks again since")

        settings.write_text(json.dumps({**json.loads(ours), "disableAllHooks": True}))
        (again,) = until(hub, 1, "no longer asks")
        assert f"switched off in {settings}" in again["prompt"]
        assert hub.stop() == ENDED_WELL
        hub.start()
        time.sleep(QUIET_S)
        assert [one["id"] for one in notices(hub)] == [again["id"]]


def test_whom_the_person_disconnects_is_told_of_no_more(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        settings = Path(hub.environment["HOME"]) / ".claude" / "settings.json"
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        time.sleep(QUIET_S)
        assert mine.run(f"{PULSE} connect claude-code --remove --yes")[1] == 0
        time.sleep(QUIET_S)
        assert notices(hub) == []

        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        time.sleep(QUIET_S)
        settings.unlink()
        until(hub, 1)
        assert mine.run(f"{PULSE} connect claude-code --remove --yes")[1] == 0  # nothing to remove: it is meant so
        until(hub, 0)

        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        time.sleep(QUIET_S)
        assert mine.run(f"{PULSE} connect claude-code --project --remove --yes")[1] == 0  # the user's hooks stay
        settings.unlink()
        until(hub, 1)
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        until(hub, 1, "asks again since")
        assert hub.stop() == ENDED_WELL
        assert mine.run(f"{PULSE} connect claude-code --remove --yes")[1] == 0
        hub.start()
        time.sleep(QUIET_S)
        assert notices(hub) == []


def work(hub: RealHub, session: str) -> None:
    """Do as Claude Code does that uses a tool: write it into the transcript of a session that begins now."""
    file = Path(hub.environment["HOME"]) / ".claude" / "projects" / "-shop" / f"{session}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    used = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}]}
    said = {"type": "assistant", "isSidechain": False, "timestamp": datetime.now(UTC).isoformat(), "cwd": "/shop"}
    file.write_text(json.dumps({**said, "sessionId": session, "message": used}) + "\n")


def test_an_agent_that_works_though_its_hooks_are_silent_is_told_of(tmp_path: Path) -> None:
    asking, silent = str(uuid4()), str(uuid4())
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        settings = Path(hub.environment["HOME"]) / ".claude" / "settings.json"
        time.sleep(SETTLED_S + 2.0)
        begun = {"hook_event_name": "SessionStart", "session_id": asking, "cwd": "/shop", "source": "startup"}
        program = hub.home / "hooks" / "pulse-claude-code"
        subprocess.run([program, "--within=8"], input=json.dumps(begun).encode(), env=hub.environment, check=True)
        work(hub, asking)
        time.sleep(SETTLED_S + 2.0)
        settings.write_text(settings.read_text())  # a look comes by itself each minute; this has it come now
        time.sleep(QUIET_S)
        assert notices(hub) == []

        work(hub, silent)
        time.sleep(SETTLED_S + 2.0)
        settings.write_text(settings.read_text())
        (card,) = until(hub, 1)
        assert "works in /shop without asking Pulse" in card["prompt"]
        assert "pulse connect claude-code" in card["prompt"]
        settings.write_text(settings.read_text())
        time.sleep(QUIET_S)
        assert [one["id"] for one in notices(hub)] == [card["id"]]
