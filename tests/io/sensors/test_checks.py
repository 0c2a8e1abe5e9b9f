"""Ruff asked beside the loop: the real program, a real repository."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.io.sensors.checks import errors_of_change
from hub.io.sensors.git_program import open_work_tree
from hub.io.sensors.guard import Disk
from tests.fakes.plain_words import plain
from tests.io.sensors.git_repo import Repo

NOW = datetime(2030, 1, 7, 14, tzinfo=UTC)
HERE = str(Path(sys.executable).parent)


@pytest.fixture
def checked(repo: Repo) -> Repo:
    repo.write("pyproject.toml", '[tool.ruff]\nlint.select = ["F"]\n')
    repo.commit("cart.py", "import os\n", at=NOW)
    return repo


async def found(repo: Repo, tracked: list[str], new: list[str], search_path: str = HERE) -> list[tuple[str, str]]:
    git = await open_work_tree(repo.path, Disk())
    errors = await errors_of_change(git, tracked, new, Disk(), search_path)
    return [(plain(each.path), plain(each.text).partition(" ")[0]) for each in errors]


@pytest.mark.slow
async def test_only_errors_that_the_change_brings_are_told(checked: Repo) -> None:
    checked.write("cart.py", "\nimport os\n\nprint(totl)\n")
    checked.write("new.py", "import sys\n")
    assert await found(checked, ["cart.py"], ["new.py", "gone.py", "notes.md"]) == [
        ("cart.py", "F821"),
        ("new.py", "F401"),
    ]


@pytest.mark.slow
async def test_a_ruff_that_lies_in_the_repository_is_never_run(checked: Repo, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    checked.write(".venv/bin/ruff", f"#!/bin/sh\ntouch {ran}\n")
    fake = checked.path / ".venv/bin/ruff"
    fake.chmod(0o755)
    checked.write("cart.py", "print(totl)\n")
    assert await found(checked, ["cart.py"], [], str(fake.parent)) == []
    outside = tmp_path / "bin"
    outside.mkdir()
    (outside / "ruff").symlink_to(fake)
    assert await found(checked, ["cart.py"], [], str(outside)) == []
    assert not ran.exists()


@pytest.mark.slow
async def test_without_its_configuration_or_with_a_broken_one_nothing_is_said(checked: Repo) -> None:
    checked.write("cart.py", "print(totl)\n")
    checked.write("pyproject.toml", "[tool.ruff]\nno-such-key = 1\n")
    assert await found(checked, ["cart.py"], []) == []
    checked.write("pyproject.toml", "[project]\n")
    assert await found(checked, ["cart.py"], []) == []
