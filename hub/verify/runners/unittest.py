"""unittest: `Ran 5 tests in 0.001s`, then `OK` or `FAILED (failures=1, errors=2, skipped=1)`."""

import re

from hub.contract.runs import CountedTests
from hub.verify.runners.said import Printed, Said, fitting, last_match, number

_RAN = re.compile(r"^Ran (\d+) tests? in (\d+\.\d+)s$")
_END = re.compile(r"^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$")
_NAMED = re.compile(r"^(?:FAIL|ERROR): ")
_UNLOADED = re.compile(r"^ERROR: .*\(unittest\.loader\._FailedTest")
_PART = re.compile(r"([a-z ]+)=(\d+)")
_RAISED = re.compile(r"^\w*(?:Error|Exception)\b")


def read(output: Printed) -> Said | None:
    """Read unittest's last lines."""
    ran, end = last_match(_RAN, output.lines), last_match(_END, output.lines)
    if ran is None or end is None:
        return None
    parts = {name.strip(): number(count) for name, count in _PART.findall(end[1] or "")}
    failed = parts.get("failures", 0) + parts.get("unexpected successes", 0)
    errors, skipped = parts.get("errors", 0), parts.get("skipped", 0)
    total = number(ran[1])
    unloaded = sum(bool(_UNLOADED.search(line)) for line in output.lines)
    return Said(
        tests=CountedTests(
            passed=max(0, total - failed - errors - skipped), failed=failed, errors=errors, skipped=skipped
        ),
        started=not (unloaded and unloaded == total),
        duration_s=float(ran[2]),
        trouble=fitting(_NAMED, output.lines) + fitting(_RAISED, output.lines),
    )
