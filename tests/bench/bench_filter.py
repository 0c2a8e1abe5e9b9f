"""The content filter over every corpus file: what it finds, what it holds back in vain, and how long a prompt takes.

The reference is what CROSSPOLL 3.5 spells out, read literally: a prompt is held back when it contains one of its
words. The files are those of the tests; docs/content-filter.md lists what each gave on its first run.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hub.may.content import LabelledPrompt, read_rows, screen
from hub.may.content.limits import MAX_SCREENED_CHARS
from tests.bench.figures import Figure, median, percentile

BENCH = "filter"
CORPUS = Path(__file__).resolve().parents[1] / "rooms" / "may" / "corpus"
REFERENCE = "the words of CROSSPOLL 3.5 as substrings"
WORDS = (
    "rm -rf",
    "drop table",
    "delete production",
    "email",
    "tweet",
    "public message",
    "payment",
    "transfer",
    "purchase",
)
RECALL_GOAL = 0.99
FALSE_BLOCKS_GOAL = 0.02
MS = 1_000
ROUNDS = 3
LONG_PIECES = ("a|", "{a,b}", "curl -d ", "explain rm -rf x ", "to delete a ", "'", ": a ", "get the bill of a ")


def has_word(prompt: str) -> bool:
    """Say whether the plain filter holds ``prompt`` back."""
    lowered = prompt.lower()
    return any(word in lowered for word in WORDS)


def rates(rows: Iterable[LabelledPrompt], blocks: Callable[[str], bool]) -> tuple[float, float]:
    """Return recall and false-block rate, shares from 0 to 1."""
    held = {"block": [0, 0], "pass": [0, 0]}
    for row in rows:
        held[row.label][0] += blocks(row.prompt)
        held[row.label][1] += 1
    return held["block"][0] / held["block"][1], held["pass"][0] / held["pass"][1]


def best_ms(prompt: str) -> float:
    """Return the fastest of a few readings, in milliseconds."""
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        screen(prompt)
        taken.append(time.perf_counter() - started)
    return min(taken) * MS


def times(rows: Sequence[LabelledPrompt]) -> list[Figure]:
    """Measure each prompt of the corpus, and long texts made to be slow."""
    each = [best_ms(row.prompt) for row in rows]
    worst = max(best_ms((piece * MAX_SCREENED_CHARS)[:MAX_SCREENED_CHARS]) for piece in LONG_PIECES)
    return [
        Figure(bench=BENCH, what="one prompt, median", value=median(each), unit="ms"),
        Figure(bench=BENCH, what="one prompt, p99", value=percentile(each, 0.99), unit="ms"),
        Figure(bench=BENCH, what="worst 16,384 characters", value=worst, unit="ms"),
    ]


def run() -> list[Figure]:
    """Measure everything; about ten seconds."""
    rows = [row for path in sorted(CORPUS.glob("*.jsonl")) for row in read_rows(path.read_text(encoding="utf-8"))]
    recall, false_blocks = rates(rows, lambda prompt: screen(prompt) is not None)
    plain_recall, plain_false_blocks = rates(rows, has_word)
    return [
        Figure(
            bench=BENCH,
            what=f"recall on {len(rows):,} labelled prompts",
            value=recall,
            unit="share",
            better="higher",
            goal=RECALL_GOAL,
            reference=REFERENCE,
            reference_value=plain_recall,
        ),
        Figure(
            bench=BENCH,
            what="falseBlockRate",
            value=false_blocks,
            unit="share",
            goal=FALSE_BLOCKS_GOAL,
            reference=REFERENCE,
            reference_value=plain_false_blocks,
        ),
        *times(rows),
    ]
