"""Programs that tests need, and what Hypothesis draws.

Without its program a test is skipped, and the summary says so; under CI that is an error.
"""

import gc
import importlib.util
import os
import shutil
import signal
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from tests import draws
from tests.explore import KEPT
from tests.forked import pytest_addoption, pytest_runtestloop  # noqa: F401  hooks of this file, too
from tests.in_memory import keep_temporary_files_in_memory, remove_at_exit
from tests.left_out import is_left_out
from tests.workers import TOOK, longest_first, seconds_by_test

PROGRAMS = {
    "needs_bubblewrap": "bwrap",
    "needs_chromium": "chromium",
    "needs_dbus": "dbus-daemon",
    "needs_firefox": "firefox-esr",
    "needs_gh": "gh",
    "needs_flite": "flite",
    "needs_mosquitto": "mosquitto",
    "needs_node": "npm",
    "needs_pulseaudio": "pulseaudio",
    "needs_trainer": str(Path(__file__).parents[1] / ".venv-train" / "bin" / "transformers"),
    "needs_systemd": "systemd-analyze",
    "needs_socket_activate": "systemd-socket-activate",
    "needs_zsh": "zsh",
}
"""Marker → the program that its tests start."""
LEFT_OUT = frozenset({"needs_trainer"})
"""Without these tests are left out under CI, too, and named: 1.5 GB of libraries and ten minutes (contributing.md)."""
os.environ.pop("PULSE_CALLED_AS", None)  # what is printed must not hang on how somebody called the tests
SYSTEM_FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")
"""Where packages put programs although a person's PATH often leaves it out."""

GARBAGE_LOOK_AT = 50_000
"""After so many new objects Python looks for garbage, instead of 700: a run's heap is large, and each look reads it."""

NEVER_COMPILED = "PYTHONDONTWRITEBYTECODE"
"""Where it is set, each run, worker and program that a test starts would compile the same code anew."""

THREADS_OF_NUMPY = "OPENBLAS_NUM_THREADS"
"""One, unless somebody has said otherwise: there are more workers than cores, and threads that wait for one another
spin. To be set before NumPy is imported."""

NOT_INSTALLED = "sniffio"
"""HTTP clients ask for it at every request; a module that does not exist is looked for in every folder, every time."""

sys.dont_write_bytecode = False
os.environ.pop(NEVER_COMPILED, None)
os.environ.setdefault(THREADS_OF_NUMPY, "1")
gc.set_threshold(GARBAGE_LOOK_AT)
gc.disable()  # until all is collected: nearly all of it stays
remove_at_exit(keep_temporary_files_in_memory())
if importlib.util.find_spec(NOT_INSTALLED) is None:
    sys.modules[NOT_INSTALLED] = None  # type: ignore[assignment]  # how Python itself remembers that there is none
draws.set_up()
missing_programs = pytest.StashKey[dict[str, int]]()
slow_left_out = pytest.StashKey[int]()


def is_here(program: str) -> bool:
    return bool(shutil.which(program) or shutil.which(program, path=os.pathsep.join(SYSTEM_FOLDERS)))


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def pytest_configure(config: pytest.Config) -> None:
    # What a shell began in the background ignores Ctrl-C, and so would every command that a test begins and ends by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.stash[missing_programs] = {}
    for marker, program in PROGRAMS.items():
        config.addinivalue_line("markers", f"{marker}: needs the program {program}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    carried = {mark.name for mark in item.iter_markers()}
    for marker, program in PROGRAMS.items():
        if marker not in carried or is_here(program):
            continue
        counts = item.config.stash[missing_programs]
        counts[program] = counts.get(program, 0) + 1
        if in_ci() and marker not in LEFT_OUT:
            pytest.fail(f"needs the program {program}, and CI must not skip it", pytrace=False)
        pytest.skip(f"needs the program {program}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and (lines := draws.lines_to_keep(item)):
        report.sections.append((draws.TO_KEEP, "\n".join(lines)))
    return report


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return is_left_out(collection_path, config.option.markexpr) or None  # None: others may still say so


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On several workers, begin with what takes longest: no worker is left with it at the end."""
    if config.option.workers and hasattr(config, "cache"):
        longest_first(items, config.cache.get(TOOK, {}))


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the slow tests that are left out: what `-m` drops is nothing else, what `-k` drops is mixed."""
    if all(item.get_closest_marker("slow") for item in items):
        items[0].config.stash[slow_left_out] = len(items)


def pytest_collection_finish() -> None:
    gc.freeze()  # all tests stay until the end: no collection need look at them again
    gc.enable()
    draws.print_finds_whole()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if failed := terminalreporter.getreports("failed"):
        config.cache.set(KEPT, draws.finds_to_keep(failed))
    if hasattr(config, "cache"):
        passed = seconds_by_test(report for phase in ("", "passed") for report in terminalreporter.getreports(phase))
        config.cache.set(TOOK, config.cache.get(TOOK, {}) | passed)
    if (left_out := config.stash.get(slow_left_out, 0)) and config.option.markexpr == "not slow":
        are = "test was" if left_out == 1 else "tests were"
        terminalreporter.write_line(f"{left_out} slow {are} left out; -m '' runs all.", yellow=True)
    counts = config.stash[missing_programs]
    if not counts:
        return
    terminalreporter.section("programs that are missing")
    for program, count in sorted(counts.items()):
        is_failed = in_ci() and program not in {PROGRAMS[marker] for marker in LEFT_OUT}
        outcome = "failed" if is_failed else "skipped"
        terminalreporter.write_line(f"{program}: {count} test(s) {outcome}; see system-packages.txt", yellow=True)
