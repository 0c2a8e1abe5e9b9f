"""What the hub names by a word of its own (a kind of device, a number of a check) the page names in each language."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import ROOT

WORDS = ROOT / "surfaces" / "web" / "page" / "words"
WINDOWS = ("hour", "day", "month")
"""What the one name that is made of parts begins with."""


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield what a key of a check's numbers may be."""
    match node:
        case ast.Constant(value=str(name)):
            yield name
        case ast.JoinedStr(values=[ast.FormattedValue(), ast.Constant(value=str(rest))]):
            yield from (f"{window}{rest}" for window in WINDOWS)


def numbers_of(path: Path) -> Iterator[str]:
    """Yield the names of all numbers that the checks of a module tell."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        told: list[ast.expr] = []
        if isinstance(node, ast.keyword) and node.arg == "numbers":
            told = [node.value]
        elif isinstance(node, ast.Assign) and any(is_numbers(name) for to in node.targets for name in ast.walk(to)):
            told = [node.value]
            yield from (n for to in node.targets if isinstance(to, ast.Subscript) for n in names_in(to.slice))
        for found in (inner for value in told for inner in ast.walk(value) if isinstance(inner, ast.Dict)):
            yield from (name for key in found.keys if key is not None for name in names_in(key))


def is_numbers(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "numbers"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_names_every_number_of_a_check(language: str) -> None:
    words = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    names = {name for path in sorted((ROOT / "hub" / "may").glob("*.py")) for name in numbers_of(path)}
    assert {"depth", "score", "remaining_s", "month_cap_usd", "triggers_per_hour_max"} <= names
    assert {name for name in names if f"rail-number.{name}" not in words} == set()
    assert {key.removeprefix("rail-number.") for key in words if key.startswith("rail-number.")} - names == set()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_names_every_kind_of_device(language: str) -> None:
    words = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    kinds = {path.stem for path in (ROOT / "device_profiles").glob("*.toml")}
    assert "browser" in kinds
    assert {kind for kind in kinds if f"devices.is-{kind}" not in words} == set()
