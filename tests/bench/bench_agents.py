"""From a person's approval to the agent's process running; against a plain spawn of the same program."""

import json
import subprocess
import tempfile
import time
from pathlib import Path

from tests.bench.figures import Figure, median, percentile
from tests.bench.hub_process import HubProcess, running

BENCH = "agents"
RUNS = 200
RUN_S_MAX = 10.0
BUSY_S = 0.02
CONFIG = """
[crosspoll]
pending_max = 100000
[costs]
per_run_usd = 0
[sensors]
transcripts = false
[agents.stamp]
kind = "command"
argv = ["/bin/sh", "-c", {code}]
stdin = "none"
[channels.koji-core]
agent = "stamp"
affinities = ["code"]
"""


def make_card(hub: HubProcess, number: int) -> str:
    """Suggest something by hand and return the card's id."""
    body = {"hint": f"Look at part {number} of the code", "targetChannel": "koji-core", "force": True}
    try:
        answer = hub.call("POST", "/api/v1/crosspoll/trigger", body)
    except RuntimeError as error:
        if "cycle-running" not in str(error):
            raise
        time.sleep(BUSY_S)  # the first look after the start, or a follow-up, is under way
        return make_card(hub, number)
    assert answer["triggered"], answer["message"]
    return str(answer["prediction"]["id"])


def stamped(folder: Path, card_id: str) -> float:
    """Wait for the agent's own time stamp."""
    path = folder / f"{card_id.replace('pred_', 'exec_', 1)}_1"
    limit = time.monotonic() + RUN_S_MAX
    while time.monotonic() < limit:
        if path.exists() and (text := path.read_text().strip()):
            return float(text)
        time.sleep(0.005)
    raise RuntimeError(f"the agent of {card_id} did not run")


def run() -> list[Figure]:
    """Approve `RUNS` cards one after the other."""
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as name:
        folder = Path(name)
        (folder / "home").mkdir()
        code = f'date +%s.%N > "{folder}/$PULSE_EXECUTION"'
        (folder / "home" / "config.toml").write_text(CONFIG.format(code=json.dumps(code)))
        with running(folder / "home", folder) as hub:
            took = [_approve(hub, folder, make_card(hub, number)) for number in range(RUNS)]
        plain = [_plain(folder, number) for number in range(RUNS)]
    return [
        _figure("p50", median(took), median(plain)),
        _figure("p99", percentile(took, 0.99), percentile(plain, 0.99)),
    ]


def _figure(share: str, took_s: float, plain_s: float) -> Figure:
    return Figure(
        bench=BENCH,
        what=f"approve → agent running, {share}",
        value=took_s * 1e3,
        unit="ms",
        goal=40.0 if share == "p99" else None,
        reference="plain spawn",
        reference_value=plain_s * 1e3,
    )


def _approve(hub: HubProcess, folder: Path, card_id: str) -> float:
    began = time.time()
    hub.call("POST", f"/api/v1/predictions/{card_id}/confirm")
    return stamped(folder, card_id) - began


def _plain(folder: Path, number: int) -> float:
    path = folder / f"plain-{number}"
    began = time.time()
    subprocess.run(["/bin/sh", "-c", f'date +%s.%N > "{path}"'], check=True)
    return float(path.read_text()) - began
