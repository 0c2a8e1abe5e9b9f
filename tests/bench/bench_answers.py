"""An answer over HTTP → committed, answered, and seen by an MQTT subscriber; against a throw-away prototype's path.

The reference (`reference_path.py`) does the same with nothing around it: POST, one SQLite transaction with an outbox
row, the answer, a QoS 1 publish. It runs on the same machine in the same run.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.figures import Figure, median, percentile
from tests.bench.http_load import load, request
from tests.bench.hub_process import HubProcess, running

BENCH = "answers"
CONFIG = "[crosspoll]\npending_max = 1000000\n[sensors]\ntranscripts = false\n"
SETTLE_S_MAX = 30


class Subscriber:
    """The subscriber's process."""

    def __init__(self, hub: HubProcess, topic: str) -> None:
        login = hub.call("POST", "/api/v1/devices", {"surface": "terminal", "device": "bench", "profile": "terminal"})
        where = (str(hub.broker.hostname), str(hub.broker.port))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.subscriber", *where, login["username"], login["password"], topic],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def seen(self) -> dict[str, float]:
        """End it and return when each subject came."""
        out, _ = self._process.communicate(timeout=SETTLE_S_MAX)
        return dict(json.loads(out))


def make_cards(hub: HubProcess, count: int) -> list[str]:
    """Ask `count` questions and return their cards' ids."""
    host = hub.api.netloc
    body = [
        json.dumps({"question": f"Deploy build {n}?", "timeoutS": 3600, "risk": "low"}).encode() for n in range(count)
    ]
    asks = [request(host, "/api/v1/ask", hub.token, one) for one in body]
    address = (hub.api.hostname or "", hub.api.port or 0)
    _, failures = asyncio.run(load(address, asks, connections=32, rate_per_s=None))
    assert failures == 0
    ids: list[str] = []
    before = ""
    while len(ids) < count:
        page = hub.call("GET", f"/api/v1/predictions?limit=100&status=pending{before}")["predictions"]
        ids += [one["id"] for one in page]
        before = f"&before={page[-1]['createdAt']}".replace("+", "%2B")
    return ids[:count]


def measure(hub: HubProcess, count: int, rate_per_s: float | None, connections: int) -> tuple[list[float], float]:
    """Answer `count` cards; return each one's seconds from due to both answered and seen, and the rate reached."""
    ids = make_cards(hub, count)
    subscriber = Subscriber(hub, "pulse/v1/me/event/prediction/settled")
    host = hub.api.netloc
    answers = [request(host, f"/api/v1/predictions/{card_id}/confirm", hub.token) for card_id in ids]
    address = (hub.api.hostname or "", hub.api.port or 0)
    samples, failures = asyncio.run(load(address, answers, connections=connections, rate_per_s=rate_per_s))
    assert failures == 0, f"{failures} answers failed"
    seen = subscriber.seen()
    assert len(seen) == count, f"{count - len(seen)} events were not seen"
    took = [max(answered, seen[ids[index]]) - due for index, due, answered in samples]
    lasted = max(max(answered, seen[ids[index]]) for index, _, answered in samples) - min(due for _, due, _ in samples)
    return took, count / lasted


def run() -> list[Figure]:
    """Measure at 50/s, at 500/s and as fast as it goes."""
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as name:
        home = Path(name) / "home"
        home.mkdir()
        (home / "config.toml").write_text(CONFIG)
        with running(home, Path(name)) as hub:
            slow, _ = measure(hub, 1_000, 50.0, 8)
            fast, _ = measure(hub, 5_000, 500.0, 32)
            _, most = measure(hub, 10_000, None, 32)
    return [
        Figure(bench=BENCH, what="50/s, p50", value=median(slow) * 1e3, unit="ms", goal=2.0),
        Figure(bench=BENCH, what="50/s, p99", value=percentile(slow, 0.99) * 1e3, unit="ms", goal=10.0),
        Figure(bench=BENCH, what="500/s, p50", value=median(fast) * 1e3, unit="ms", goal=1.0),
        Figure(bench=BENCH, what="500/s, p99", value=percentile(fast, 0.99) * 1e3, unit="ms", goal=10.0),
        Figure(bench=BENCH, what="most", value=most, unit="/s", goal=2_500.0, better="higher"),
    ]
