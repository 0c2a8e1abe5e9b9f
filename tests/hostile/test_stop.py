"""`pulse kill` against a hub that cannot help: wedged, killed, or on a disk that takes nothing any more."""

import http.client
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hub.cli.api import open_api, read
from hub.cli.hook_client import EXIT_BLOCKED
from hub.cli.hook_program import CLIENT
from hub.contract.access import TokenList
from hub.io.home.folder import Home
from tests.local_token import token_for
from tests.web.live_hub import LiveHub, live_hub

pytestmark = [pytest.mark.slow, pytest.mark.needs_mosquitto]
SETTINGS = """
[agents.slow]
kind = "command"
argv = ["sh", "-c", "mkfifo {fifo}.stays; echo begun > {fifo}; read never < {fifo}.stays"]
stdin = "none"
[channels.workshop]
specialty = "Long work"
agent = "slow"
affinities = ["work"]
"""
DISK = "size=24m"


class Bench:
    """A hub that runs an agent which would never end."""

    def __init__(self, folder: Path) -> None:
        self.fifo = folder / "begun"
        os.mkfifo(self.fifo)
        self.settings = SETTINGS.format(fifo=self.fifo)

    def begin_work(self, hub: LiveHub) -> str:
        """Let it run, and return its card once it does."""
        said = hub.pulse("trigger", "--force", "--hint", "Do the long work", "--channel", "workshop", "--json")
        card: str = json.loads(said.stdout)["prediction"]["id"]
        assert hub.pulse("approve", card).returncode == 0
        assert self.fifo.read_text() == "begun\n"
        return card

    def runs(self) -> list[str]:
        """Return the agent's processes that are left."""
        found = subprocess.run(["pgrep", "-f", f"{self.fifo}.stays"], capture_output=True, text=True, check=False)
        return found.stdout.split()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def hub(bench: Bench, tmp_path: Path) -> Iterator[LiveHub]:
    with live_hub(tmp_path / "hub", bench.settings) as made:
        yield made


def is_off(hub: LiveHub) -> bool:
    status = json.loads(hub.pulse("status", "--json").stdout)["crossPollStatus"]
    assert status["enabled"] is (status["killedBy"] == "")
    return bool(status["killedBy"] == "emergency")


def assert_refused(hub: LiveHub) -> None:
    """Check that the hook of a connected agent refuses the next tool, and says why."""
    words = (sys.executable, "-IS", str(CLIENT), "claude-code", str(hub.home), "--within=0.5", "--wait=60")
    given = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf src"}}'
    done = subprocess.run(words, input=given, capture_output=True, check=False, timeout=60)
    assert (done.returncode, b"emergency stop is on" in done.stderr) == (EXIT_BLOCKED, True), done


def test_what_is_connected_is_not_said_to_have_ended(hub: LiveHub) -> None:
    hub.kill()
    assert "connected" not in hub.pulse("kill").stdout
    Home(hub.home).agents_connected.touch()
    assert "What connected agents already run goes on" in hub.pulse("kill").stdout
    hub.start()  # it ends the broker that the killed one left behind


def test_a_hub_that_hangs_is_stopped_from_outside_and_stops_when_it_wakes(hub: LiveHub, bench: Bench) -> None:
    bench.begin_work(hub)
    assert hub.process is not None
    hub.process.send_signal(signal.SIGSTOP)
    try:
        said = hub.pulse("kill")
        assert said.returncode == 0, said.stdout + said.stderr
        assert "Nothing can start" in said.stdout
        assert "All processes of runs have ended" in said.stdout
        assert bench.runs() == []
        assert_refused(hub)
    finally:
        hub.process.send_signal(signal.SIGCONT)
    assert is_off(hub)
    assert hub.pulse("resume", "--emergency").returncode == 0
    assert not is_off(hub)


def test_a_hub_that_was_killed_starts_stopped_and_its_runs_are_gone(hub: LiveHub, bench: Bench) -> None:
    bench.begin_work(hub)
    hub.kill()
    said = hub.pulse("kill")
    assert (said.returncode, "No hub is running" in said.stdout) == (0, True)
    assert bench.runs() == []
    assert_refused(hub)
    hub.start()
    assert is_off(hub)


def limited(hub: LiveHub) -> Callable[[], None]:
    """Let the hub's files grow no more, as on a broken disk; that ends with its process."""
    assert hub.process is not None
    resource.prlimit(hub.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    return lambda: None


def filled(hub: LiveHub) -> Callable[[], None]:
    """Fill the disk to the last byte; return how to make room."""
    ballast = hub.home / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4_096)):
                pass
        except OSError:
            pass
    return ballast.unlink


def signs_in(hub: LiveHub, token: str) -> bool:
    """Say whether a token opens the API."""
    where = urlsplit(json.loads((hub.home / "run.json").read_text())["api"])
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=10)
    connection.request("GET", "/api/v1/crosspoll/status", headers={"Authorization": f"Bearer {token}"})
    status = connection.getresponse().status
    connection.close()
    return status != http.client.UNAUTHORIZED


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path | None]:
    """A real file system of a few megabytes, where this machine lets us mount one; else None."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_stops_and_revocations_on_a_disk_that_takes_nothing_hold_after_a_restart(
    bench: Bench, small_disk: Path | None, tmp_path: Path
) -> None:
    with live_hub((small_disk or tmp_path) / "hub", bench.settings) as hub:
        token = token_for(hub.home)
        hub.pulse("devices", "pair", "terminal", "lost")
        logins = hub.home / "secrets" / "broker-users.json"
        assert "terminal-lost" in logins.read_text()
        bench.begin_work(hub)
        mend = filled(hub) if small_disk else limited(hub)
        assert hub.pulse("devices", "revoke", "terminal", "lost").returncode == 0
        (client,) = read(open_api(hub.home).call("GET", "/tokens"), TokenList).tokens
        open_api(hub.home).call("DELETE", f"/tokens/{client.id}")
        assert (signs_in(hub, token), "terminal-lost" in logins.read_text()) == (False, False)
        said = hub.pulse("kill")
        assert said.returncode == 0, said.stdout + said.stderr
        assert is_off(hub)
        assert not (hub.home / "armed").exists()
        hub.kill()
        mend()
        hub.start()
        assert is_off(hub)
        assert bench.runs() == []
        assert not signs_in(hub, token)
        assert "lost" not in hub.pulse("devices", "--json").stdout
