"""What test runners print, as they print it: each kind of end, and what becomes of it in words."""

import pytest

from hub.verify.outcome import in_numbers, last_that_matters
from hub.verify.runners import output_of, read

PYTEST_ERRORS = """
==================================== ERRORS ====================================
________________________ ERROR collecting tests/test_a.py ______________________
E   ModuleNotFoundError: No module named 'flask'
=========================== short test summary info ============================
ERROR tests/test_a.py
ERROR tests/test_b.py - SyntaxError: invalid syntax
ERROR tests/test_c.py
!!!!!!!!!!!!!!!!!!! Interrupted: 3 errors during collection !!!!!!!!!!!!!!!!!!!!
3 errors in 0.21s
"""
PYTEST_FAILED = """
..F.                                                                     [100%]
=========================== short test summary info ============================
FAILED tests/test_a.py::test_sum - assert 3 == 4
========================= 1 failed, 3 passed, 2 skipped in 4.12s (0:00:04) =====
"""
UNITTEST_FAILED = """
======================================================================
FAIL: test_sum (test_a.Sums.test_sum)
----------------------------------------------------------------------
AssertionError: 3 != 4

----------------------------------------------------------------------
Ran 5 tests in 0.003s

FAILED (failures=1, errors=1, skipped=1)
"""
UNITTEST_UNLOADED = """
ERROR: test_a (unittest.loader._FailedTest.test_a)
ImportError: Failed to import test module: test_a

----------------------------------------------------------------------
Ran 1 test in 0.000s

FAILED (errors=1)
"""
JEST = """
FAIL src/sum.test.js
  \u25cf sums \u203a adds two numbers

Test Suites: 1 failed, 2 passed, 3 total
Tests:       1 failed, 1 skipped, 11 passed, 13 total
Snapshots:   0 total
Time:        2.514 s, estimated 3 s
Ran all test suites.
"""
JEST_UNSTARTED = """
  \u25cf Test suite failed to run

Test Suites: 1 failed, 1 total
Tests:       0 total
Time:        0.3 s
"""
VITEST = """
 FAIL  src/sum.test.ts > adds
 Test Files  1 failed | 2 passed (3)
      Tests  1 failed | 11 passed (12)
   Start at  10:00:00
   Duration  1.25s (transform 30ms, setup 0ms)
"""
NODE = """
\u2716 adds (1.2ms)
\u2139 tests 3
\u2139 suites 0
\u2139 pass 2
\u2139 fail 1
\u2139 cancelled 0
\u2139 skipped 0
\u2139 todo 0
\u2139 duration_ms 1052.1

\u2716 failing tests:
"""
MOCHA = """
  5 passing (20ms)
  1 pending
  1 failing

  1) sums adds:
"""
GO = """
--- FAIL: TestSum (0.00s)
    sum_test.go:9: got 3
FAIL
FAIL\texample.com/shop/sum\t1.204s
ok  \texample.com/shop/cart\t0.310s
?   \texample.com/shop\t[no test files]
FAIL
"""
GO_VERBOSE = """
--- PASS: TestA (0.00s)
    --- PASS: TestA/b (0.00s)
--- SKIP: TestC (0.00s)
ok  \texample.com/shop\t0.01s
"""
GO_BROKEN = "# example.com/shop\n./sum.go:3:1: syntax error\nFAIL\texample.com/shop [build failed]\nFAIL\n"
CARGO = """
test sums::adds ... FAILED
thread 'sums::adds' panicked at src/lib.rs:9:9:
test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.02s
"""
CARGO_TWO = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n" * 2
CARGO_BROKEN = "error[E0425]: cannot find value `x`\n --> src/lib.rs:1:1\nerror: could not compile `shop` (lib test)\n"
TAPE = """
TAP version 13
# adds
ok 1 should be equal

1..12
# tests 12
# pass  12

# ok

found 0 vulnerabilities
"""
TAPE_FAILED = """
# adds
ok 1 should be equal
not ok 2 should be equal
  ---
    operator: equal
  ...

1..3
# tests 3
# pass  2
# fail  1
"""
MAVEN = """
[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s
[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1
"""


