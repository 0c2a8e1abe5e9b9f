"""Right-sized files and functions (docs/contributing.md)."""

import ast
import statistics
from collections.abc import Iterator

import pytest

from tests.house.source import SHIPPED, at, python_files, tree

FILE_LINES_MAX = 700
FILE_LINES_MEDIAN = 150
FUNCTION_LINES_MAX = 80
FUNCTION_LINES_MEDIAN = 10


def functions(within: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function; to look for them among statements alone takes a fifth of the time."""
    for node in ast.iter_child_nodes(within):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from functions(node)


def function_lengths(*folders: str) -> dict[str, int]:
    return {
        f"{at(path, node.lineno)} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in python_files(*folders)
        for node in functions(tree(path))
    }


def file_lengths(*folders: str) -> dict[str, int]:
    return {at(path, 1): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(*folders)}


@pytest.mark.slow
def test_no_file_is_long() -> None:
    assert {name: lines for name, lines in file_lengths().items() if lines > FILE_LINES_MAX} == {}


@pytest.mark.slow
def test_no_function_is_long() -> None:
    assert {name: lines for name, lines in function_lengths().items() if lines > FUNCTION_LINES_MAX} == {}


def test_most_shipped_files_are_short() -> None:
    assert statistics.median(file_lengths(*SHIPPED).values()) < FILE_LINES_MEDIAN


@pytest.mark.slow
def test_most_shipped_functions_are_short() -> None:
    assert statistics.median(function_lengths(*SHIPPED).values()) < FUNCTION_LINES_MEDIAN
