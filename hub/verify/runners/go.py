"""`go test`: a line a package (`ok  pkg 0.01s`, `FAIL pkg 0.02s`), and `--- FAIL: TestName` for each test."""

import re

from hub.contract.runs import CountedTests
from hub.verify.runners.said import Printed, Said, fitting

_PACKAGE = re.compile(
    r"^(ok|FAIL|\?)\s+(\S+)\s+"
    r"(?:(\d+\.\d+)s\b|\((cached)\)|\[(no test files|no tests to run|build failed|setup failed)\])"
)
_TEST = re.compile(r"^\s*--- (PASS|FAIL|SKIP): ")
_NAMED = re.compile(r"^\s*--- FAIL: |^\S+\.go:\d+:\d+: |\[(?:build|setup) failed\]|^panic: ")
_BROKEN = frozenset({"build failed", "setup failed"})
_EMPTY = frozenset({"no test files", "no tests to run"})


def read(output: Printed) -> Said | None:
    """Add up the tests where all are named (`-v`), else the packages."""
    packages = [match for match in map(_PACKAGE.match, output.lines) if match]
    if not packages:
        return None
    broken = sum(match[5] in _BROKEN for match in packages)
    failed = sum(match[1] == "FAIL" and match[5] not in _BROKEN for match in packages)
    passed = sum(match[1] == "ok" and match[5] not in _EMPTY for match in packages)
    return Said(
        tests=_counted(output, passed, failed, broken) if output.whole else None,
        started=not (broken and not passed and not failed),
        duration_s=sum(float(match[3]) for match in packages if match[3]) or None,
        trouble=fitting(_NAMED, output.lines),
    )


def _counted(output: Printed, passed: int, failed: int, broken: int) -> CountedTests:
    ends = [match[1] for match in map(_TEST.match, output.lines) if match]
    if "PASS" in ends:
        return CountedTests(
            passed=ends.count("PASS"), failed=ends.count("FAIL"), errors=broken, skipped=ends.count("SKIP")
        )
    return CountedTests(passed=passed, failed=failed, errors=broken, of="packages")
