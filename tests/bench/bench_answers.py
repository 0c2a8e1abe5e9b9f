"""An answer over HTTP → committed, answered, and seen by an MQTT subscriber; against a throw-away prototype's path.

The reference (`reference_path.py`) does the same with nothing around it: POST, one SQLite transaction with an outbox
row, the answer, a QoS 1 publish. It runs on the same machine in the same run.

Beyond what a machine can do, a latency says only how long the queue has become. So the reference tells first, as fast
as it goes, what this machine can do, and both are also measured at a quarter of that, beside the rates that are goals.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from hub.io.broker.choose import find_mosquitto, find_nats
from tests.bench.figures import Figure, MissingError, median, percentile
from tests.bench.http_load import Address, load, request
from tests.bench.hub_process import HubProcess, free_port, running, wait_for_port

BENCH = "answers"
CONFIG = "[crosspoll]\npending_max = 1000000\n[sensors]\ntranscripts = false\n"
SETTLE_S_MAX = 30
TOPIC = "pulse/v1/me/event/prediction/settled"
REFERENCE = "throw-away path"
Load = tuple[int, float | None, int]
"""How many answers, how many a second (None: as fast as it goes), over how many connections."""
Taken = tuple[list[float], float]
"""Each answer's seconds, and the rate that was reached."""
SLOW: Load = (500, 50.0, 8)
FAST: Load = (4_000, 500.0, 32)
MOST: Load = (8_000, None, 128)
LOADS = (SLOW, FAST, MOST)
QUARTER = "a quarter of what the throw-away path can do"
QUARTER_ANSWERS = 2_000
QUARTER_CONNECTIONS = 32
MOSQUITTO = """
listener {port} 127.0.0.1
allow_anonymous true
persistence true
persistence_location {folder}/
autosave_on_changes true
autosave_interval 20
max_queued_messages 100000
user root
"""
NATS = """
server_name: reference
listen: "127.0.0.1:-1"
jetstream: {{ store_dir: "{folder}/reference" }}
mqtt: {{ listen: "127.0.0.1:{port}", max_ack_pending: 10000 }}
"""
TOTAL = sum(count for count, _, _ in LOADS) + QUARTER_ANSWERS


