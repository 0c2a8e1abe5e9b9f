"""Git is started in one place, where a repository cannot make it run programs."""

import ast
from pathlib import PurePath

import pytest

from tests.house.source import SHIPPED, at, name_of, short, walk

ONE_PLACE = "hub/io/sensors/git_program.py"
LOOKS_FOR_PROGRAMS = {"which", "subprocess_exec", "create_subprocess_exec", "run", "Popen", "execv", "execve", "execvp"}


def names_git(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and PurePath(node.value).name == "git"


def starts_git(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        called = name_of(node.func) in LOOKS_FOR_PROGRAMS
        return called and any(names_git(argument) for argument in node.args)
    return isinstance(node, ast.Tuple | ast.List) and len(node.elts) > 1 and names_git(node.elts[0])


def places() -> list[str]:
    thinking = ("hub/may/", "hub/screening/")  # they read command lines, and cannot start anything
    return [
        at(path, node.lineno)
        for path, node in walk(*SHIPPED)
        if isinstance(node, ast.expr) and starts_git(node) and not short(path).startswith(thinking)
    ]


@pytest.mark.slow
def test_git_is_started_in_one_place() -> None:
    assert {place.partition(":")[0] for place in places()} == {ONE_PLACE}


def test_other_ways_to_start_it_would_be_found() -> None:
    found = [
        'run(["git", "status"])',
        'argv = ("/usr/bin/git", *words)',
        'await asyncio.create_subprocess_exec("git", "log")',
        'shutil.which("git")',
    ]
    assert all(any(starts_git(node) for node in ast.walk(ast.parse(code))) for code in found)
