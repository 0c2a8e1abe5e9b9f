"""`cargo test`: `test result: ok. 3 passed; 0 failed; 1 ignored; …; finished in 0.01s` for each binary."""

import re

from hub.contract.runs import CountedTests
from hub.verify.runners.said import Printed, Said, fitting

_RESULT = re.compile(
    r"^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;.*?(?:finished in (\d+\.\d+)s)?$"
)
_NAMED = re.compile(r"^test .+ \.\.\. FAILED$|^thread '.+' (?:\(\d+\) )?panicked at ")
_COMPILING = re.compile(r"^error(?:\[E\d+\])?: |^\s*--> ")
_UNCOMPILED = re.compile(r"^error: could not compile ")


def read(output: Printed) -> Said | None:
    """Add up the results of all binaries."""
    results = [match for match in map(_RESULT.match, output.lines) if match]
    if not results:
        broken = sum(bool(_UNCOMPILED.match(line)) for line in output.lines)
        return Said(started=False, trouble=fitting(_COMPILING, output.lines)) if broken else None
    passed, failed, ignored = (sum(int(match[place]) for match in results) for place in (1, 2, 3))
    return Said(
        tests=CountedTests(passed=passed, failed=failed, skipped=ignored) if output.whole else None,
        duration_s=sum(float(match[4]) for match in results if match[4]) or None,
        trouble=fitting(_NAMED, output.lines),
    )
