"""What a test runner's output says, and the little that its readers share."""

import re
from collections.abc import Iterable

from hub.contract.base import Value
from hub.contract.runs import CountedTests

TROUBLE_LINES_MAX = 12


class Said(Value):
    """What a runner said: `tests` None where it could not be counted, `started` false where no test began.

    `trouble` names what failed, the runner's own lines; `duration_s` is the tests' time as it was told.
    """

    tests: CountedTests | None = None
    started: bool = True
    duration_s: float | None = None
    trouble: tuple[str, ...] = ()


class Printed(Value):
    """A program's output as lines without colour; `whole` is whether all of it was kept."""

    lines: tuple[str, ...]
    whole: bool = True


def number(text: str | None) -> int:
    """Return a count as a runner writes it; nothing is none."""
    return int(text.replace(",", "")) if text else 0


def last_match(pattern: re.Pattern[str], lines: Iterable[str]) -> re.Match[str] | None:
    """Return the match of the last line that fits."""
    found = None
    for line in lines:
        found = pattern.search(line) or found
    return found


def fitting(pattern: re.Pattern[str], lines: Iterable[str]) -> tuple[str, ...]:
    """Return the first lines that fit, each once."""
    found = dict.fromkeys(line.strip() for line in lines if pattern.search(line))
    return tuple(found)[:TROUBLE_LINES_MAX]


def counts_in(text: str, words: dict[str, str]) -> CountedTests:
    """Add up counts such as "1 failed, 2 passed": `words` gives each of the runner's words its field."""
    total = {"passed": 0, "failed": 0, "errors": 0, "skipped": 0}
    for count, word in re.findall(r"(\d[\d,]*) ([a-z]+)", text):
        if word in words:
            total[words[word]] += number(count)
    return CountedTests(
        passed=total["passed"], failed=total["failed"], errors=total["errors"], skipped=total["skipped"]
    )
