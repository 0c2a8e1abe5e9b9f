"""A `Permit` is the only key to `do`, and only `hub/may` makes one."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import ROOT, SHIPPED, at, name_of, walk

MINT = ROOT / "hub" / "may"
COPIERS = {"replace", "__replace__", "convert", "Decoder", "decode", "cast"}
"""Calls that can make a value of a type from another value; with a Permit they would forge one."""


def makes_a_permit(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    handed_over = any(name_of(value).lower() == "permit" for value in values)
    return name_of(node.func) == "Permit" or (name_of(node.func) in COPIERS and handed_over)


def inherits_permit(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and any(name_of(base) == "Permit" for base in node.bases)


def forgeries() -> Iterator[str]:
    for path, node in walk(*SHIPPED):
        if (makes_a_permit(node) or inherits_permit(node)) and MINT not in path.parents:
            yield at(path, getattr(node, "lineno", 0))


@pytest.mark.slow
def test_only_may_mints_permits() -> None:
    assert list(forgeries()) == []


def first_statement(source: str) -> ast.AST:
    statement = ast.parse(source).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def test_the_check_sees_the_ways_to_make_one() -> None:
    assert makes_a_permit(first_statement("Permit(card_id='1')"))
    assert makes_a_permit(first_statement("judgement.Permit()"))
    assert makes_a_permit(first_statement("msgspec.convert(row, type=Permit)"))
    assert makes_a_permit(first_statement("msgspec.structs.replace(permit, prompt='other')"))
    assert inherits_permit(first_statement("class Mine(Permit): ..."))
    assert not makes_a_permit(first_statement("run(permit)"))


def test_may_itself_is_where_we_look() -> None:
    assert (MINT / "__init__.py").exists(), Path("hub/may moved: this test guards nothing")
