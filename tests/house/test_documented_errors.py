"""docs/errors.md lists every error code that Pulse shows, and none that it does not."""

import ast
import re

import pytest

from hub.may.pipeline import RAILS
from tests.house.source import ROOT, SHIPPED, at, name_of, walk

PAGE = ROOT / "docs" / "errors.md"
ROOT_CLASS = "PulseError"
REFUSALS = {"Refused", "refused", "CannotUndo"}
"""What makes one: the loop's own, and of what agents may change of the drives."""


def error_classes() -> dict[str, ast.ClassDef]:
    """Every class that descends from PulseError, with the place of its definition; found by name, not by import."""
    classes = {at(path, node.lineno): node for path, node in walk(*SHIPPED) if isinstance(node, ast.ClassDef)}
    family = {ROOT_CLASS}
    grown = 0
    while len(family) > grown:
        grown = len(family)
        family |= {node.name for node in classes.values() if family & {name_of(base) for base in node.bases}}
    return {place: node for place, node in classes.items() if node.name in family}


def own_code(node: ast.ClassDef) -> str:
    for statement in node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        value = getattr(statement, "value", None)
        if any(name_of(target) == "code" for target in targets) and isinstance(value, ast.Constant):
            return str(value.value)
    return ""


def documented_codes() -> list[str]:
    return re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)


def refusals() -> set[str]:
    """The codes of refusals that are values; a rail's refusal is named for the rail."""
    calls = [node for _, node in walk("hub") if isinstance(node, ast.Call) and name_of(node.func) in REFUSALS]
    words = [word.value for call in calls for word in call.keywords if word.arg == "code"]
    plain = {str(word.value) for word in words if isinstance(word, ast.Constant)}
    return plain | {f"rail-{rail.stage}" for rail in RAILS}


def codes() -> dict[str, str]:
    """Each code with the row that docs/errors.md should have, up to what to do."""
    errors = {
        own_code(node): f"| `{own_code(node)}` | {(ast.get_docstring(node) or '').splitlines()[0]} | … |"
        for node in error_classes().values()
        if own_code(node)
    }
    return {code: f"| `{code}` | … | … |" for code in refusals()} | errors


@pytest.mark.slow
def test_every_code_is_documented() -> None:
    missing = [row for code, row in codes().items() if code not in documented_codes()]
    assert not missing, "add to docs/errors.md, with what to do:\n" + "\n".join(sorted(missing))


@pytest.mark.slow
def test_no_code_is_documented_that_is_gone() -> None:
    assert sorted(set(documented_codes()) - set(codes())) == []


def test_codes_are_listed_once_and_in_order() -> None:
    assert documented_codes() == sorted(set(documented_codes()))


@pytest.mark.slow
def test_a_code_means_one_thing() -> None:
    """A code belongs to one class and what descends from it; where layers part two classes, both say the same."""
    owners: dict[str, list[ast.ClassDef]] = {}
    for node in error_classes().values():
        owners.setdefault(own_code(node), []).append(node)
    owners.pop("", None)
    names = {code: {node.name for node in nodes} for code, nodes in owners.items()}
    said = {
        code: {ast.get_docstring(node) for node in nodes if not names[code] & {name_of(base) for base in node.bases}}
        for code, nodes in owners.items()
    }
    assert {code: texts for code, texts in said.items() if len(texts) > 1} == {}


@pytest.mark.slow
def test_every_error_says_what_happened() -> None:
    assert [place for place, node in error_classes().items() if not ast.get_docstring(node)] == []
