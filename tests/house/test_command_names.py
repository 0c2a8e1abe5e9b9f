"""What a person reads names a command as they called it: literals of ours pass the one function that knows that."""

import ast
import re
from collections.abc import Iterator

import pytest

from hub.kit.called import COMMAND
from tests.house.source import ROOT

PRINTS = frozenset({"say", "echo", "secho", "prompt", "confirm", "pause", "_print_beside"})
BY_SCRIPT = re.compile(r"\./pulse\b")
"""Only a checkout has it, and only from its own folder; docs and the `pulse` script itself may name it."""
PLACES = ("hub", "surfaces", "edge")


def calls() -> Iterator[tuple[str, ast.Call]]:
    for place in ("hub/cli", "edge"):
        for path in sorted((ROOT / place).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def name_of(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def literals(node: ast.AST) -> Iterator[str]:
    """Yield the literals below a node, but for those that `as_called` is given."""
    if isinstance(node, ast.Call) and name_of(node) == "as_called":
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from literals(child)


@pytest.mark.slow
def test_what_is_printed_names_no_command_by_a_literal() -> None:
    printed = [
        f"{where}: {text!r}"
        for where, call in calls()
        if name_of(call) in PRINTS
        for argument in call.args
        for text in literals(argument)
        if COMMAND.search(text)
    ]
    assert printed == [], "use `context.hint`, or `as_called`"


@pytest.mark.slow
def test_nothing_names_the_script_of_a_checkout() -> None:
    named = [
        f"{path.relative_to(ROOT)}: {node.value!r}"
        for place in PLACES
        for path in sorted((ROOT / place).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and BY_SCRIPT.search(node.value)
    ]
    assert named == []
