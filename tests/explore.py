"""New draws for every test with Hypothesis, round after round, for as long as one likes; each find with what keeps it.

    ./pulse test explore [MINUTES] [PATH …]     without minutes: until Ctrl-C

A test that found something is left out of the rounds that follow. Exit code 1 if there was any find.
"""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.suite import PYTEST, TESTS_FAILED, WORKERS, write

EXPLORE = "explore"
"""The profile that draws anew; `tests/draws.py` says what else it does."""
KEPT = "finds"
"""The name under which a run leaves its finds in pytest's cache."""
FINDS = Path(".pytest_cache/v", KEPT)
HEADING = "found; add the line, mend what is wrong, and ./pulse test holds it from then on"
ROUND = ("-q", "-m", "hypothesis", "--hypothesis-profile", EXPLORE)
NO_LINE = "no line can say it: its steps, and the decorator that repeats them, stand above"


def main(arguments: Sequence[str]) -> int:
    """Explore until the minutes are over, Ctrl-C is pressed or pytest itself cannot go on; say what was found."""
    minutes, paths = minutes_and_paths(arguments)
    ends_at, finds, code = time.monotonic() + minutes * 60, dict[str, str](), 0
    try:
        while code in {0, TESTS_FAILED} and time.monotonic() < ends_at:
            FINDS.unlink(missing_ok=True)
            known = (f"--deselect={name}" for name in finds)
            code = subprocess.call([*PYTEST, *ROUND, *WORKERS, *known, *paths])
            finds |= json.loads(FINDS.read_text()) if FINDS.exists() else {}
    except KeyboardInterrupt:
        code = 0
    if finds:
        write(HEADING, [f"{name}\n    {line or NO_LINE}" for name, line in finds.items()])
        return 1
    return code


def minutes_and_paths(arguments: Sequence[str]) -> tuple[float, Sequence[str]]:
    """Read the command's words; without minutes there is no end."""
    if not arguments:
        return float("inf"), ()
    try:
        return float(arguments[0]), arguments[1:]
    except ValueError:
        return float("inf"), arguments


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
