"""Where the tests put their files, and how workers share them."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.house.source import ROOT
from tests.in_memory import OF_PYTEST, can_hold_them, keep_temporary_files_in_memory
from tests.left_out import WITHOUT_SLOW, is_left_out
from tests.workers import SLOW_S, longest_first, seconds_by_test, unit_of

BOTH = """
import pytest

def test_quick():
    pass

@pytest.mark.slow
def test_slow():
    pass
"""
STILL_THERE = "assert os.path.isdir(sys.argv[1])"


def item(name: str, *, slow: bool = False) -> pytest.Item:
    return cast("pytest.Item", SimpleNamespace(nodeid=name, get_closest_marker=lambda _mark: slow or None))


def test_a_place_that_somebody_named_stays(tmp_path: Path) -> None:
    environ = {"TMPDIR": "/elsewhere"}
    keep_temporary_files_in_memory(environ, tmp_path)
    assert environ == {"TMPDIR": "/elsewhere"}


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    environ: dict[str, str] = {}
    keep_temporary_files_in_memory(environ, tmp_path / "none")
    assert environ == {}
    assert not can_hold_them(tmp_path / "none")


def test_the_folder_is_used_from_then_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.in_memory.FREE_BYTES_MIN", 0)
    monkeypatch.setattr(tempfile, "tempdir", "/before")
    environ: dict[str, str] = {}
    own = keep_temporary_files_in_memory(environ, tmp_path)
    assert environ == {"TMPDIR": own, OF_PYTEST: str(tmp_path)}
    assert (Path(own).parent, Path(own).is_dir()) == (tmp_path, True)
    assert tempfile.tempdir is None


def test_what_a_run_leaves_goes_with_the_process_that_began_it(tmp_path: Path) -> None:
    begins = f"from tests.in_memory import remove_at_exit; remove_at_exit({str(tmp_path / 'left')!r})"
    (tmp_path / "left" / "by a killed hub").mkdir(parents=True)
    forked = f"{begins}; import os, sys; child = os.fork(); child or sys.exit(); os.waitpid(child, 0); {STILL_THERE}"
    subprocess.run([sys.executable, "-c", forked, str(tmp_path / "left")], cwd=ROOT, check=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("marks", "is_left"),
    [
        ("pytestmark = pytest.mark.slow", True),
        ("pytestmark = [pytest.mark.slow, pytest.mark.needs_node]", True),
        ("pytestmark = [\n    pytest.mark.needs_node,\n    pytest.mark.slow,\n]", True),
        ("pytestmark = [pytest.mark.needs_node]\n\n\n@pytest.mark.slow", False),
        ("pytestmark = pytest.mark.slower", False),
        ("@pytest.mark.slow", False),
    ],
)
def test_a_file_is_left_unread_only_where_all_its_tests_are_left_out(
    tmp_path: Path, marks: str, *, is_left: bool
) -> None:
    path = tmp_path / "test_some.py"
    path.write_text(f"import pytest\n\n{marks}\ndef test_it() -> None: ...\n")
    assert is_left_out(path, WITHOUT_SLOW) is is_left
    assert not is_left_out(path, "")
    assert not is_left_out(path, "slow or not slow")


def test_a_file_stays_whole_and_so_do_the_house_tests() -> None:
    assert unit_of("tests/web/test_a.py::test_x[1::2]") == "tests/web/test_a.py"
    assert unit_of("tests/house/test_a.py::test_x") == unit_of("tests/house/test_b.py::test_y") == "tests/house"


def test_what_took_longest_comes_first_and_a_file_keeps_its_order() -> None:
    items = [item("a::1"), item("b::1"), item("b::2"), item("c::new", slow=True), item("a::2")]
    longest_first(items, {"b::1": 0.5, "b::2": 3.0, "a::1": 0.1})
    assert [each.nodeid for each in items] == ["b::1", "b::2", "c::new", "a::1", "a::2"]
    assert 0.1 < SLOW_S < 3.5


def test_all_that_belongs_to_a_test_is_its_time() -> None:
    reports = [SimpleNamespace(nodeid=name, duration=took_s) for name, took_s in (("a", 1.0), ("a", 0.5), ("b", 0.001))]
    assert seconds_by_test(cast("Any", reports)) == {"a": 1.5}


@pytest.mark.slow
@pytest.mark.parametrize(("options", "times"), [((), 1), (("-k", "slow"), 1), (("-m", ""), 0)])
def test_slow_tests_that_are_left_out_are_counted(tmp_path: Path, options: tuple[str, ...], times: int) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_both.py").write_text(BOTH)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\naddopts = -m 'not slow'\n")
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "-p", "no:cacheprovider", *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.stdout.count("1 slow test was left out; -m '' runs all.") == times, said.stdout + said.stderr
