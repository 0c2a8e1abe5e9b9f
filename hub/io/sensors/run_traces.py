"""When were a project's tests last run, by whomever, and how did it end? Told from what test programs leave behind.

What git keeps is no trace: a report that was committed came with the clone.
"""

import os
import tempfile
from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from hub.contract.base import Value
from hub.io.sensors.bounded import head
from hub.io.sensors.workspace import changed_at
from hub.sense.ci_output import ci_result
from hub.sense.run_traces import (
    RunTrace,
    ctest_trace,
    in_base_36,
    jest_passed,
    playwright_trace,
    pytest_trace,
    vitest_trace,
)

TRACE_BYTES_MAX = 1024 * 1024
REPORTS_MAX = 200
SAME_RUN = timedelta(minutes=10)
"""Reports of one run are written within so long of each other."""
PYTEST_CACHE = Path(".pytest_cache/v/cache")
MUTE = (
    *(".coverage", "coverage.xml", "coverage.json", "htmlcov/status.json", ".testmondata"),
    *("coverage/lcov.info", "coverage/coverage-final.json", "coverage/clover.xml", ".nyc_output"),
    *("coverage.out", "cover.out", "c.out", "coverage.txt", "target/llvm-cov/html/index.html", "lcov.info"),
)
"""Traces that say when, and not how it ended."""
REPORTS = (
    *("junit.xml", "reports/junit.xml", "test-results/junit.xml", "test-results.xml", "report.xml"),
    *("target/surefire-reports/TEST-*.xml", "build/test-results/*/TEST-*.xml"),
)
CARGO = ("target/debug/.fingerprint/*/test-*", "target/release/.fingerprint/*/test-*")
"""What cargo notes once it has built a test, which it does to run it: sources that are older were run with it."""
CARGO_SEEN_MAX = 2_000
JEST_CACHE = "perf-cache-*"
"""In jest's folder for temporary files: how long each test file took, and whether it passed."""
JEST_CACHES_MAX = 50
VITEST = ("node_modules/.vite/vitest/results.json", "node_modules/.vite/vitest/*/results.json")
CTEST_FOLDERS = ("Testing/Temporary", "build/Testing/Temporary")
WATCHED = (
    *(str(PYTEST_CACHE / name) for name in ("lastfailed", "nodeids")),
    *("junit.xml", "reports/junit.xml", "test-results/junit.xml", "test-results.xml", "report.xml"),
    *("target/surefire-reports", "build/test-results/test", "test-results/.last-run.json"),
    *("target/debug/.fingerprint", "target/release/.fingerprint"),
    *(f"{folder}/LastTest.log" for folder in CTEST_FOLDERS),
    "node_modules/.vite/vitest/results.json",
    *MUTE,
)
"""What changes with a run: looked at at every tick."""


class TracedRun(Value):
    """The newest run that left a trace."""

    at: datetime
    trace: RunTrace
    path: str


def traced_run(top: Path, kept: Collection[str] = ()) -> TracedRun | None:
    """Return the newest run; of two at one time the one that says how it ended. None when there is no trace.

    Args:
        top: the work tree.
        kept: paths of `WATCHED` that git keeps.
    """
    aside = {place for path in map(top.joinpath, kept) for place in (path, *path.parents)} - {top, *top.parents}
    found = [run for way in WAYS for run in way(top) if Path(run.path) not in aside]
    return max(found, key=lambda run: (run.at, run.trace.passed is not None), default=None)


def _pytest(top: Path) -> Iterator[TracedRun]:
    failed, nodes = top / PYTEST_CACHE / "lastfailed", top / PYTEST_CACHE / "nodeids"
    times = [at for at in (changed_at(failed), changed_at(nodes)) if at is not None]
    if times:
        trace = pytest_trace(_raw(failed))
        # A test file that is gone cannot fail any more; pytest forgets it only when it runs all.
        there = tuple(name for name in trace.failed if (top / name.partition("::")[0]).exists())
        passed = None if trace.passed is None else not there
        yield TracedRun(at=max(times), trace=RunTrace(passed=passed, failed=there), path=str(nodes))


def _vitest(top: Path) -> Iterator[TracedRun]:
    for pattern in VITEST:
        yield from _each(top, pattern, vitest_trace)


def _playwright(top: Path) -> Iterator[TracedRun]:
    yield from _each(top, "test-results/.last-run.json", playwright_trace)


def _ctest(top: Path) -> Iterator[TracedRun]:
    for folder in CTEST_FOLDERS:
        at = changed_at(top / folder / "LastTest.log")
        if at is not None:
            failed = top / folder / "LastTestsFailed.log"
            failed_at = changed_at(failed)
            is_current = failed_at is not None and failed_at >= at - SAME_RUN
            yield TracedRun(at=at, trace=ctest_trace(_raw(failed) if is_current else b""), path=str(failed))


def _reports(top: Path) -> Iterator[TracedRun]:
    for pattern in REPORTS:
        dated = [(at, path) for path in sorted(top.glob(pattern))[:REPORTS_MAX] if (at := changed_at(path))]
        if dated:
            last = max(at for at, _ in dated)
            states = {ci_result(_raw(path)).state for at, path in dated if at >= last - SAME_RUN}
            passed = False if "failed" in states else True if "passed" in states else None
            yield TracedRun(at=last, trace=RunTrace(passed=passed), path=str(dated[-1][1]))


def _mute(top: Path) -> Iterator[TracedRun]:
    for name in MUTE:
        at = changed_at(top / name)
        if at is not None:
            yield TracedRun(at=at, trace=RunTrace(), path=str(top / name))


def _cargo(top: Path) -> Iterator[TracedRun]:
    for pattern in CARGO:
        built = (path for path in islice(top.glob(pattern), CARGO_SEEN_MAX) if not path.suffix)
        dated = [(at, str(path)) for path in built if (at := changed_at(path)) is not None]
        if dated:
            at, path = max(dated)
            yield TracedRun(at=at, trace=RunTrace(), path=path)


def _jest(top: Path) -> Iterator[TracedRun]:
    """Read the caches of this person's jest; a folder of somebody else's by that name says nothing."""
    folder = Path(tempfile.gettempdir()) / f"jest_{in_base_36(os.geteuid())}"
    try:
        is_own = folder.lstat().st_uid == os.geteuid()
    except OSError:
        return
    for path in islice(folder.glob(JEST_CACHE), JEST_CACHES_MAX) if is_own else ():
        at, passed = changed_at(path), jest_passed(_raw(path), str(top))
        if at is not None and passed is not None:
            yield TracedRun(at=at, trace=RunTrace(passed=passed), path=str(path))


WAYS: tuple[Callable[[Path], Iterator[TracedRun]], ...] = (
    *(_pytest, _vitest, _playwright, _ctest, _reports, _mute, _cargo, _jest),
)


def _each(top: Path, pattern: str, read: Callable[[bytes], RunTrace]) -> Iterator[TracedRun]:
    for path in sorted(top.glob(pattern))[:REPORTS_MAX]:
        at = changed_at(path)
        if at is not None:
            yield TracedRun(at=at, trace=read(_raw(path)), path=str(path))


def _raw(path: Path) -> bytes:
    try:
        return head(path, TRACE_BYTES_MAX)
    except OSError:
        return b""
