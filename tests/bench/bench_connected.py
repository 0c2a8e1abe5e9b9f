"""What the hub itself grows by with everything connected at once, and what each process beside it takes.

The services are not there: each surface is set up for an address on loopback that nobody serves, so it starts, speaks
with the hub and waits for its service. What the hub holds for it is the same. Discord is left out, for its address is
no setting; so are OpenClaw's gateway and ntfy, which are set up by hand only. Run with
`python -m tests.bench.bench_connected`; about a minute.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil

from hub.cli import connecting
from hub.io.agents.hooks.connections import CONNECTIONS
from tests.bench.figures import Figure
from tests.bench.hub_process import free_port
from tests.cli.real_hub import RealHub, environment_of, make_repository

BENCH: Final = "connected"
GROWS_MB_MAX: Final = 6.0
SETTLE_S: Final = 15.0
MB: Final = 2**20
SETTINGS: Final = """
[telegram]
person_id = "42"
api = "http://127.0.0.1:{port}"
[matrix]
server = "http://127.0.0.1:{port}"
person = "@anna:localhost"
room_id = "!room:localhost"
[slack]
team_id = "T0123456789"
channel_id = "D0123456789"
person_id = "U0123456789"
api = "http://127.0.0.1:{port}/api"
[homeassistant]
url = "http://127.0.0.1:{port}"
"""
TOKENS: Final = {
    "PULSE_TELEGRAM_TOKEN": "42:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "PULSE_MATRIX_TOKEN": "syt_nobody",
    "PULSE_SLACK_BOT_TOKEN": "xoxb-1-1-nobody",
    "PULSE_SLACK_APP_TOKEN": "xapp-1-A1-1-nobody",
    "PULSE_HOMEASSISTANT_TOKEN": "nobody",
}


@contextlib.contextmanager
def hub_with(folder: Path, settings: str) -> Iterator[RealHub]:
    home = folder / "home"
    home.mkdir(parents=True)
    home.chmod(0o700)
    (home / "config.toml").write_text(settings)
    make_repository(folder / "repository")
    hub = RealHub(home, folder / "repository", environment_of(folder) | TOKENS, port=free_port())
    hub.start()
    try:
        yield hub
    finally:
        hub.stop()


def mb(process: psutil.Process) -> float:
    return float(process.memory_info().rss / MB)


def name_of(process: psutil.Process) -> str:
    """Name a process by what it was started for."""
    words = [word for word in process.cmdline()[1:] if not word.startswith(("-", "/"))]
    return " ".join(words[:3]) or process.name()


def alone() -> float:
    with tempfile.TemporaryDirectory(prefix="pulse-") as folder, hub_with(Path(folder), "") as hub:
        assert hub.process is not None
        time.sleep(SETTLE_S)
        return mb(psutil.Process(hub.process.pid))


def all_of_it() -> tuple[float, dict[str, float]]:
    """Return the hub's memory with everything connected, and that of each process beside it, MB."""
    settings = SETTINGS.format(port=free_port())
    with tempfile.TemporaryDirectory(prefix="pulse-") as folder, hub_with(Path(folder), settings) as hub:
        assert hub.process is not None
        assert hub.pulse("connect", "codex", "--yes").returncode == 0
        serves = hub.begin("a2a", "--port", str(free_port()))
        words = [sys.executable, "-m", "hub", "mcp"]
        waits = subprocess.Popen(
            words, env=hub.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            for which in CONNECTIONS.values():
                connecting.keep_program(hub.home, which)
                program = str(connecting.program_of(hub.home, which))
                subprocess.run([program], input=which.sample_harmless, cwd=hub.repository, check=True)
            time.sleep(SETTLE_S)
            process = psutil.Process(hub.process.pid)
            there = [one for one in process.children(recursive=True) if one.status() != psutil.STATUS_ZOMBIE]
            found = {name_of(one): mb(one) for one in there}
            found |= {"pulse a2a": mb(psutil.Process(serves.pid)), "pulse mcp": mb(psutil.Process(waits.pid))}
            return mb(process), found
        finally:
            serves.terminate()
            serves.communicate()
            waits.terminate()
            waits.communicate()


def run() -> list[Figure]:
    """Measure."""
    before = alone()
    after, beside = all_of_it()
    return [
        Figure(
            bench=BENCH,
            what="the hub grows with five agents by hooks and all processes below",
            value=after - before,
            unit="MB",
            goal=GROWS_MB_MAX,
            reference="the hub alone",
            reference_value=before,
        ),
        *(Figure(bench=BENCH, what=f"beside it: {name}", value=size, unit="MB") for name, size in beside.items()),
    ]


if __name__ == "__main__":
    for one in run():
        sys.stdout.write(f"{one.what}: {one.value:.2f} {one.unit}\n")
