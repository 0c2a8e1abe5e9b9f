"""JavaScript's runners: jest, vitest, mocha, tape and `node --test`, each by its own summary."""

import re

from hub.contract.runs import CountedTests
from hub.verify.runners.said import Printed, Said, counts_in, fitting, last_match, number

_JEST = re.compile(r"^Tests:\s+(\d.*\d total)")
_JEST_SUITES = re.compile(r"^Test Suites:\s+(?:(\d+) failed)?.*\d total")
_JEST_TIME = re.compile(r"^Time:\s+(\d+(?:\.\d+)?) (m?s)\b")
_JEST_NAMED = re.compile(r"^\s*● ")
_JEST_WORDS = {"passed": "passed", "failed": "failed", "skipped": "skipped", "todo": "skipped"}

_VITEST = re.compile(r"^\s*Tests\s+((?:\d+ [a-z]+(?: \| )?)+) \(\d+\)$")
_VITEST_FILES = re.compile(r"^\s*Test Files\s+(?:(\d+) failed)?")
_VITEST_TIME = re.compile(r"^\s*Duration\s+(\d+(?:\.\d+)?)(m?s)\b")
_VITEST_NAMED = re.compile(r"^\s*FAIL\s")

_NODE = re.compile(r"^(?:#|\u2139) (tests|pass|fail|cancelled|skipped|todo|duration_ms)\s+(\d+(?:\.\d+)?)$")
_NODE_NAMED = re.compile(r"^\s*(?:not ok \d+ |\u2716 (?!failing tests))")

_MOCHA = re.compile(r"^\s*(\d+) (passing|failing|pending)(?: \((\d+)(m?s|m)\))?$")
_MOCHA_NAMED = re.compile(r"^\s*\d+\) ")
Pattern = re.Pattern[str]
_SECONDS = {"s": 1.0, "ms": 0.001, "m": 60.0}


def read(output: Printed) -> Said | None:
    """Read the summary of whichever runner it was."""
    return _jest(output) or _vitest(output) or _node(output) or _mocha(output)


def _jest(output: Printed) -> Said | None:
    return _by_files(output, _JEST, _JEST_SUITES, _JEST_TIME, _JEST_NAMED)


def _vitest(output: Printed) -> Said | None:
    return _by_files(output, _VITEST, _VITEST_FILES, _VITEST_TIME, _VITEST_NAMED)


def _by_files(output: Printed, summary: Pattern, of_files: Pattern, time: Pattern, named: Pattern) -> Said | None:
    """Return what was counted; files that broke as a whole are errors, and where they are all, nothing started."""
    files, line = last_match(of_files, output.lines), last_match(summary, output.lines)
    if files is None:
        return None
    counted = counts_in(line[1], _JEST_WORDS) if line else CountedTests()
    broken = 0 if counted.failed else number(files[1])
    took = last_match(time, output.lines)
    return Said(
        tests=CountedTests(
            passed=counted.passed, failed=counted.failed, errors=counted.errors + broken, skipped=counted.skipped
        ),
        started=not (broken and not counted.passed),
        duration_s=float(took[1]) * _SECONDS[took[2]] if took else None,
        trouble=fitting(named, output.lines),
    )


def _node(output: Printed) -> Said | None:
    found = {match[1]: match[2] for match in map(_NODE.match, output.lines) if match}
    if not {"tests", "pass"} <= found.keys():  # tape says nothing of failures where there are none
        return None
    counts = {word: int(float(count)) for word, count in found.items()}
    return Said(
        tests=CountedTests(
            passed=counts["pass"],
            failed=counts.get("fail", 0) + counts.get("cancelled", 0),
            skipped=counts.get("skipped", 0) + counts.get("todo", 0),
        ),
        duration_s=float(found["duration_ms"]) / 1_000 if "duration_ms" in found else None,
        trouble=fitting(_NODE_NAMED, output.lines),
    )


def _mocha(output: Printed) -> Said | None:
    found = {match[2]: match for match in map(_MOCHA.match, output.lines) if match}
    passing = found.get("passing")
    if passing is None:
        return None
    counts = {word: number(match[1]) for word, match in found.items()}
    return Said(
        tests=CountedTests(passed=counts["passing"], failed=counts.get("failing", 0), skipped=counts.get("pending", 0)),
        duration_s=float(passing[3]) * _SECONDS[passing[4]] if passing[3] else None,
        trouble=fitting(_MOCHA_NAMED, output.lines),
    )
