"""What a project's tests need first: the commands, and where nothing is missing."""

from typing import Any

import pytest

from hub.sense.how_to_test import CannotTest, Interpreter, ProjectLook, WayToTest, how_to_test
from hub.sense.set_up import set_up
from hub.sense.test_commands import is_test_run
from tests.rooms.sense.test_how_to_test import BARE, COMMON, NEEDS, OWN, PLAIN, look

VENV = "/usr/bin/python3 -m venv .venv"
PIP = ".venv/bin/python -m pip install"
PROJECT = "pyproject.toml=[project]\nname = 'shop'\n"
TESTS: dict[str, Any] = {"python_tests": ("tests",), "imports_pytest": True}
BUILT = "[build-system]\nrequires = ['setuptools']\n"
HAS_RICH = Interpreter(path="/usr/bin/python3", has_pytest=True, packages=frozenset({"rich"}))
NO_VENV = Interpreter(path="/usr/bin/python3", makes_environments=False)


@pytest.mark.parametrize(
    ("project", "commands"),
    [
        (look(PROJECT, tools={}, common=PLAIN, **TESTS), (VENV, f"{PIP} -e . pytest")),
        (
            look(f"{PROJECT}optional-dependencies = {{test = ['pytest>=8']}}", tools={}, common=PLAIN, **TESTS),
            (VENV, f"{PIP} -e .[test]"),
        ),
        (
            look(f"{PROJECT}[dependency-groups]\ndev = ['pytest>=8', '--index-url=x', {{include-group = 'a'}}]",
                 tools={}, common=PLAIN, **TESTS),
            (VENV, f"{PIP} -e . pytest>=8"),
        ),
        (
            look("requirements.txt=flask", "requirements-dev.txt=pytest", tools={}, common=COMMON, **TESTS),
            (VENV, f"{PIP} -r requirements.txt -r requirements-dev.txt"),
        ),
        (look("setup.py=setup(install_requires=['x'])", tools={}, common=COMMON, **TESTS),
         (VENV, f"{PIP} -e . pytest")),
        (look(PROJECT, "src", tools={}, common=COMMON, **TESTS), (VENV, f"{PIP} -e . pytest")),
        (look("conftest.py", tools={}, common=PLAIN), (VENV, f"{PIP} pytest")),
        (look("uv.lock", PROJECT, tools={}, common=PLAIN, **TESTS), (VENV, f"{PIP} -e . pytest")),
        (look(PROJECT, own=BARE, **TESTS), ("/p/.venv/bin/python -m pip install -e . pytest",)),
        (look(f"package.json={NEEDS}"), ("/bin/npm install",)),
        (look(f"package.json={NEEDS}", "pnpm-lock.yaml"), ("/bin/pnpm install",)),
    ],
)  # fmt: skip
def test_what_is_missing_is_told_as_commands(project: ProjectLook, commands: tuple[str, ...]) -> None:
    found = set_up(project)
    assert found is not None
    assert tuple(" ".join(step) for step in found.steps) == commands
    assert isinstance(how_to_test(project), CannotTest)


@pytest.mark.parametrize(
    "project",
    [
        look(PROJECT, own=OWN, common=PLAIN, **TESTS),
        look("requirements.txt=rich", tools={}, common=HAS_RICH, **TESTS),
        look(python_tests=("tests",), common=PLAIN),
        look("uv.lock", common=PLAIN, **TESTS),
        look("tox.ini", common=PLAIN, **TESTS),
        look(f"package.json={NEEDS}", "node_modules"),
        look("Cargo.toml"),
        look("Makefile=test:\n\ttrue\n"),
    ],
)
def test_where_nothing_is_missing_the_tests_can_be_run(project: ProjectLook) -> None:
    assert set_up(project) is None
    assert isinstance(how_to_test(project), WayToTest)


def test_where_nobody_can_tell_how_nothing_is_proposed() -> None:
    for project in (
        look(PROJECT, tools={}, common=NO_VENV, **TESTS),
        look(PROJECT, tools={}, **TESTS),
        look(f"package.json={NEEDS}", tools={}),
        look("README.md"),
    ):
        assert set_up(project) is None
        assert isinstance(how_to_test(project), CannotTest)


def test_which_lines_of_a_shell_are_runs_of_tests() -> None:
    runs = (
        "pytest -q", "python3 -m pytest tests/a.py", ".venv/bin/python -m unittest", "npx tape 'test/*.js'",
        "npm test", "npm t -- --watch=false", "npm run test:unit", "yarn test", "pnpm exec vitest run", "nyc mocha",
        "CI=1 npx jest", "cargo test --lib", "go test ./...", "make check", "mvn -B -q test", "./gradlew test",
        "uv run pytest", "poetry run python -m pytest", "cd web && npm test", "node --test", "coverage run -m pytest",
        "tox -e py312", "time ctest --output-on-failure",
    )  # fmt: skip
    others = (
        "npm install", "vim tests/test_a.py", "git commit -m 'npm test'", "pytest --collect-only", "npm run build",
        "pytest | tail", "pytest &", "cargo build", "make", "echo pytest", "pip install pytest", "python test.py",
        "pytest; echo done", "grep -r tape .", "'", "", "npm run", "python -m", "go vet ./...",
    )  # fmt: skip
    assert [line for line in runs if not is_test_run(line)] == []
    assert [line for line in others if is_test_run(line)] == []
