"""Only `hub/may` builds a `Permit`: the key to everything dangerous has one maker."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MAKER = ROOT / "hub" / "may"


def makes_permit(source: str) -> bool:
    """Whether a module builds a `Permit`: calls it by any name it has there, converts to it, or copies one."""
    tree = ast.parse(source)
    names = {"Permit"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.name == "Permit" and alias.asname}
    return any(_builds(node, names) for node in ast.walk(tree))


def _builds(node: ast.AST, names: set[str]) -> bool:
    if isinstance(node, ast.ClassDef):
        return any(_is_named(base, names) for base in node.bases)
    if not isinstance(node, ast.Call) or _is_named(node.func, {"isinstance", "issubclass"}):
        return False
    if _is_named(node.func, {"replace"}) and node.args:
        return _is_named(node.args[0], {"permit"})
    typed = [keyword.value for keyword in node.keywords if keyword.arg == "type"]
    return any(_is_named(part, names) for part in (node.func, *node.args, *typed))


def _is_named(node: ast.expr, names: set[str]) -> bool:
    return getattr(node, "id", getattr(node, "attr", None)) in names


@pytest.mark.parametrize(
    "source",
    [
        "Permit(a=1)",
        "from x import Permit as Key\nKey(a=1)",
        "judgement.Permit(a=1)",
        "msgspec.convert({}, Permit)",
        "msgspec.json.decode(b'', type=Permit)",
        "class Mine(Permit): pass",
        "replace(execution.permit, prompt='another')",
    ],
)
def test_the_check_sees_every_way_to_build_one(source: str) -> None:
    assert makes_permit(source)


@pytest.mark.parametrize(
    "source",
    [
        "def do(permit: Permit) -> None: ...",
        "x: Permit | None = None",
        "match x:\n    case Permit(): pass",
        "isinstance(x, Permit)",
    ],
)
def test_the_check_lets_a_permit_be_used(source: str) -> None:
    assert not makes_permit(source)


@pytest.mark.slow
def test_nobody_else_builds_a_permit() -> None:
    files = [path for folder in ("hub", "surfaces", "edge") for path in sorted((ROOT / folder).rglob("*.py"))]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    makers = {path for path, text in texts.items() if "permit" in text.lower() and makes_permit(text)}
    assert makers == {MAKER / "pipeline.py"}