@pytest.mark.parametrize(
    ("printed", "words", "named"),
    [
        ("1991 passed in 14.03s", "1,991 passed in 14 s", ""),
        ("\x1b[32m\x1b[1m12 passed\x1b[0m\x1b[32m in 0.31s\x1b[0m", "12 passed in under a second", ""),
        ("1 passed, 2 warnings in 61.2s (0:01:01)", "1 passed in 1 min", ""),
        ("no tests ran in 0.01s", "No tests were found", ""),
        (PYTEST_ERRORS, "3 errors; tests did not start", "ERROR tests/test_b.py - SyntaxError: invalid syntax"),
        (PYTEST_FAILED, "1 failed, 3 passed, 2 skipped in 4 s", "FAILED tests/test_a.py::test_sum - assert 3 == 4"),
        ("ERROR: usage: pytest [options]", "Tests did not start", "ERROR: usage: pytest [options]"),
        (UNITTEST_FAILED, "1 failed, 1 error, 2 passed, 1 skipped in under a second", "AssertionError: 3 != 4"),
        (UNITTEST_UNLOADED, "1 error; tests did not start", "ImportError: Failed to import test module: test_a"),
        ("Ran 3 tests in 2.100s\n\nOK", "3 passed in 2 s", ""),
        ("Ran 0 tests in 0.000s\n\nOK", "No tests were found", ""),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN", "No tests were found", ""),
        (JEST, "1 failed, 11 passed, 1 skipped in 3 s", "\u25cf sums \u203a adds two numbers"),
        (JEST_UNSTARTED, "1 error; tests did not start", "\u25cf Test suite failed to run"),
        (VITEST, "1 failed, 11 passed in 1 s", "FAIL  src/sum.test.ts > adds"),
        (NODE, "1 failed, 2 passed in 1 s", "\u2716 adds (1.2ms)"),
        ("# tests 0\n# pass 0\n# fail 0\n# duration_ms 3.1", "No tests were found", ""),
        (MOCHA, "1 failed, 5 passed, 1 skipped in under a second", "1) sums adds:"),
        (GO, "1 of 2 packages failed in 2 s", "--- FAIL: TestSum (0.00s)"),
        (GO_VERBOSE, "2 passed, 1 skipped in under a second", ""),
        (GO_BROKEN, "1 error; tests did not start", "./sum.go:3:1: syntax error"),
        ("?   \texample.com/shop\t[no test files]", "No tests were found", ""),
        ("ok  \texample.com/shop\t(cached)", "1 package passed", ""),
        (CARGO, "1 failed, 3 passed, 1 skipped in 1 s", "test sums::adds ... FAILED"),
        (CARGO_TWO, "6 passed in under a second", ""),
        (CARGO_BROKEN, "Tests did not start", "error[E0425]: cannot find value `x`"),
        (MAVEN, "1 failed, 3 passed, 1 skipped", ""),
        (TAPE, "12 passed", ""),
        (TAPE_FAILED, "1 failed, 2 passed", "not ok 2 should be equal"),
    ],
)
def test_what_a_runner_prints_is_said_in_numbers(printed: str, words: str, named: str) -> None:
    said = read(output_of(printed))
    assert said is not None
    assert in_numbers(said, said.duration_s).text == words
    assert (named in said.trouble) if named else said.trouble == ()


def test_sums_of_an_output_with_a_gap_are_not_told() -> None:
    for printed in (GO, CARGO_TWO):
        said = read(output_of(printed, truncated=True))
        assert said is not None
        assert said.tests is None


AUDIT = """
added 1 package, and audited 2 packages in 3s

1 package is looking for funding
  run `npm fund` for details

found 0 vulnerabilities
"""


@pytest.mark.parametrize(
    ("printed", "line"),
    [
        ("building\nall 5 checks are fine\n\n====\n", "all 5 checks are fine"),
        ("ValueError: no such port\n  while reading\nmake: *** [Makefile:2: test] Error 1", "ValueError: no such port"),
        ("npm error code ELIFECYCLE\nnpm error errno 1", ""),
        (f"all 5 checks are fine\n{AUDIT}", "all 5 checks are fine"),
        (AUDIT, ""),
        ("\x1b[31mfatal: not a git repository\x1b[0m\nbye", "fatal: not a git repository"),
        ("", ""),
    ],
)
def test_of_anything_else_the_last_line_that_matters_is_told(printed: str, line: str) -> None:
    assert read(output_of(printed)) is None
    assert last_that_matters(output_of(printed)) == line


def test_of_an_endless_list_of_failures_a_few_are_named() -> None:
    """A line is cut before it is looked at, and no pattern goes back and forth: a flood is read like anything else."""
    flood = "".join(f"FAILED {'a' * 900}{number}\n" for number in range(400))
    said = read(output_of(flood + "1 a" * 60_000 + "\n400 failed in 1.0s"))
    assert said is not None
    assert len(said.trouble) <= 12
    assert max(map(len, said.trouble)) <= 400
