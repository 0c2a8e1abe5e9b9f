"""SECURITY.md promises nothing that no test holds: every test that it names is there."""

import re

import pytest

from tests.house.source import ROOT

TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (?!promised|-)(?P<promise>.+?) \| (?P<tests>.+) \|$", re.MULTILINE)
NAME = re.compile(r"`([^`]+)`")
ROWS = [(row["promise"], row["tests"]) for row in ROW.finditer(TEXT)]


def test_there_is_a_promise_for_each_attacker() -> None:
    attackers = TEXT.count("\n## ")
    assert attackers >= 5
    assert len(ROWS) >= attackers * 3


@pytest.mark.parametrize(("promise", "tests"), ROWS, ids=[promise[:60] for promise, _ in ROWS])
def test_a_promise_is_held_by_tests_that_are_there(promise: str, tests: str) -> None:
    file = ""
    names = NAME.findall(tests)
    assert names, promise
    for name in names:
        path, _, function = name.partition("::")
        file = path or file
        source = (ROOT / file).read_text(encoding="utf-8")
        assert not function or re.search(rf"def {function}\(", source), f"{promise}: {name} is not there"
