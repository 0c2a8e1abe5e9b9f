"""What the hub hands to its children: every program of the same user reads environments and command lines."""

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from hub.cli.api import open_api
from hub.contract.access import AddressRequest, DeviceRequest
from hub.contract.address import WebPushAddress
from hub.io.api.clients import TOKEN_PREFIX
from hub.kit.hub_api import HubAddress, NotRunningError, ask_hub
from hub.kit.process import TOLD_BYTES_MAX, read_handed_over, take_told
from tests.cli.real_hub import RealHub, environment_of, make_repository
from tests.local_token import token_for

DISCORD_TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GSecre.a-token-of-the-tests-alone"
CONFIG = """
[discord]
guild_id = "123456789012345678"
owner = "ann"
voters = [{ name = "ann", id = "234567890123456789" }]
[quiet]
start_hour = 0
end_hour = 0
"""
NO_NETWORK = """
import socket
_asked = socket.getaddrinfo
def getaddrinfo(host, *rest, **named):
    if host not in ("127.0.0.1", "localhost"):
        raise socket.gaierror("the tests reach nothing outside")
    return _asked(host, *rest, **named)
socket.getaddrinfo = getaddrinfo
"""
"""Loaded by every Python of this hub: its Discord is never the real one."""
ENDPOINT = "https://push.invalid/1"
"""No push service that is known: the gateway sends nothing there."""
START_S_MAX, STEP_S = 60.0, 0.05


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[RealHub]:
    home, repository, shadow = tmp_path / "home", tmp_path / "repository", tmp_path / "shadow"
    for folder in (home, shadow):
        folder.mkdir(mode=0o700)
    (home / "config.toml").write_text(CONFIG)
    (shadow / "sitecustomize.py").write_text(NO_NETWORK)
    make_repository(repository)
    told = {"PULSE_DISCORD_TOKEN": DISCORD_TOKEN, "PYTHONPATH": str(shadow)}
    running = RealHub(home, repository, {**environment_of(tmp_path), **told})
    running.start()
    yield running
    running.stop()


def until_running(hub: RealHub, surfaces: set[str]) -> None:
    until = time.monotonic() + START_S_MAX
    while time.monotonic() < until:
        parts = json.loads(open_api(hub.home).call("GET", "/health"))["parts"]
        alive = {part["name"] for part in parts if part["detail"] == "running" or "Discord ended" in part["detail"]}
        if surfaces <= alive:
            return
        time.sleep(STEP_S)  # other processes start; there is no signal of it
    raise AssertionError(parts)


def open_to_all(process: psutil.Process) -> bytes:
    """Return what every program of this user can read of a process."""
    folder = Path(f"/proc/{process.pid}")
    return (folder / "environ").read_bytes() + b"\0" + (folder / "cmdline").read_bytes()


def all_below(first: psutil.Process) -> dict[str, bytes]:
    """Return the same for all descendants, by their command; short-lived ones may be over before they are read."""
    shown = dict[str, bytes]()
    for one in first.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
            shown[f"{one.pid} {' '.join(one.cmdline()[1:])}"] = open_to_all(one)
    return shown


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks through /proc")
def test_no_process_of_the_hub_shows_what_it_was_handed(hub: RealHub) -> None:
    api = open_api(hub.home)
    api.call("POST", "/devices", DeviceRequest(surface="browser", device="mine", profile="browser"))
    page = json.loads(hub.said)["api"]
    address = WebPushAddress(endpoint=ENDPOINT, p256dh="B" * 87, auth="a" * 22, origin=page)
    door = HubAddress(api=f"unix:{api.record.socket}", token="")
    ask_hub(door, "PUT", "/api/v1/devices/browser/mine/address", AddressRequest(address=address))
    until_running(hub, {"surface browser", "surface discord"})
    assert hub.process is not None
    first = psutil.Process(hub.process.pid)
    shown = all_below(first)
    assert {"surfaces.web", "surfaces.discord"} <= {word for name in shown for word in name.split()}
    key = json.loads((hub.home / "secrets" / "vapid.key").read_bytes())["private"]
    for name, text in {**shown, "the hub": open_to_all(first)}.items():
        secrets = [token_for(hub.home), key] if name == "the hub" else [token_for(hub.home), key, DISCORD_TOKEN]
        assert not [secret for secret in secrets if secret.encode() in text], name
        assert not re.search(rb"\b" + TOKEN_PREFIX.encode() + rb"[A-Za-z0-9_-]{20}", text), name
        assert not re.search(rb"(?i)\bPULSE_\w*(?:TOKEN|KEY|PASSWORD)\w*=", text) or name == "the hub", name


def test_a_child_reads_one_line_and_takes_the_rest_of_the_pipe_for_the_hubs_life() -> None:
    ours, hubs = os.pipe()
    os.write(hubs, b'{"PULSE_TOKEN": "t"}\n')
    assert read_handed_over(ours, 1) == {"PULSE_TOKEN": "t"}
    os.close(hubs)
    assert os.read(ours, 1) == b""
    os.close(ours)


@pytest.mark.parametrize(
    "said", [b"", b'{"PULSE_TOKEN"', b"[]\n", b'{"a": 1}\n', b"\xff\n", b"x" * TOLD_BYTES_MAX + b"x\n"]
)
def test_a_child_that_is_told_nothing_it_can_read_does_not_begin(said: bytes) -> None:
    ours, hubs = os.pipe()
    os.write(hubs, said)
    os.close(hubs)
    with pytest.raises(NotRunningError):
        read_handed_over(ours, 1)
    os.close(ours)


def test_a_child_does_not_wait_for_ever() -> None:
    ours, hubs = os.pipe()
    with pytest.raises(NotRunningError):
        read_handed_over(ours, 0)
    os.close(ours)
    os.close(hubs)


def test_what_a_person_starts_takes_its_secrets_out_of_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULSE_TOKEN", "t")
    monkeypatch.setenv("PULSE_MINE", "m")
    monkeypatch.delenv("PULSE_CHILD", raising=False)
    told = take_told("PULSE_MINE")
    assert (told["PULSE_TOKEN"], told["PULSE_MINE"]) == ("t", "m")
    assert not {"PULSE_TOKEN", "PULSE_MINE"} & os.environ.keys()
