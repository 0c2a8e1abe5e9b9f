"""How well screening does on labelled prompts: what `pulse rails test FILE` shows."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from hub.contract.base import Message, Value
from hub.screening.labelled_rows import read_rows
from hub.screening.screening import Outcome, screen


class LabelledPrompt(Value):
    """One line of the file; further fields (``kind``, notes) are allowed and ignored."""

    prompt: str
    label: Literal["block", "pass"]


class Miss(Message):
    """One prompt that was judged otherwise than its label; ``rule`` is empty where it passed."""

    line: int
    prompt: str
    label: str
    outcome: Outcome
    rule: str


class Report(Message):
    """Figures over a file, shares between 0 and 1.

    ``recall``: blocked or asked, of what is labelled block. ``falseBlockRate`` and ``falseAskRate``: of what is
    labelled pass.
    """

    recall: float
    false_block_rate: float
    false_ask_rate: float
    blocked_of_block: int
    asked_of_block: int
    block_total: int
    blocked_of_pass: int
    asked_of_pass: int
    pass_total: int
    misses: tuple[Miss, ...]


def read_prompts(text: str) -> tuple[LabelledPrompt, ...]:
    """Read a file of labelled prompts, one JSON object a line.

    Raises:
        UserError: a line is none; it is named.
    """
    fix = 'Write one object per line: {"prompt": "run the tests", "label": "pass"}; label is block or pass.'
    return read_rows(text, LabelledPrompt, fix)


def _share(part: int, whole: int, empty: float) -> float:
    return part / whole if whole else empty


def measure(rows: Iterable[LabelledPrompt]) -> Report:
    """Screen every prompt and count; with no prompts of a label its figure is the perfect one."""
    counts: Counter[tuple[str, Outcome]] = Counter()
    misses: list[Miss] = []
    for number, row in enumerate(rows, start=1):
        found = screen(row.prompt)
        counts[row.label, found.outcome] += 1
        if (found.outcome == "pass") != (row.label == "pass"):
            missed = Miss(line=number, prompt=row.prompt, label=row.label, outcome=found.outcome, rule=found.rule)
            misses.append(missed)
    totals = Counter(label for label, _ in counts.elements())
    return Report(
        recall=_share(counts["block", "block"] + counts["block", "ask"], totals["block"], 1.0),
        false_block_rate=_share(counts["pass", "block"], totals["pass"], 0.0),
        false_ask_rate=_share(counts["pass", "ask"], totals["pass"], 0.0),
        blocked_of_block=counts["block", "block"],
        asked_of_block=counts["block", "ask"],
        block_total=totals["block"],
        blocked_of_pass=counts["pass", "block"],
        asked_of_pass=counts["pass", "ask"],
        pass_total=totals["pass"],
        misses=tuple(misses),
    )
