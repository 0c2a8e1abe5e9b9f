"""What a connected agent waits for before each of its tools: the program that its hook starts, with a hub that runs.

Reference, in the same run: Python started with nothing to do, as that program is started.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from hub.cli import connecting
from hub.io.agents.hooks.connections import CONNECTIONS
from tests.bench.figures import Figure, median, percentile
from tests.bench.hub_process import running

BENCH = "hook"
RUNS = 400
TAIL = 0.99
TAIL_MS_MAX = 60.0
TIMES_MAX = 1.6
"""How fast Python starts is the machine's; how much the hook adds to that is ours."""


def run() -> list[Figure]:
    """Say something harmless to the hub again and again, and start bare Python as often, in turns."""
    which = CONNECTIONS["claude-code"]
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        home = folder / "home"
        with running(home, folder):
            connecting.keep_program(home, which)
            hook, bare = (str(connecting.program_of(home, which)),), (sys.executable, "-IS", "-c", "pass")
            took, nothing = [], []
            for number in range(RUNS + 1):
                pair = _ms(hook, which.sample_harmless), _ms(bare, which.sample_harmless)
                if number:  # the first ones warm up
                    took.append(pair[0])
                    nothing.append(pair[1])
    return [
        _figure("median", median(took), median(nothing)),
        Figure(
            bench=BENCH,
            what="that median, in medians of Python started with nothing to do",
            value=median(took) / median(nothing),
            unit="times",
            goal=TIMES_MAX,
        ),
        _figure("99th percentile", percentile(took, TAIL), percentile(nothing, TAIL), TAIL_MS_MAX),
    ]


def _figure(which: str, took_ms: float, nothing_ms: float, goal_ms: float | None = None) -> Figure:
    return Figure(
        bench=BENCH,
        what=f"a harmless tool of an agent, from the start of the hook's program to its end, {which}",
        value=took_ms,
        unit="ms",
        goal=goal_ms,
        reference="Python started with nothing to do",
        reference_value=nothing_ms,
    )


def _ms(command: Sequence[str], said: bytes) -> float:
    began = time.perf_counter()
    done = subprocess.run(command, input=said, stdout=subprocess.PIPE, check=True)
    took_s = time.perf_counter() - began
    assert not done.stdout, "a harmless request was not allowed"
    return took_s * 1_000
