"""The whole suite on four workers; the few tests that fail get one more try, alone, and the summary names them.

    python -m tests.suite [OPTIONS OF PYTEST]

Why a second try, and why it is never silent: docs/adr/0022-a-second-try.md.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PYTEST = (sys.executable, "-m", "pytest")
WORKERS = ("--workers", "4")
"""Four on two cores: some work while others wait (docs/adr/0049, 0128). What stays whole, `tests/workers.py` says."""
FAILED = Path(".pytest_cache/v/cache/lastfailed")
"""Where pytest writes down what failed: a JSON object with a key for each test."""
TESTS_FAILED = 1
"""Pytest's exit code for it; others say that it could not run them."""
SECOND_TRIES_MAX = 3
"""When more tests fail, it is not chance."""


def main(options: Sequence[str]) -> int:
    """Run the suite of the current folder, and the few failed tests again; return pytest's exit code."""
    FAILED.unlink(missing_ok=True)  # of an earlier run
    code = subprocess.call([*PYTEST, *WORKERS, *options])
    failed = sorted(json.loads(FAILED.read_text())) if FAILED.exists() else []
    could_run = all("::" in name for name in failed)  # a file by itself is one that could not even be collected
    if code != TESTS_FAILED or not could_run or not 1 <= len(failed) <= SECOND_TRIES_MAX:
        return code
    write("failed, and are tried once more, alone", failed)
    code = subprocess.call([*PYTEST, *options, *failed])
    if code == 0:
        write("passed at the second try only", failed)
    return code


def write(words: str, names: Sequence[str]) -> None:
    """Print a paragraph that stands out among pytest's own lines."""
    sys.stdout.write("\n".join(["", f"── {words}:", *(f"  {name}" for name in names), "", ""]))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
