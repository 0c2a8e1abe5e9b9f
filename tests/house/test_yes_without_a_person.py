"""One function says yes without a person. These are its callers, and nothing reaches what it rests on around it.

A new way past a person shows here: as a caller that is not listed, or as a use of one of the grounds outside it.
"""

import ast
import functools
from collections import defaultdict
from pathlib import Path

import pytest

from tests.house.source import ROOT, SHIPPED, name_of, walk

CALLERS = {
    "hub/may/calls.py": "what an agent does within a run, over ACP",
    "hub/may/gate.py": "work of Pulse's own that is let run alone",
    "hub/loop/open_again.py": "the same, on a card that is open already",
    "hub/loop/permission_grants.py": "what an agent asks, by a grant",
    "hub/io/agents/hooks/asking.py": "what an agent is about to do, by its hook",
}
"""Who calls `unasked`, and for what."""

GROUNDS = {
    "grants_for": {"hub/may/unasked.py", "hub/may/granted.py"},
    "is_set_to_run": {"hub/may/unasked.py"},
    "standing_yes": {"hub/may/unasked.py", "hub/may/standing.py", "hub/may/__init__.py", "hub/loop/earned.py"},
    "is_surely_harmless": {"hub/may/unasked.py", "hub/screening/acts.py"},
    "HARMLESS": {"hub/may/unasked.py", "hub/loop/unusual.py"},
}
"""What a yes rests on, and which files name it: the one function, where it is made, and what looks without a yes."""

YESES = {
    ("says", "let"): {"hub/may/calls.py"},
    ("says", "allow"): {"hub/io/agents/hooks/asking.py"},
    ("autonomous", True): {"hub/may/pipeline.py", "hub/loop/permission_grants.py"},
}
"""How a yes is told, and which files say it."""
MOVED = {
    "hub/contract/words.py": "its name",
    "hub/domain/card_states.py": "the table of moves",
    "hub/io/api/story.py": "told in the story of a card",
    "hub/loop/grants.py": "made with a permit",
    "hub/loop/permission_grants.py": "made by a grant",
}
"""Which files name a card's move without a person."""
TOLD = {"ExecutionStarted", "ConfigPatch"}
"""Messages that tell of acting alone, or set whether it may be: they let nothing run."""


def where(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.cache
def uses() -> tuple[dict[str, set[str]], dict[tuple[str, object], set[str]]]:
    """Return which files name what, and which give what to an argument of that name."""
    named: dict[str, set[str]] = defaultdict(set)
    given: dict[tuple[str, object], set[str]] = defaultdict(set)
    for path, node in walk(*SHIPPED):
        if isinstance(node, ast.Name | ast.Attribute):
            named[name_of(node)].add(where(path))
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                named[one.name].add(where(path))
        elif isinstance(node, ast.Call) and name_of(node.func) not in TOLD:
            for keyword in node.keywords:
                values = [part for part in ast.walk(keyword.value) if isinstance(part, ast.Constant)]
                for value in values if keyword.arg else ():
                    given[keyword.arg or "", value.value].add(where(path))
    return named, given


@pytest.mark.slow
def test_who_lets_something_go_on_without_a_person() -> None:
    own = {"hub/may/unasked.py", "hub/may/__init__.py"}
    assert uses()[0]["unasked"] - own == set(CALLERS)


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUNDS)
def test_nothing_reaches_the_grounds_around_it(name: str) -> None:
    found = {one for one in uses()[0][name] if not one.startswith(("hub/screening/", "hub/lab/"))}
    assert found == {one for one in GROUNDS[name] if not one.startswith("hub/screening/")}


@pytest.mark.slow
def test_a_yes_is_told_where_it_was_given() -> None:
    named, given = uses()
    assert {said: given[said] for said in YESES} == YESES
    assert named["AUTO_APPROVED"] == set(MOVED)


@pytest.mark.slow
def test_the_check_sees_what_is_there() -> None:
    named, given = uses()
    assert "hub/may/unasked.py" in named["grants_for"]
    assert given["says", "deny"]
    assert "no_such_name" not in named
