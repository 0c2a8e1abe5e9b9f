"""The hub as a process: how fast it starts, what it costs while idle, and how soon an approved agent runs.

References, each in the same run: a bare FastAPI application on uvicorn as both come (memory, idle), the interpreter
importing them (start), and a plain `subprocess` spawn (agent).
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.figures import Figure, median
from tests.bench.hub_process import HubProcess, free_port, running

BENCH = "process"
IDLE_S = 120.0
SETTLE_S = 20.0
STARTS = 5
STOCK = (
    "import sys, uvicorn, fastapi;"
    " uvicorn.run(fastapi.FastAPI(), host='127.0.0.1', port=int(sys.argv[1]), log_level='error')"
)
IMPORTS = "import fastapi, uvicorn, paho.mqtt.client, sqlite3, msgspec"


def starts(folder: Path) -> list[Figure]:
    """Start and stop the same home several times; the first start is not counted."""
    home = folder / "home"
    up, down = [], []
    for number in range(STARTS + 1):
        hub = HubProcess(home, folder)
        hub.call("GET", "/api/v1/health")
        stopped = hub.stop()
        if number:
            up.append(hub.start_s)
            down.append(stopped)
    reference = []
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", IMPORTS], check=True)
        reference.append(time.perf_counter() - began)
    return [
        Figure(
            bench=BENCH,
            what="start to healthy, second start",
            value=median(up),
            unit="s",
            goal=0.8,
            reference="python importing FastAPI, uvicorn, paho, sqlite3 and msgspec",
            reference_value=median(reference),
        ),
        Figure(bench=BENCH, what="stop", value=max(down), unit="s", goal=2.0),
    ]


def idle(folder: Path) -> list[Figure]:
    """Leave a hub and a stock FastAPI alone for two minutes, side by side."""
    port = free_port()
    stock = subprocess.Popen([sys.executable, "-c", STOCK, str(port)])
    try:
        with running(folder / "home", folder) as hub:
            time.sleep(SETTLE_S)
            before = (hub.cpu_s(), _cpu_s(stock.pid))
            time.sleep(IDLE_S)
            used = (hub.cpu_s() - before[0], _cpu_s(stock.pid) - before[1])
            memory = (hub.rss_mb(), _rss_mb(stock.pid))
    finally:
        stock.terminate()
        stock.wait()
    name = "stock FastAPI on uvicorn, alone"
    share = [one / IDLE_S * 100 for one in used]
    return [
        Figure(
            bench=BENCH,
            what="idle memory",
            value=memory[0],
            unit="MB",
            goal=50.0,
            reference=name,
            reference_value=memory[1],
        ),
        Figure(
            bench=BENCH, what="idle CPU", value=share[0], unit="%", goal=0.05, reference=name, reference_value=share[1]
        ),
    ]


def run() -> list[Figure]:
    """Measure everything; about three minutes."""
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as name:
        folder = Path(name)
        repository = folder / "workspace"
        repository.mkdir()
        subprocess.run(["git", "init", "-q", str(repository)], check=True)
        return [*starts(folder), *idle(folder)]


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _rss_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0
