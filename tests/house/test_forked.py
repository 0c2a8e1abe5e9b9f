"""Workers that are forked once all is collected: each test runs once, in whole files, whatever becomes of a worker."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forked import with_following
from tests.house.source import ROOT
from tests.house.test_how_tests_run import item
from tests.workers import units_of

DIES = """
import os, signal

def test_before(tmp_path): print("said")
def test_dies(): os.kill(os.getpid(), signal.SIGKILL)
def test_after(tmp_path): assert list(tmp_path.iterdir()) == []
"""
SHARES = """
import os, pathlib, pytest

@pytest.fixture(scope="session")
def worker(): return os.getpid()

def test_none(): pytest.skip("not today")
def test_one(worker): pathlib.Path("one").write_text(str(worker))
def test_two(worker): assert pathlib.Path("one").read_text() == str(os.getpid()) != os.environ["PARENT"]
def test_three(worker, tmp_path_factory): print("heard"); assert tmp_path_factory.mktemp("a").exists() and False
"""
PARENT = "import os, sys, pytest; os.environ['PARENT'] = str(os.getpid()); sys.exit(pytest.main(sys.argv[1:]))"


def run_forked(folder: Path, *options: str, **files: str) -> subprocess.CompletedProcess[str]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PARENT, "-q", "-ra", "-p", "tests.forked", *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_who_dies_fails_one_test_and_another_worker_goes_on(tmp_path: Path) -> None:
    done = run_forked(tmp_path, "--workers", "2", test_dies=DIES, test_shares=SHARES)
    assert (done.returncode, "2 failed, 4 passed, 1 skipped" in done.stdout) == (1, True), done.stdout + done.stderr
    assert "ended with -9 while it ran test_dies.py::test_dies" in done.stdout
    assert "SKIPPED [1] test_shares.py:7: not today" in done.stdout
    assert "heard" in done.stdout
    assert "said" not in done.stdout


@pytest.mark.slow
def test_enough_is_enough(tmp_path: Path) -> None:
    done = run_forked(tmp_path, "--workers", "1", "-x", test_fails="def test_one(): assert 0\ndef test_two(): pass")
    assert (done.returncode, "1 failed in" in done.stdout) == (1, True), done.stdout + done.stderr


def test_a_unit_is_all_tests_of_a_file_in_their_order() -> None:
    assert units_of([item("a::1"), item("b::1"), item("tests/house/c::1"), item("a::2"), item("tests/house/d::1")]) == [
        [0, 3],
        [1],
        [2, 4],
    ]


def test_a_test_knows_what_follows() -> None:
    assert list(with_following([3, 4])) == [(3, 4), (4, None)]
    assert list(with_following([])) == []
