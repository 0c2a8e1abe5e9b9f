"""A hub of its own for a trial to flood, as a person starts it, and a client of that person's."""

import contextlib
import http.client
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from hub.cli.api import open_api, read
from hub.contract.access import TokenAnswer, TokenRequest
from tests.cli.real_hub import RealHub, running_hub
from tests.house.source import ROOT

ANSWER_S_MAX = 15.0
STATUS = "/api/v1/crosspoll/status"
MEGABYTE = 1_048_576


@dataclass(frozen=True, slots=True)
class Flooded:
    """The hub under attack."""

    hub: RealHub
    host: str
    port: int
    token: str

    def rss_mb(self) -> float:
        """Return the hub's memory now."""
        assert self.hub.process is not None
        return float(psutil.Process(self.hub.process.pid).memory_info().rss) / MEGABYTE

    def connect(self) -> http.client.HTTPConnection:
        """Return a connection that nobody has used."""
        return http.client.HTTPConnection(self.host, self.port, timeout=ANSWER_S_MAX)

    def timed_ms(self, connection: http.client.HTTPConnection, path: str = STATUS) -> float | None:
        """Ask once, signed in; return the milliseconds until the answer is read, None for anything but a 200."""
        began = time.perf_counter()
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            return None
        return (time.perf_counter() - began) * 1_000 if answer.status == http.client.OK else None

    def killed_ms(self) -> float | None:
        """Run `pulse kill` as a person does; return how long it took, None if it failed. It is lifted again."""
        began = time.perf_counter()
        ended = self.hub.pulse("kill")
        took_ms = (time.perf_counter() - began) * 1_000
        lifted = self.hub.pulse("resume", "--emergency")
        return took_ms if ended.returncode == lifted.returncode == 0 else None


@contextlib.contextmanager
def flooded_hub() -> Iterator[Flooded]:
    """Run a hub for as long as the block lasts."""
    _allow_many_files()
    folder = Path(tempfile.mkdtemp(prefix="pulse-flood-"))
    try:
        with running_hub(folder) as hub:
            api = open_api(hub.home)
            asked = TokenRequest(name="trial", scopes=("read", "answer", "ask"))
            token = read(api.call("POST", "/tokens", asked), TokenAnswer).token
            where = urlsplit(_address(hub))
            assert where.hostname is not None
            assert where.port is not None
            yield Flooded(hub, where.hostname, where.port, token)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def strangers(target: Flooded, kind: str, count: int) -> Iterator[None]:
    """Let `count` strangers of a kind (see `_strangers.py`) hold connections in a process of their own."""
    program = [sys.executable, "-m", "tests.hostile.trials._strangers", kind, target.host, str(target.port), str(count)]
    process = subprocess.Popen(program, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        assert process.stdout.readline(), "the strangers did not come"
        yield
    finally:
        process.stdin.close()
        process.wait(ANSWER_S_MAX)
        process.stdout.close()


def _address(hub: RealHub) -> str:
    return str(json.loads(hub.said)["api"])


def _allow_many_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
