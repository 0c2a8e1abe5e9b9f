"""What test programs leave behind: did the last run fail, and what? Readers of pytest, Vitest, jest, Playwright, CTest.

JUnit reports (Maven, Gradle and others) are read as in ci_output.py.
"""

import json
from typing import Any

import msgspec

from hub.contract.base import Value
from hub.kit.text import one_line

NAMES_MAX = 50
NAME_CHARS_MAX = 160


class RunTrace(Value):
    """How a run ended; `passed` is None where the trace does not say."""

    passed: bool | None = None
    failed: tuple[str, ...] = ()


class _VitestFile(msgspec.Struct):
    failed: bool = False


class _Vitest(msgspec.Struct):
    results: list[tuple[str, _VitestFile]] = []


class _Playwright(msgspec.Struct):
    status: str = ""


def pytest_trace(raw: bytes) -> RunTrace:
    """Read `.pytest_cache/v/cache/lastfailed`: what failed when it last ran; `{}` when all of it passed since."""
    try:
        found: Any = json.loads(raw or b"{}")
    except ValueError:
        return RunTrace()
    if not isinstance(found, dict):
        return RunTrace()
    return _trace([name for name, failed in found.items() if failed is True])


def vitest_trace(raw: bytes) -> RunTrace:
    """Read Vitest's `results.json`; a file's name begins with the project's, up to a colon."""
    try:
        found = msgspec.json.decode(raw, type=_Vitest)
    except msgspec.DecodeError:
        return RunTrace()
    return _trace([name.partition(":")[2].lstrip("/") or name for name, file in found.results if file.failed])


def playwright_trace(raw: bytes) -> RunTrace:
    """Read Playwright's `.last-run.json`."""
    try:
        status = msgspec.json.decode(raw, type=_Playwright).status
    except msgspec.DecodeError:
        return RunTrace()
    return RunTrace(passed={"passed": True, "failed": False}.get(status))


def ctest_trace(raw: bytes) -> RunTrace:
    """Read CTest's `LastTestsFailed.log`: `number:name` of each that failed; it is empty or gone when none did."""
    lines = raw.decode("utf-8", "replace").splitlines()
    return _trace([name for line in lines if (name := line.partition(":")[2].strip())])


def jest_passed(raw: bytes, top: str) -> bool | None:
    """Read jest's `perf-cache-…`, `{path: [1 or 0, milliseconds]}`; None where it says nothing of this project."""
    try:
        found = msgspec.json.decode(raw, type=dict[str, list[float]])
    except msgspec.DecodeError:
        return None
    mine = [said[0] for path, said in found.items() if path.startswith(f"{top.rstrip('/')}/") and said]
    return all(mine) if mine else None


def in_base_36(number: int) -> str:
    """Write a number as jest writes a person's, in 0-9 and a-z."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    written = ""
    while number or not written:
        number, rest = divmod(number, len(digits))
        written = f"{digits[rest]}{written}"
    return written


def _trace(failed: list[str]) -> RunTrace:
    names = tuple(one_line(name, NAME_CHARS_MAX) for name in failed[:NAMES_MAX])
    return RunTrace(passed=not failed, failed=names)
