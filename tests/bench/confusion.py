"""What was said and what each engine understood, as Markdown: a table for each engine and level of noise."""

from collections.abc import Sequence

from edge.bench import Result
from edge.recordings import LABELS

TITLE = "## What was said, and what was understood"
KEY = """\
A row for what was said, a column for what was understood, in recordings; `none` is everything that is no command. A
number in the column `approve` below its first row is a false approval. The null ear understands nothing."""


def section(results: Sequence[Result]) -> str:
    """Return the tables of all results under one heading."""
    return "\n\n".join([TITLE, KEY, *(_table(one) for one in results)])


def _table(result: Result) -> str:
    rows = [
        f"| {result.engine}, {result.noise} | {' | '.join(LABELS)} | right |",
        "|---" * (len(LABELS) + 2) + "|",
    ]
    for said in LABELS:
        heard = result.confusion.get(said, {})
        if heard:
            counts = " | ".join(str(heard.get(label, 0)) for label in LABELS)
            rows.append(f"| {said} | {counts} | {heard.get(said, 0) / sum(heard.values()):.0%} |")
    return "\n".join(rows)
