"""`git checkout` of a file throws away what was not committed: which words are files, and which are branches."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    *(f"git checkout {name}" for name in ("Makefile", "README", "LICENSE", "Dockerfile", "sub/Gemfile", "gradlew")),
    *(f"git checkout {name}" for name in (".gitignore", ".github", "src/app.py", "docs/", "/home/me/shop/x")),
    *(f"git checkout '{name}'" for name in (":/src", ":/", ":(top)src", ":!x", ":^x", ":(glob)**/x")),
    'git checkout "$PWD"',
    'git checkout "$(pwd)"',
    "git checkout $(git rev-parse --show-toplevel)",
)
SILENT = (
    *(f"git checkout {name}" for name in ("main", "feature/x", "-", "PROJ-12", "v1.2", "HEAD~1", "a1b2c3d", "@{-1}")),
    "git checkout -b README",
    "git checkout fix/makefile-target",
    "git checkout release/2024-01",
    "git checkout README-rewrite",
)


@pytest.mark.parametrize("command", ASKING)
def test_a_file_is_discarded(command: str) -> None:
    assert Effect.DELETES in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", SILENT)
def test_a_branch_is_not(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
