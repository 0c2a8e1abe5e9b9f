"""What a set-up command has put in force at once waits for no restart; what somebody else writes there does."""

import time
from pathlib import Path

import pytest

from hub.app.surfaces import keep_set_up
from hub.cli.api import open_api
from hub.contract.access import OutsideRequest
from hub.contract.api import HealthAnswer, HealthPart
from hub.contract.attached import AttachRequest
from hub.io.home.folder import Home
from tests.bench.hub_process import free_port
from tests.cli.real_hub import running_hub

pytestmark = pytest.mark.slow
HEARD_S_MAX = 30


def settings(home: Path) -> HealthPart:
    return next(part for part in open_api(home).get("/health", HealthAnswer).parts if part.name == "settings")


def until_settled(home: Path, detail: str) -> None:
    until = time.monotonic() + HEARD_S_MAX
    while not (found := settings(home)).detail.endswith(detail):
        assert time.monotonic() < until, found
        time.sleep(0.1)


def test_the_address_and_codexs_server_hold_at_once_and_another_address_waits(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub:
        home, api, url = Home(hub.home), open_api(hub.home), f"https://127.0.0.1:{free_port()}"
        way = {"public_url": url, "own_certificate": True}
        api.call("POST", "/outside", OutsideRequest(public_url=url, own_certificate=True))
        keep_set_up(home.set_up, "api", way)
        until_settled(hub.home, "config.toml")
        keep_set_up(home.set_up, "api", {"public_url": url, "own_certificate": False, "port": hub.port})
        until_settled(hub.home, "restart Pulse to use api.")
        keep_set_up(home.set_up, "api", way | {"port": hub.port})
        until_settled(hub.home, "config.toml")
        keep_set_up(home.set_up, "codex", {"attach": True, "wait_s": 60})
        until_settled(hub.home, "restart Pulse to use codex.")
        api.call("POST", "/agents/attached", AttachRequest(agent="codex", attach=True))
        until_settled(hub.home, "config.toml")
