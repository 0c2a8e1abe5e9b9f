"""Starting, asking and stopping that process."""

import contextlib
import http.client
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.local_token import token_for

ROOT = Path(__file__).resolve().parents[2]
START_S_MAX = 30.0
STOP_S_MAX = 10.0
LISTENED = range(20_000, 30_000)
"""Below the ports that Linux and macOS give to outgoing connections."""
PORTS_TRIED_MAX = 100


class HubProcess:
    """One running hub."""

    def __init__(self, home: Path, workspace: Path) -> None:
        self.home = home
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.hub_main", str(home), str(workspace)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), "MALLOC_ARENA_MAX": "2"},
        )
        assert self.process.stdout is not None
        readable, _, _ = select.select([self.process.stdout], [], [], START_S_MAX)
        line = self.process.stdout.readline() if readable else b""
        if not line:
            self.stop()
            raise RuntimeError("the hub did not start")
        self.start_s = time.perf_counter() - began
        where = json.loads(line)
        self.api = urlsplit(where["api"])
        self.broker = urlsplit(where["broker"])
        self.token = token_for(home)
        self.local = Path(json.loads((home / "run.json").read_text())["socket"])

    def call(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401  whatever JSON the API answers
        """Call the API; raise on anything but success."""
        connection = http.client.HTTPConnection(self.api.hostname or "", self.api.port or 0, timeout=30)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text) if text else None

    def rss_mb(self) -> float:
        """Return the memory in use now."""
        return _status_kb(self.process.pid, "VmRSS") / 1024

    def cpu_s(self) -> float:
        """Return the processor time used so far, without children."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> float:
        """Stop it in order; return how long that took."""
        began = time.perf_counter()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(STOP_S_MAX)
        self._close()
        return time.perf_counter() - began

    def kill(self) -> None:
        """End it without warning."""
        self.process.kill()
        self.process.wait(STOP_S_MAX)
        self._close()

    def _close(self) -> None:
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextlib.contextmanager
def running(home: Path, workspace: Path) -> Iterator[HubProcess]:
    """Run a hub for as long as the block lasts."""
    hub = HubProcess(home, workspace)
    try:
        yield hub
    finally:
        hub.stop()


def free_port() -> int:
    """Return a port on loopback that nobody uses, and that no outgoing connection is given before it is used."""
    for port in random.sample(LISTENED, PORTS_TRIED_MAX):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no free port on 127.0.0.1")


def wait_for_port(port: int) -> None:
    """Wait until somebody listens there."""
    limit = time.monotonic() + START_S_MAX
    while time.monotonic() < limit:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError(f"nobody listens on {port}")


def _status_kb(pid: int, key: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    return 0
