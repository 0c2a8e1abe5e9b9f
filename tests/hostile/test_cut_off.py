"""An agent that takes its own hooks out of its settings: the person is told once, and no program hides that."""

import json
import time
from pathlib import Path

import httpx
import pytest

from hub.loop.cut_off import CHANNEL
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