class Subscriber:
    """The subscriber's process."""

    def __init__(self, host: str, port: int, username: str, password: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.subscriber", host, str(port), username, password, TOPIC],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def seen(self, count: int) -> dict[str, float]:
        """Wait for `count` messages and return when each subject came."""
        out, _ = self._process.communicate(f"{count}\n", timeout=SETTLE_S_MAX)
        return dict(json.loads(out))


def paired(hub: HubProcess) -> Subscriber:
    """Return a subscriber that is a paired device of the hub."""
    login = hub.call("POST", "/api/v1/devices", {"surface": "terminal", "device": "bench", "profile": "terminal"})
    return Subscriber(str(hub.broker.hostname), hub.broker.port or 0, login["username"], login["password"])


class Target:
    """Something that takes answers: the hub, or the reference."""

    def __init__(self, address: Address, maker: Address, make: list[bytes], answer: Callable[[str], bytes]) -> None:
        self.address = address
        self.maker = maker
        self.make = make
        self.answer = answer

    def prepare(self, hub: HubProcess, count: int) -> list[str]:
        """Make `count` open cards and return their ids."""
        _, failures = asyncio.run(load(self.maker, self.make[:count], connections=32, rate_per_s=None))
        assert failures == 0, f"{failures} cards could not be made"
        del self.make[:count]
        return open_cards(hub, count)


def the_hub(hub: HubProcess) -> Target:
    """Return the hub as a target: its cards are questions of the person's own terminal, each answered with `confirm`.

    Only that may have so many open; what is measured are the answers, which come over TCP.
    """
    host = hub.api.netloc
    bodies = (json.dumps({"question": f"Deploy build {n}?", "timeoutS": 3600, "risk": "low"}) for n in range(TOTAL))
    asks = [request(host, "/api/v1/ask", "", body.encode()) for body in bodies]
    address = (hub.api.hostname or "", hub.api.port or 0)

    def answer(card_id: str) -> bytes:
        return request(host, f"/api/v1/predictions/{card_id}/confirm", hub.token)

    return Target(address, hub.local, asks, answer)


def open_cards(hub: HubProcess, count: int) -> list[str]:
    """Return the ids of the newest `count` open questions."""
    ids: list[str] = []
    before = ""
    while len(ids) < count:
        page = hub.call("GET", f"/api/v1/predictions?limit=100&status=pending{before}")["predictions"]
        ids += [one["id"] for one in page if one["source"] == "ask"]
        before = f"&before={page[-1]['createdAt']}".replace("+", "%2B")
    return ids[:count]


def measure(
    subscriber: Subscriber, target: Target, ids: list[str], rate_per_s: float | None, connections: int
) -> Taken:
    """Answer the cards; return each one's seconds from due to both answered and seen, and the rate reached."""
    answers = [target.answer(card_id) for card_id in ids]
    samples, failures = asyncio.run(load(target.address, answers, connections=connections, rate_per_s=rate_per_s))
    assert failures == 0, f"{failures} answers failed"
    seen = subscriber.seen(len(ids))
    assert len(seen) == len(ids), f"{len(ids) - len(seen)} events were not seen"
    took = [max(answered, seen[ids[index]]) - due for index, due, answered in samples]
    lasted = max(max(answered, seen[ids[index]]) for index, _, answered in samples) - min(due for _, due, _ in samples)
    return took, len(ids) / lasted


def run_hub(hub: HubProcess, loads: Sequence[Load]) -> list[Taken]:
    """Measure the hub at each load."""
    target = the_hub(hub)
    return [measure(paired(hub), target, target.prepare(hub, count), rate, lines) for count, rate, lines in loads]


def run_reference(folder: Path, loads: Sequence[Load]) -> tuple[list[Taken], Load]:
    """Measure the throw-away path, on a broker of its own with the same persistence.

    Returns:
        What was measured at each load and then at a quarter of the rate that the last of them reached, and that load.
    """
    http_port, mqtt_port = free_port(), free_port()
    program, text = reference_broker(find_mosquitto(), find_nats())
    conf = folder / "broker.conf"
    conf.write_text(text.format(port=mqtt_port, folder=folder))
    arguments = [str(folder / "reference.db"), str(http_port), str(mqtt_port)]
    broker = subprocess.Popen([program, "-c", conf], stderr=subprocess.DEVNULL)
    wait_for_port(mqtt_port)
    process = subprocess.Popen([sys.executable, "-m", "tests.bench.reference_path", *arguments])
    try:
        wait_for_port(http_port)
        host = f"127.0.0.1:{http_port}"
        ids = [f"c{n}" for n in range(TOTAL)]
        make = [request(host, f"/cards/{card_id}", "") for card_id in ids]
        _, failures = asyncio.run(load(("127.0.0.1", http_port), make, connections=32, rate_per_s=None))
        assert failures == 0
        address = ("127.0.0.1", http_port)
        target = Target(address, address, [], lambda one: request(host, f"/cards/{one}/confirm", ""))
        taken = [_reference_load(target, mqtt_port, ids, one) for one in loads]
        quarter = (QUARTER_ANSWERS, taken[-1][1] / 4, QUARTER_CONNECTIONS)
        return [*taken, _reference_load(target, mqtt_port, ids, quarter)], quarter
    finally:
        for child in (process, broker):
            child.terminate()
            child.wait()


def reference_broker(mosquitto: Path | None, nats: Path | None) -> tuple[Path, str]:
    """Return the reference's broker and its configuration: mosquitto, else the nats-server that came along.

    Raises:
        MissingError: there is neither.
    """
    if mosquitto is not None:
        return mosquitto, MOSQUITTO
    if nats is not None:
        return nats, NATS
    raise MissingError("The reference needs an MQTT broker. Install mosquitto (version 2 or newer), and run it again.")


def _reference_load(target: Target, mqtt_port: int, ids: list[str], one: Load) -> Taken:
    count, rate, lines = one
    mine = ids[:count]
    del ids[:count]
    return measure(Subscriber("127.0.0.1", mqtt_port, "bench", ""), target, mine, rate, lines)


def run() -> list[Figure]:
    """Measure the reference, then the hub: at 50/s, at 500/s, as fast as it goes, and at a quarter of the reference."""
    reference_broker(find_mosquitto(), find_nats())  # what is missing is said before anything is measured
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as name:
        home = Path(name) / "home"
        home.mkdir()
        (home / "config.toml").write_text(CONFIG)
        theirs, quarter = run_reference(Path(name), LOADS)
        with running(home, Path(name)) as hub:
            ours = run_hub(hub, (*LOADS, quarter))
    slow, fast, most, relaxed = zip(ours, theirs, strict=True)
    return [
        _latency("50/s", "p50", slow, 2.0),
        _latency("50/s", "p99", slow, 10.0),
        _latency("500/s", "p50", fast, 1.0),
        _latency("500/s", "p99", fast, 10.0),
        _latency(QUARTER, "p50", relaxed, None),
        _latency(QUARTER, "p99", relaxed, None),
        Figure(
            bench=BENCH,
            what="most",
            value=most[0][1],
            unit="/s",
            goal=2_500.0,
            better="higher",
            reference=REFERENCE,
            reference_value=most[1][1],
        ),
    ]


def _latency(load_name: str, share: str, both: tuple[Taken, Taken], goal: float | None) -> Figure:
    ours, theirs = both
    pick = median if share == "p50" else lambda values: percentile(values, 0.99)
    return Figure(
        bench=BENCH,
        what=f"{load_name}, {share}",
        value=pick(ours[0]) * 1e3,
        unit="ms",
        goal=goal,
        reference=REFERENCE,
        reference_value=pick(theirs[0]) * 1e3,
    )
