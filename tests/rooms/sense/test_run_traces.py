"""What test programs leave behind."""

import pytest

from hub.sense.run_traces import RunTrace, ctest_trace, playwright_trace, pytest_trace, vitest_trace

READERS = (pytest_trace, vitest_trace, playwright_trace)


def test_pytest() -> None:
    assert pytest_trace(b"") == pytest_trace(b"{}") == RunTrace(passed=True)
    assert pytest_trace(b'{"t.py::a": true}') == RunTrace(passed=False, failed=("t.py::a",))


def test_vitest() -> None:
    said = b'{"results": [[":src/a.test.ts", {"duration": 1, "failed": true}], [":b.test.ts", {"failed": false}]]}'
    assert vitest_trace(said) == RunTrace(passed=False, failed=("src/a.test.ts",))


def test_playwright_and_ctest() -> None:
    assert playwright_trace(b'{"status": "failed", "failedTests": []}') == RunTrace(passed=False)
    assert ctest_trace(b"3:parses_dates\n7:rounds\n") == RunTrace(passed=False, failed=("parses_dates", "rounds"))
    assert ctest_trace(b"") == RunTrace(passed=True)


@pytest.mark.parametrize("read", READERS)
def test_what_is_broken_says_nothing(read: object) -> None:
    assert callable(read)
    for raw in (b"[", b"[1]", b'"x"', b"\xff"):
        assert read(raw) == RunTrace()
