"""Every step runs, whatever becomes of the others, and what it said is shown."""

import pytest

from tests.steps import LOOKS, TESTS, run

WELL = ("sh", "-c", "echo all is well")
ILL = ("sh", "-c", "echo line 3 is wrong >&2; exit 1")


@pytest.mark.parametrize(
    ("looks", "tests", "code"),
    [((WELL, WELL), 0, 0), ((ILL, WELL), 0, 1), ((WELL, ILL), 0, 1), ((WELL, WELL), 1, 1), ((WELL, WELL), 3, 1)],
)
def test_one_failure_is_enough(looks: tuple[tuple[str, ...], ...], tests: int, code: int) -> None:
    assert run(dict(zip(("first", "second"), looks, strict=True)), lambda: tests) == code


def test_all_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    run({"first": ILL, "second": WELL}, lambda: 0)
    said = capfd.readouterr().out
    assert "── first\nline 3 is wrong\n" in said
    assert "── second\nall is well\n" in said
    assert said.endswith(f"── summary\n  FAILED  first\n  ok      second\n  ok      {TESTS}\n")


def test_nothing_is_left_out() -> None:
    words = [" ".join(command) for command in LOOKS.values()]
    for each in ("ruff check", "ruff format --check", "-m mypy", "importlinter"):
        assert any(each in one for one in words)
