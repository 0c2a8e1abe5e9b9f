"""Maven's surefire: `Tests run: 5, Failures: 1, Errors: 0, Skipped: 0`, the last one for all classes."""

import re

from hub.contract.runs import CountedTests
from hub.verify.runners.said import Printed, Said, fitting, last_match

_RESULT = re.compile(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$")
_NAMED = re.compile(r"^\[ERROR\]\s+\w+[.:]\S+:\d+")
_UNCOMPILED = re.compile(r"^\[ERROR\] COMPILATION ERROR")
_COMPILING = re.compile(r"^\[ERROR\] \S+\.java:\[\d+,\d+\]")


def read(output: Printed) -> Said | None:
    """Read the sum of all classes."""
    result = last_match(_RESULT, output.lines)
    if result is None:
        broken = any(_UNCOMPILED.match(line) for line in output.lines)
        return Said(started=False, trouble=fitting(_COMPILING, output.lines)) if broken else None
    total, failed, errors, skipped = (int(result[place]) for place in (1, 2, 3, 4))
    return Said(
        tests=CountedTests(
            passed=max(0, total - failed - errors - skipped), failed=failed, errors=errors, skipped=skipped
        ),
        trouble=fitting(_NAMED, output.lines),
    )
