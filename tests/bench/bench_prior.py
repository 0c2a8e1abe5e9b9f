"""The shipped prior: how long one estimate takes, and what it adds to the hub's memory.

The reference is the least that any reader of the same text does: to split it into words.
How good it is: `python -m tests.bench.prior_training.train WHEEL --figures` (docs/lab.md).
"""

import gzip
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from hub.lab import LabelledOffer, read_offers
from hub.learn.prior import prior_logit
from hub.lexicon import words_of
from tests.bench.figures import Figure, median, percentile
from tests.bench.prior_training.train import ROWS

BENCH = "prior"
REFERENCE = "only splitting the same text into words"
MS = 1_000
MS_GOAL = 1.0
MEMORY_GOAL_MB = 3.0
MEASURED = 400
LOADED = """
import tracemalloc
import hub.learn.prior
from hub.lexicon import shipped
tracemalloc.start()
shipped()
print(tracemalloc.get_traced_memory()[0])
"""


def times(rows: Sequence[LabelledOffer], read: Callable[[str, str], object]) -> list[float]:
    """Return the processor time that each row took, in milliseconds."""
    taken = []
    for row in rows:
        happened, offer = row.happened, row.pred_task or ""
        started = time.thread_time()
        read(happened, offer)
        taken.append((time.thread_time() - started) * MS)
    return taken


def memory_mb() -> float:
    """Return what the table takes in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True)
    return int(ran.stdout) / 1e6


def run() -> list[Figure]:
    """Measure; a few seconds."""
    every = read_offers(gzip.decompress(ROWS.read_bytes()))
    rows = [row for row in every if row.pred_task][:: len(every) // MEASURED]
    prior_logit("warm", "up")
    split = times(rows, lambda happened, offer: [words_of(line) for line in (*happened.splitlines(), offer)])
    cold = times(rows, prior_logit)
    same = times([row for row in rows for _ in range(2)], prior_logit)[1::2]
    return [
        Figure(
            bench=BENCH,
            what="one estimate, up to 20 new lines before it, median",
            value=median(cold),
            unit="ms",
            goal=MS_GOAL,
            reference=REFERENCE,
            reference_value=median(split),
        ),
        Figure(bench=BENCH, what="the same, p99", value=percentile(cold, 0.99), unit="ms"),
        Figure(
            bench=BENCH, what="one more offer at the same moment, median", value=median(same), unit="ms", goal=MS_GOAL
        ),
        Figure(bench=BENCH, what="memory added", value=memory_mb(), unit="MB", goal=MEMORY_GOAL_MB),
    ]
