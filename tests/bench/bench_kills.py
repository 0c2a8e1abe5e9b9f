"""kill -9 of the hub and of the broker under load: no answered decision is lost, nothing is executed twice.

Each round makes cards, approves them from several connections at once, kills one of the two in the middle, starts
again, and compares what clients were told with what is stored and with what the agent itself wrote down.
"""

import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from tests.bench.bench_agents import make_card
from tests.bench.figures import Figure
from tests.bench.hub_process import HubProcess

BENCH = "kills"
ROUNDS = 100
CARDS = 6
ASKS = 30
SETTLE_S_MAX = 20.0
CONFIG = """
[crosspoll]
pending_max = 100000
[costs]
per_run_usd = 0
[sensors]
transcripts = false
[agents.once]
kind = "command"
argv = ["/bin/sh", "-c", {code}]
stdin = "none"
[channels.koji-core]
agent = "once"
affinities = ["code"]
"""


class Round:
    """One round of answers against one hub that may die at any moment."""

    def __init__(self, hub: HubProcess, cards: list[str]) -> None:
        self.hub = hub
        self.answered: list[str] = []
        self._cards = list(cards)
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._answer) for _ in range(4)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join()

    def _answer(self) -> None:
        while True:
            with self._lock:
                if not self._cards:
                    return
                card_id = self._cards.pop()
            try:
                self.hub.call("POST", f"/api/v1/predictions/{card_id}/confirm")
            except (OSError, RuntimeError):
                continue  # not answered, so nothing was promised
            with self._lock:
                self.answered.append(card_id)


def run(rounds: int = ROUNDS) -> list[Figure]:
    """Kill each of the two `rounds` times."""
    draw = random.Random(7)  # noqa: S311  repeatable moments, no secrets
    told: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as name:
        folder = Path(name)
        (folder / "home").mkdir()
        ran = folder / "ran"
        ran.touch()
        code = f'echo "$PULSE_EXECUTION" >> "{ran}"'
        (folder / "home" / "config.toml").write_text(CONFIG.format(code=json.dumps(code)))
        hub = HubProcess(folder / "home", folder)
        for number in range(rounds * 2):
            hub = _one_round(hub, folder, number, draw, told)
        lost = [card_id for card_id in told if _status(hub, card_id) == "pending" and not _interrupted(hub, card_id)]
        hub.stop()
        times = Counter(ran.read_text().split())
    return [
        Figure(
            bench=BENCH,
            what=f"decisions answered ({rounds} kills of the hub, {rounds} of the broker)",
            value=len(told),
            unit="",
            better="higher",
        ),
        Figure(bench=BENCH, what="answered decisions lost", value=len(lost), unit="", goal=0),
        Figure(bench=BENCH, what="executions", value=len(times), unit="", better="higher"),
        Figure(bench=BENCH, what="executed twice", value=sum(n > 1 for n in times.values()), unit="", goal=0),
    ]


def _one_round(hub: HubProcess, folder: Path, number: int, draw: random.Random, told: set[str]) -> HubProcess:
    cards = [make_card(hub, number * 1_000 + n) for n in range(CARDS)]
    asks = [_ask(hub, f"{number}-{n}") for n in range(ASKS)]
    mixed = [*cards, *asks]
    draw.shuffle(mixed)
    answers = Round(hub, mixed)
    answers.start()
    time.sleep(draw.uniform(0.0, 0.12))
    if number % 2:
        _kill_broker(folder)
        answers.join()
        told.update(answers.answered)
        return hub
    hub.kill()
    answers.join()
    told.update(answers.answered)
    return HubProcess(folder / "home", folder)


def _ask(hub: HubProcess, key: str) -> str:
    body = {"question": f"Deploy {key}?", "timeoutS": 3600, "idempotencyKey": f"k{key}"}
    return str(hub.call("POST", "/api/v1/ask", body)["prediction"]["id"])


def _kill_broker(folder: Path) -> None:
    pid = json.loads((folder / "home" / "broker" / "child.json").read_text())["pid"]
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        subprocess.run(["true"], check=True)


def _status(hub: HubProcess, card_id: str) -> str:
    return str(hub.call("GET", f"/api/v1/predictions/{card_id}")["status"])


def _interrupted(hub: HubProcess, card_id: str) -> bool:
    """An approved run that the kill interrupted goes back to the person, which is not a loss."""
    why = hub.call("GET", f"/api/v1/predictions/{card_id}/why")
    return any("interrupted" in json.dumps(one) for one in why["steps"])
