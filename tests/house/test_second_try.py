"""A test that fails by chance is tried once more and named; one that fails again, or in company, fails the suite."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT

pytestmark = pytest.mark.slow
BY_CHANCE = """
from pathlib import Path

def test_by_chance():
    seen = Path("seen")
    is_second = seen.exists()
    seen.touch()
    assert is_second
"""
ALWAYS = """
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_always(number):
    raise AssertionError
"""
NAMED = "passed at the second try only:\n  test_chance.py::test_by_chance"


def run_suite(folder: Path, **files: str) -> subprocess.CompletedProcess[str]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    plain = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p tests.forked"}  # the others take seconds
    environment = {**os.environ, **plain, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.suite", "-q"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_what_passes_alone_is_named(tmp_path: Path) -> None:
    done = run_suite(tmp_path, test_chance=BY_CHANCE)
    assert (done.returncode, NAMED in done.stdout) == (0, True), done.stdout + done.stderr


def test_what_fails_again_fails_the_suite(tmp_path: Path) -> None:
    done = run_suite(tmp_path, test_chance=BY_CHANCE, test_always=ALWAYS.format(count=1))
    assert (done.returncode, NAMED in done.stdout) == (1, False), done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout


def test_many_are_not_tried_again(tmp_path: Path) -> None:
    done = run_suite(tmp_path, test_always=ALWAYS.format(count=4))
    assert (done.returncode, "once more" in done.stdout) == (1, False), done.stdout + done.stderr


def test_what_cannot_be_run_is_not_tried_again(tmp_path: Path) -> None:
    done = run_suite(tmp_path, test_broken="this is no Python")
    assert done.returncode != 0
    assert "once more" not in done.stdout
