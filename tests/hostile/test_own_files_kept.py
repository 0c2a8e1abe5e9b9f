"""What Pulse writes to be found and believed by is put back while it runs, whichever way another program changes it."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hub.cli.hook_client import EXIT_BLOCKED
from hub.io.home.folder import Home
from hub.kit.files import FILE_MODE
from tests.cli.real_hub import ENDED_WELL, RealHub, running_hub
from tests.terminals import PULSE, Terminal, terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
]
BACK_S_MAX = 10.0
PROGRAM = "hooks/pulse-claude-code"
FOUND_BY = ("run.json", "run/api.sock", "hook-key.pub", "lock", "format", "port", "agents-connected", PROGRAM)
PUSH = {
    "hook_event_name": "PreToolUse",
    "session_id": "s1",
    "cwd": "/",
    "permission_mode": "bypassPermissions",
    "tool_name": "Bash",
    "tool_input": {"command": "git push --force"},
    "tool_use_id": "t1",
}


def until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + BACK_S_MAX
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def hook(hub: RealHub) -> subprocess.CompletedProcess[bytes]:
    """Have the agent's hook say that a risky tool is about to run."""
    words = [str(hub.home / PROGRAM), "--within=8", "--wait=60"]
    given = json.dumps(PUSH).encode()
    return subprocess.run(words, input=given, env=hub.environment, capture_output=True, check=False, timeout=60)


def asks(hub: RealHub) -> bool:
    """Return True if the agent's hook has it ask."""
    return b'"ask"' in hook(hub).stdout


def is_refused(hub: RealHub) -> bool:
    """Return True if the agent's hook refuses it."""
    done = hook(hub)
    return done.returncode == EXIT_BLOCKED or b'"deny"' in done.stdout


def parts_of(mine: Terminal, out: Path) -> dict[str, str]:
    """Return what is said of each part that is not well, at the person's own terminal."""
    mine.run(f"{PULSE} status --json > {out}")
    parts = json.loads(out.read_text())["parts"]
    return {one["name"]: one["detail"] for one in parts if one["status"] != "ok"}


def works(path: Path) -> bool:
    """Return True if a file is there, or the socket lets its own user in."""
    if path.suffix != ".sock":
        return path.is_file() and not path.is_symlink()
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(str(path)) == 0


def until_works(path: Path) -> None:
    until(lambda: works(path), f"{path} is not put back")


def until_says(path: Path, was: bytes) -> None:
    until(lambda: path.read_bytes() == was, f"{path} is not put back")


def until_open_to_its_owner(path: Path) -> None:
    until(lambda: path.stat().st_mode & 0o777 == FILE_MODE, f"{path} is not put back")


def connect(hub: RealHub, mine: Terminal) -> None:
    """Connect an agent, and wait until the hub knows that it asks."""
    assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
    known = hub.home / "agents-connected"
    until(lambda: known.is_file() and "claude-code" in known.read_text(), "it was never connected")


def test_whatever_is_taken_away_is_put_back_and_told(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        connect(hub, mine)
        assert asks(hub)
        assert "files" not in parts_of(mine, tmp_path / "out")
        with socket.socket(socket.AF_UNIX) as waiting:
            waiting.connect(str(hub.home / "run" / "api.sock"))
            for name in FOUND_BY:
                path = hub.home / name
                was = None if name.endswith(".sock") else path.read_bytes()
                path.unlink()
                until_works(path)
                path.rename(path.with_name("elsewhere"))
                until_works(path)
                assert was is None or path.read_bytes() == was, name
                assert asks(hub), name
            for folder in ("run", "hooks"):
                (hub.home / folder).rename(hub.home / f"{folder}-elsewhere")
                (hub.home / folder).touch()
                until_works(hub.home / PROGRAM)
                until_works(hub.home / "run" / "api.sock")
                assert asks(hub), folder
            waiting.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert waiting.recv(12) == b"HTTP/1.1 200", "a connection from before ended"
        said = parts_of(mine, tmp_path / "out")["files"]
        assert [name for name in FOUND_BY if str(hub.home / name) not in said] == []
        assert "files" not in parts_of(mine, tmp_path / "out"), "a person has seen it"


@pytest.mark.parametrize("put", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_whatever_is_put_in_its_place_goes(tmp_path: Path, put: Callable[[Path], None]) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        connect(hub, mine)
        for name in FOUND_BY:
            path = hub.home / name
            path.unlink()
            put(path)
            until_works(path)
        assert asks(hub)


def test_what_is_written_into_a_file_that_stays_open_is_put_back(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub:
        for name in ("run.json", "hook-key.pub"):
            path = hub.home / name
            was = path.read_bytes()
            with path.open("r+b", buffering=0) as held:
                held.write(b"1")
                until_says(path, was)
        for name in ("run.json", "lock", "run/api.sock"):
            path = hub.home / name
            path.chmod(0)
            until_open_to_its_owner(path)


def test_no_program_lifts_the_emergency_stop_for_agents(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        armed = hub.home / "armed"
        connect(hub, mine)
        assert mine.run(f"{PULSE} kill")[1] == 0
        armed.touch()
        (hub.home / "run" / "api.sock").rename(hub.home / "elsewhere")
        assert is_refused(hub)
        until(lambda: not armed.exists(), "the stop is lifted for agents")
        until_works(hub.home / "run" / "api.sock")
        assert is_refused(hub)
        assert str(armed) in parts_of(mine, tmp_path / "out")["files"]

        assert mine.run(f"{PULSE} resume --emergency")[1] == 0
        (hub.home / "run" / "api.sock").unlink()
        until_works(hub.home / "run" / "api.sock")
        assert armed.exists(), "a person lifted it"
        armed.unlink()
        (hub.home / "run" / "api.sock").unlink()
        until_works(hub.home / "run" / "api.sock")
        assert not armed.exists(), "to take it away is to stop"

        assert mine.run(f"{PULSE} kill")[1] == 0
        hub.stop(signal.SIGKILL)
        armed.touch()
        hub.start()
        assert not armed.exists()
        assert str(armed) in parts_of(mine, tmp_path / "out")["files"]
        assert hub.stop() == ENDED_WELL
        assert Home(hub.home).record() is None
        hub.start()
