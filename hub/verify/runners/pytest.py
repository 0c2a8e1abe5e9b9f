"""pytest: `3 failed, 12 passed in 1.02s`, with or without a frame of `=`; `no tests ran in 0.01s`."""

import re

from hub.contract.runs import CountedTests
from hub.verify.runners.said import TROUBLE_LINES_MAX, Printed, Said, counts_in, fitting, last_match

_SUMMARY = re.compile(
    r"^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests (?:ran|collected)) in (\d+\.\d+)s(?: \([\d:]+\))?(?: =+)?$"
)
_UNSTARTED = re.compile(r"^!+ Interrupted: .*during collection !+$|^(?:=+ )?no tests ran ")
_NAMED = re.compile(r"^(?:FAILED|ERROR) \S")
_ASSERTED = re.compile(r"^E   ")
_USAGE = re.compile(
    r"^(?:ERROR: (?:usage: |not found: |file or directory not found: )|ImportError while loading conftest)"
)
_WORDS = {
    "passed": "passed",
    "xpassed": "passed",
    "xfailed": "passed",
    "failed": "failed",
    "error": "errors",
    "errors": "errors",
    "skipped": "skipped",
}


def read(output: Printed) -> Said | None:
    """Read pytest's last line, and what failed by its short summary."""
    summary = last_match(_SUMMARY, output.lines)
    if summary is None:
        broken = fitting(_USAGE, output.lines)
        return Said(started=False, trouble=broken + fitting(_ASSERTED, output.lines)) if broken else None
    tests = counts_in(summary[1], _WORDS)
    unstarted = any(_UNSTARTED.search(line) for line in output.lines) and not (tests.passed or tests.failed)
    named, asserted = fitting(_NAMED, output.lines), fitting(_ASSERTED, output.lines)
    return Said(
        tests=tests if tests != CountedTests() or summary[1].startswith("no tests") else None,
        started=not (unstarted and tests.errors),
        duration_s=float(summary[2]),
        trouble=(named if named and not unstarted else named + asserted)[:TROUBLE_LINES_MAX],
    )
