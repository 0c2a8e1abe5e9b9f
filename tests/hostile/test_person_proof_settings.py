"""Once an agent is connected, what it writes where Pulse's set-ups write loosens nothing at the person's next start."""

import time
from pathlib import Path

import msgspec
import pytest

from hub.cli.api import open_api
from hub.contract.api import HealthAnswer
from hub.io.home.folder import Home
from tests.cli.real_hub import ENDED_WELL, running_hub

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
]
HEARD_S_MAX = 30
LOOSER = {"ntfy": {"server": "https://ntfy.example", "approves": True}, "autonomous": {"enabled": True}}


def settings_detail(home: Path) -> str:
    return next(part.detail for part in open_api(home).get("/health", HealthAnswer).parts if part.name == "settings")


def test_what_no_set_up_writes_is_named_at_once_and_believed_by_no_start(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub:
        hub.sit_down()
        assert hub.pulse("connect", "claude-code", "--yes").returncode == 0
        Home(hub.home).set_up.write_bytes(msgspec.json.encode(LOOSER))
        until = time.monotonic() + HEARD_S_MAX
        while "has mistakes" not in settings_detail(hub.home):
            assert time.monotonic() < until, "nobody noticed"
            time.sleep(0.1)
        hub.get_up()
        assert hub.stop() == ENDED_WELL
        again = hub.pulse("up", "--json", "--port", "0", "--workspace", str(hub.repository))
        assert again.returncode != ENDED_WELL
        for place in ("autonomous.enabled", "ntfy.approves"):
            assert f"`{place}` is set up by no command" in again.stdout + again.stderr
