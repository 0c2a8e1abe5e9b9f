"""How a project runs its tests: what its files speak for, in the environment that is its own, or why it cannot be."""

import json

import pytest

from hub.sense.how_to_test import TOOLS, CannotTest, Interpreter, ProjectLook, WayToTest, how_to_test

EVERY_TOOL = {name: f"/bin/{name}" for name in TOOLS}
OWN = Interpreter(path="/p/.venv/bin/python", environment="/p/.venv", has_pytest=True)
BARE = Interpreter(path="/p/.venv/bin/python", environment="/p/.venv")
COMMON = Interpreter(path="/usr/bin/python3", has_pytest=True)
PLAIN = Interpreter(path="/usr/bin/python3")
PYTHON = "/p/.venv/bin/python"
DECLARED = "pyproject.toml=[tool.pulse]\ntest = ['make', 'fast']"
POETRY = "pyproject.toml=[tool.poetry]"
PYTEST = "-m pytest -q -p no:cacheprovider"
SCRIPT = json.dumps({"scripts": {"test": "jest"}})
NEEDS = json.dumps({"scripts": {"test": "jest"}, "devDependencies": {"jest": "^29"}})


def look(*names: str, tools: dict[str, str] = EVERY_TOOL, **more: object) -> ProjectLook:
    """Make a look at a folder with these names; `NAME=text` is a file with words."""
    texts = dict(name.split("=", 1) for name in names if "=" in name)
    top = frozenset(name.partition("=")[0] for name in names)
    return ProjectLook(names=top, texts=texts, tools=tools, **more)  # type: ignore[arg-type]  # the other fields


@pytest.mark.parametrize(
    ("project", "command"),
    [
        (look("tests", python_tests=("tests",), own=OWN, common=COMMON), f"/p/.venv/bin/python {PYTEST}"),
        (look("tests", python_tests=("tests",), own=BARE), "/p/.venv/bin/python -m unittest discover -s tests"),
        (
            look(python_tests=("tests",), own=BARE, is_package=True),
            f"{PYTHON} -m unittest discover -s tests -t .",
        ),
        (look(python_tests=("",), common=PLAIN), "/usr/bin/python3 -m unittest discover"),
        (look("conftest.py", common=COMMON), f"/usr/bin/python3 {PYTEST}"),
        (look("uv.lock", python_tests=("tests",), common=COMMON), f"/bin/uv run python {PYTEST}"),
        (look("uv.lock", python_tests=("tests",), own=OWN), f"/p/.venv/bin/python {PYTEST}"),
        (look("poetry.lock", python_tests=("tests",), common=COMMON), f"/bin/poetry run python {PYTEST}"),
        (
            look(POETRY, python_tests=("tests",), common=COMMON),
            f"/bin/poetry run python {PYTEST}",
        ),
        (look("tox.ini", python_tests=("tests",), common=COMMON), "/bin/tox"),
        (look("tox.ini", python_tests=("tests",), common=COMMON, tools={}), f"/usr/bin/python3 {PYTEST}"),
        (look("noxfile.py"), "/bin/nox"),
        (look(f"package.json={SCRIPT}"), "/bin/npm test"),
        (look(f"package.json={SCRIPT}", "pnpm-lock.yaml"), "/bin/pnpm test"),
        (look(f"package.json={SCRIPT}", "yarn.lock"), "/bin/yarn test"),
        (look('package.json={"packageManager": "yarn@4.1.0", "scripts": {"test": "x"}}'), "/bin/yarn test"),
        (look(f"package.json={NEEDS}", "node_modules"), "/bin/npm test"),
        (look("Cargo.toml"), "/bin/cargo test"),
        (look("go.mod"), "/bin/go test ./..."),
        (look("pom.xml"), "/bin/mvn -B -q test"),
        (look("build.gradle.kts", "gradlew", tools={"./gradlew": "/p/gradlew"}), "/p/gradlew --console=plain test"),
        (look("Makefile=test:\n\tgo vet\n"), "/bin/make test"),
        (
            look(DECLARED, python_tests=("tests",), own=OWN),
            "/bin/make fast",
        ),
    ],
)
def test_tests_are_run_as_the_project_does(project: ProjectLook, command: str) -> None:
    way = how_to_test(project)
    assert isinstance(way, WayToTest), way
    assert " ".join(way.argv) == command


@pytest.mark.parametrize(
    ("project", "why"),
    [
        (look("README.md"), "No tests were found here"),
        (look("package.json={broken"), "No tests were found here"),
        (look("pyproject.toml=tool = 3 ["), "No tests were found here"),
        (look("go.mod", tools={}), "run with go, which was not found. Install it"),
        (look("uv.lock", python_tests=("tests",), common=COMMON, tools={}), "run with uv, which was not found"),
        (look(python_tests=("tests",), imports_pytest=True, own=BARE), ".venv/bin/python -m pip install pytest"),
        (look(python_tests=("tests",), imports_pytest=True, common=PLAIN), "python3 -m venv .venv"),
        (look(python_tests=("tests",)), "Install Python 3"),
        (look(f"package.json={NEEDS}", "pnpm-lock.yaml"), "Run `pnpm install`"),
        (look('pyproject.toml=[tool.pulse]\ntest = ["./run"]', tools={}), "run with ./run, which was not found"),
    ],
)
def test_what_keeps_tests_from_running_is_said_with_how_to_mend_it(project: ProjectLook, why: str) -> None:
    way = how_to_test(project)
    assert isinstance(way, CannotTest), way
    assert why in way.why.text


def test_a_command_says_which_line_it_stands_for() -> None:
    way = how_to_test(look('package.json={"scripts": {"pretest": "tsc", "test": "jest --ci"}}'))
    assert isinstance(way, WayToTest)
    assert way.script == "tsc\njest --ci"
