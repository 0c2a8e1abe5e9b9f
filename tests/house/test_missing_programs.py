"""A test whose program is missing is skipped with a word in the summary; in CI it fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT

CONFTEST = """
from tests import conftest as shared
from tests.conftest import *

shared.PROGRAMS["needs_mosquitto"] = "no-such-program"
"""
NEEDY = """
import pytest

@pytest.mark.needs_mosquitto
def test_needy():
    pass
"""


def run_needy(folder: Path, ci: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_needy.py").write_text(NEEDY)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = needs_mosquitto\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "-p", "no:cacheprovider"],
        cwd=folder,
        env={**os.environ, "CI": ci, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("ci", "returncode", "outcome"), [("", 0, "skipped"), ("true", 1, "failed")])
def test_a_missing_program_is_seen(tmp_path: Path, ci: str, returncode: int, outcome: str) -> None:
    done = run_needy(tmp_path, ci)
    assert f"no-such-program: 1 test(s) {outcome}" in done.stdout, done.stdout + done.stderr
    assert done.returncode == returncode
