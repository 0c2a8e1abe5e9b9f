"""All that holds the code: lint, format, types, import rules and the tests, one after another but for the tests.

    python -m tests.steps [OPTIONS OF PYTEST]

The tests go on beside the rest, which takes one core and mypy's time (docs/adr/0128). What a step says is shown in one
piece when it is over, only pytest speaks all along. A failure keeps no other step from running.
"""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from tests import suite

PYTHON = sys.executable
LOOKS: Mapping[str, Sequence[str]] = {
    "lint (ruff check)": (PYTHON, "-m", "ruff", "check", "--output-format", "concise", "."),
    "format (ruff format --check)": (PYTHON, "-m", "ruff", "format", "--check", "--output-format", "concise", "."),
    "types (mypy)": (PYTHON, "-m", "mypy"),
    "import rules (import-linter)": (
        PYTHON,
        "-c",
        "from importlinter.cli import lint_imports_command as main; main()",
    ),
}
"""What looks at the code without running it, by the name of the step."""
TESTS = "tests (pytest)"


def main(options: Sequence[str]) -> int:
    """Run all steps, the tests with these options; return 1 if any failed."""
    return run(LOOKS, lambda: suite.main(options))


def run(looks: Mapping[str, Sequence[str]], tests: Callable[[], int]) -> int:
    """Run the tests, which return an exit code, and beside them one look after another; print how each went."""
    with ThreadPoolExecutor(max_workers=1) as beside:
        looked = beside.map(look, looks, looks.values())
        say(f"\n── {TESTS}\n")
        tested = tests() == 0
        verdicts = {**dict(zip(looks, looked, strict=True)), TESTS: tested}
    rows = (f"  {'ok' if is_well else 'FAILED':<7} {name}" for name, is_well in verdicts.items())
    say("\n".join(["", "── summary", *rows, ""]))
    return 0 if all(verdicts.values()) else 1


def look(name: str, command: Sequence[str]) -> bool:
    """Run one step and show what it says; return whether all is well."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    say(f"\n── {name}\n{done.stdout}")
    return done.returncode == 0


def say(words: str) -> None:
    """Print at once: pytest writes to the same terminal."""
    sys.stdout.write(words)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
