"""How well the filter does on labelled prompts: what `pulse rails test FILE` shows."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from hub.contract.base import Message, Value
from hub.errors import UserError
from hub.may.content.screening import screen

LINES_MAX = 100_000
"""More lines than this are refused rather than read for minutes."""


class LabelledPrompt(Value):
    """One line of the file; further fields (``kind``, notes) are allowed and ignored."""

    prompt: str
    label: Literal["block", "pass"]


class Miss(Message):
    """One prompt that the filter judged otherwise than its label; ``rule`` is empty when nothing matched."""

    line: int
    prompt: str
    label: str
    rule: str


class Report(Message):
    """Figures over a file: ``recall`` and ``falseBlockRate`` are shares between 0 and 1."""

    recall: float
    false_block_rate: float
    blocked_of_block: int
    block_total: int
    blocked_of_pass: int
    pass_total: int
    misses: tuple[Miss, ...]


def read_rows(text: str) -> tuple[LabelledPrompt, ...]:
    """Read JSON lines, skipping empty ones.

    Raises:
        UserError: a line is not JSON, or lacks ``prompt`` or a ``label`` of block or pass; names the line.
    """
    lines = text.split("\n")
    if len(lines) > LINES_MAX:
        raise UserError(f"The file has more than {LINES_MAX} lines.", fix="Split it and test the parts.")
    decoder = msgspec.json.Decoder(LabelledPrompt)
    rows: list[LabelledPrompt] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            rows.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeError) as error:
            raise UserError(
                f"Line {number} is not a labelled prompt: {error}.",
                fix='Write one object per line: {"prompt": "run the tests", "label": "pass"}; label is block or pass.',
            ) from error
    return tuple(rows)


def _share(part: int, whole: int, empty: float) -> float:
    return part / whole if whole else empty


def measure(rows: Iterable[LabelledPrompt]) -> Report:
    """Screen every prompt and count; with no prompts of a label its figure is the perfect one."""
    totals = {"block": 0, "pass": 0}
    blocked = {"block": 0, "pass": 0}
    misses: list[Miss] = []
    for number, row in enumerate(rows, start=1):
        hit = screen(row.prompt)
        totals[row.label] += 1
        blocked[row.label] += hit is not None
        if (hit is not None) != (row.label == "block"):
            misses.append(Miss(line=number, prompt=row.prompt, label=row.label, rule=hit.rule if hit else ""))
    return Report(
        recall=_share(blocked["block"], totals["block"], 1.0),
        false_block_rate=_share(blocked["pass"], totals["pass"], 0.0),
        blocked_of_block=blocked["block"],
        block_total=totals["block"],
        blocked_of_pass=blocked["pass"],
        pass_total=totals["pass"],
        misses=tuple(misses),
    )
