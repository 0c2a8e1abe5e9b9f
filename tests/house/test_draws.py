"""What Hypothesis draws is the same at every run, whatever the code around says; a find comes with what keeps it."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import as_example
from tests.house.source import ROOT

PLANTED = """
from hypothesis import given, strategies as st

@given(number=st.integers(0, 9), words=st.just("a"))
def test_planted(number: int, words: str) -> None:
    assert number < 5 or words != "a"

@given(data=st.data())
def test_drawn_within(data: st.DataObject) -> None:
    assert data.draw(st.integers(0, 9)) < 5
"""


def drawn() -> list[tuple[int, str]]:
    seen = []

    @given(number=st.integers(), words=st.text())
    def gather(number: int, words: str) -> None:
        seen.append((number, words))

    gather()
    return seen


@pytest.mark.slow
def test_a_test_draws_the_same_at_every_run() -> None:
    assert drawn() == drawn()


@pytest.mark.slow
def test_a_constant_more_in_the_code_changes_no_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn()
    path = tmp_path / "constants.py"
    path.write_text("\n".join(f"NUMBER_{at}, WORDS_{at} = 77{at:05}, 'words {at}'" for at in range(500)))
    spec = importlib.util.spec_from_file_location("constants_of_a_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "constants_of_a_test", module)
    assert drawn() == before


@pytest.mark.parametrize(
    ("call", "kept"),
    [
        ("test_it(\n    words=' ',\n    at=(1, None),\n)", "@example(words=' ', at=(1, None))"),
        ("test_it(\n    data=data(...),\n)", ""),
        ("test_it(\n    thing=<Thing at 0x7f>,\n)", ""),
    ],
)
def test_a_find_becomes_an_example_where_it_can(call: str, kept: str) -> None:
    assert as_example(call) == kept


@pytest.mark.slow
def test_exploring_names_each_find_and_what_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "test_planted.py").write_text(PLANTED)
    explore = (sys.executable, "-m", "tests.explore", "0.001", "test_planted.py", "-p", "tests.conftest")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(explore, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    _, _, finds = done.stdout.partition("── found")
    assert "above @given of test_planted.py:4: @example(number=5, words='a')" in finds
    assert "test_planted.py::test_drawn_within\n    no line can say it" in finds
