"""Screening over every list of labelled prompts: what it holds back, what it holds back in vain, and how long it takes.

The reference is what CROSSPOLL 3.5 spells out, read literally: a prompt is held back when it contains one of its
words. Figures count for lists that nothing was learnt from; `python -m tests.bench.prose_training.train --figures`
leaves each of the other lists out in turn (docs/content-filter.md).
"""

import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hub.lab.screening_report import LabelledCommand, LabelledPrompt, Report, measure, measure_commands, read_rows
from hub.screening import screen
from hub.screening.screening import SCREENED_CHARS_MAX
from tests.bench.figures import Figure, median, percentile

BENCH = "filter"
TESTS = Path(__file__).resolve().parents[1]
CORPUS = TESTS / "rooms" / "may" / "corpus"
COMMANDS = TESTS / "screening" / "commands" / "corpus"
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
RECALL_GOAL = 0.97
FALSE_BLOCKS_GOAL = 0.01
FALSE_ASKS_GOAL = 0.07
COMMANDS_FOUND_GOAL, FALSE_ALARMS_GOAL = 0.99, 0.03
MS = 1_000
MS_GOAL = 1.0
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
    worst = max(best_ms((piece * SCREENED_CHARS_MAX)[:SCREENED_CHARS_MAX]) for piece in LONG_PIECES)
    return [
        Figure(bench=BENCH, what="one prompt, median", value=median(each), unit="ms", goal=MS_GOAL),
        Figure(bench=BENCH, what="one prompt, p99", value=percentile(each, 0.99), unit="ms"),
        Figure(bench=BENCH, what="worst 16,384 characters", value=worst, unit="ms"),
    ]


def of_list(name: str, report: Report) -> list[Figure]:
    """Return the figures of one list that nothing was learnt from."""
    return [
        Figure(bench=BENCH, what=f"{name}: recall", value=report.recall, unit="share", better="higher"),
        Figure(bench=BENCH, what=f"{name}: falseBlockRate", value=report.false_block_rate, unit="share"),
        Figure(bench=BENCH, what=f"{name}: falseAskRate", value=report.false_ask_rate, unit="share"),
    ]


def of_commands(name: str, title: str, *, is_goal: bool) -> list[Figure]:
    """Return the figures of commands by families of programs, beside what the same filter says of them as prompts."""
    rows = read_rows((COMMANDS / f"{name}.jsonl").read_text(encoding="utf-8"), LabelledCommand)
    report = measure_commands(rows)
    as_prompts = [LabelledPrompt(prompt=row.command, label="block" if row.dangerous else "pass") for row in rows]
    card_cache, false = rates(as_prompts, lambda prompt: screen(prompt).outcome != "pass")
    shared = {"bench": BENCH, "unit": "share", "reference": "the same lines screened as prompts"}
    return [
        Figure(
            **shared,
            what=f"{title}: dangerous ones found",
            value=report.recall,
            better="higher",
            goal=COMMANDS_FOUND_GOAL if is_goal else None,
            reference_value=card_cache,
        ),
        Figure(
            **shared,
            what=f"{title}: harmless ones called dangerous",
            value=report.false_alarm_rate,
            goal=FALSE_ALARMS_GOAL if is_goal else None,
            reference_value=false,
        ),
    ]


def run() -> list[Figure]:
    """Measure everything; about ten seconds."""
    names = tomllib.loads((CORPUS / "split.toml").read_text(encoding="utf-8"))["test"]
    lists = {name: read_rows((CORPUS / f"{name}.jsonl").read_text(encoding="utf-8"), LabelledPrompt) for name in names}
    reports = {name: measure(rows) for name, rows in lists.items()}
    plain = [rates(rows, has_word) for rows in lists.values()]
    count = len(lists)
    return [
        *(figure for name, report in reports.items() for figure in of_list(name, report)),
        Figure(
            bench=BENCH,
            what=f"recall, average of {count} lists not learnt from",
            value=sum(report.recall for report in reports.values()) / count,
            unit="share",
            better="higher",
            goal=RECALL_GOAL,
            reference=REFERENCE,
            reference_value=sum(card_cache for card_cache, _ in plain) / count,
        ),
        Figure(
            bench=BENCH,
            what="falseBlockRate, average",
            value=sum(report.false_block_rate for report in reports.values()) / count,
            unit="share",
            goal=FALSE_BLOCKS_GOAL,
            reference=REFERENCE,
            reference_value=sum(false for _, false in plain) / count,
        ),
        Figure(
            bench=BENCH,
            what="falseAskRate, average",
            value=sum(report.false_ask_rate for report in reports.values()) / count,
            unit="share",
            goal=FALSE_ASKS_GOAL,
        ),
        *of_commands("families_apart", "commands of 14 families never looked at", is_goal=True),
        *of_commands("second_families_apart", "commands of 15 everyday families never looked at", is_goal=True),
        *of_commands("everyday", "everyday commands, written before the table was made strict", is_goal=True),
        *of_commands("second_families", "commands of 15 everyday families looked at", is_goal=False),
        *of_commands("families_opened", "commands of 16 families looked at late", is_goal=False),
        *of_commands("families", "commands of 35 families looked at", is_goal=False),
        *times([row for rows in lists.values() for row in rows]),
    ]
