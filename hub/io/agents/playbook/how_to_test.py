"""Finding out how a project is tested, by looking at its files. The first way that fits, with its tool there, wins."""

import re
import shutil
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.domain.plan import AnyPlan, CannotPlan, DefiningFile, Plan
from hub.io.agents.defining import DEFINING_BYTES_MAX, DefiningFiles, program_files, real

SCRIPT_CHARS_MAX = 2_000
TEST_FOLDERS = ("tests", "test")
NO_WAY = (
    "No way to run tests was found here (looked for pytest, tox, nox, npm, cargo, go, make). "
    "Install the tool that the project uses, such as pytest in its .venv, or add a `test` target to a Makefile."
)
PYTEST_FILES = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make takes the first that is there."""

_MAKE_TARGET = re.compile(r"^(test|check)\s*:(?!=)", re.MULTILINE)
_RECIPE = r"^{}\s*:(?!=)[^\n]*\n((?:(?:\t[^\n]*)?(?:\n|\Z))*)"
_NPM_PLACEHOLDER = "no test specified"


class TestCommand(Value):
    """What to start, what to add to the environment for it, and which files said so.

    `script` is what the command stands for, where that is a line in one of them.
    """

    argv: tuple[str, ...]
    environment: dict[str, str]
    defined_by: tuple[DefiningFile, ...] = ()
    script: str = ""


class _Package(msgspec.Struct):
    """The part of a package.json that matters here."""

    scripts: dict[str, str] = {}


def find_test_command(workspace: Path, search_path: str | None = None) -> TestCommand | None:
    """Return how to run the tests of a folder, or None.

    Args:
        workspace: the project's folder.
        search_path: where tools are looked for, as in PATH; None is this process's own.
    """
    return _find(DefiningFiles(workspace), search_path)


def plan_tests(workspace: Path, search_path: str | None) -> AnyPlan:
    """Tell what running the tests of a folder would start."""
    files = DefiningFiles(workspace)
    command = _find(files, search_path)
    if files.too_long:
        name, limit = files.too_long[0], DEFINING_BYTES_MAX // 1024
        return CannotPlan(why=f"{name} is longer than {limit} KiB, so what it says cannot be held to what you see.")
    if command is None:
        return CannotPlan(why=NO_WAY)
    return Plan(
        playbook="run-tests",
        argv=command.argv,
        folder=real(workspace),
        environment=tuple(f"{name}={value}" for name, value in sorted(command.environment.items())),
        defined_by=(*command.defined_by, *program_files(command.argv, workspace)),
        script=command.script,
    )


def _find(files: DefiningFiles, search_path: str | None) -> TestCommand | None:
    def tool(name: str) -> str | None:
        return shutil.which(name, path=search_path)

    for way in (_declared, _pytest, _tox, _nox, _npm, _cargo, _go, _make):
        command = way(files, tool)
        if command is not None:
            return command
    return None


Tool = Callable[[str], str | None]


def _declared(files: DefiningFiles, tool: Tool) -> TestCommand | None:
    """Run what the project itself declares: `test = ["./run", "tests"]` under `[tool.pulse]` in its pyproject.toml."""
    try:
        words = tomllib.loads(files.text("pyproject.toml")).get("tool", {}).get("pulse", {}).get("test")
    except (tomllib.TOMLDecodeError, AttributeError):
        return None
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        return None
    own = files.folder / words[0]
    return _made(files, ("pyproject.toml",), str(own.absolute()) if own.is_file() else tool(words[0]), *words[1:])


def _pytest(files: DefiningFiles, tool: Tool) -> TestCommand | None:
    """Run pytest, of the project's own environment if it has one; its cache would be litter in the project."""
    if not _has_python_tests(files):
        return None
    arguments = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    for folder in (files.folder / ".venv", files.folder / "venv"):
        if (folder / "bin" / "python").exists() and any(folder.glob("lib/python3*/site-packages/pytest")):
            command = _made(files, PYTEST_FILES, str(folder / "bin" / "python"), *arguments)
            environment = {"CI": "1", "VIRTUAL_ENV": str(folder)}
            return command and msgspec.structs.replace(command, environment=environment)
    pytest = tool("pytest") or tool("py.test")
    return _made(files, PYTEST_FILES, pytest, *arguments[2:])


def _has_python_tests(files: DefiningFiles) -> bool:
    """Say whether pytest is configured, or there are files that it would collect."""
    workspace = files.folder
    if any((workspace / name).exists() for name in ("pytest.ini", "conftest.py")):
        return True
    if "[tool:pytest]" in files.text("setup.cfg") or _pyproject_has_pytest(files.text("pyproject.toml")):
        return True
    folders = (workspace, *(workspace / name for name in TEST_FOLDERS))
    return any(any(folder.glob("test_*.py")) for folder in folders) or any(
        any((workspace / name).glob("*/**/test_*.py")) for name in TEST_FOLDERS
    )


def _pyproject_has_pytest(text: str) -> bool:
    """Say whether a pyproject.toml configures pytest; a broken one says nothing."""
    try:
        return "pytest" in tomllib.loads(text).get("tool", {})
    except (tomllib.TOMLDecodeError, AttributeError, TypeError):
        return False


def _tox(files: DefiningFiles, tool: Tool) -> TestCommand | None:
    """Run tox where it is configured."""
    there = (files.folder / "tox.ini").exists()
    return _made(files, ("tox.ini", "pyproject.toml", "setup.cfg"), tool("tox")) if there else None


def _nox(files: DefiningFiles, tool: Tool) -> TestCommand | None:
    """Run nox where it is configured."""
    return _made(files, ("noxfile.py",), tool("nox")) if (files.folder / "noxfile.py").exists() else None


def _npm(files: DefiningFiles, tool: Tool) -> TestCommand | None:
    """Run the test script of a package.json, unless it is the placeholder that npm writes."""
    try:
        scripts = msgspec.json.decode(files.text("package.json") or "{}", type=_Package).scripts
    except (msgspec.DecodeError, UnicodeError):
        return None
    script = scripts.get("test", "")
    if not script or _NPM_PLACEHOLDER in script:
        return None
    lines = (scripts.get(name, "") for name in ("pretest", "test", "posttest"))
    return _made(files, ("package.json", ".npmrc"), tool("npm"), "test", script="\n".join(filter(None, lines)))


def _cargo(files: DefiningFiles, tool: Tool) -> TestCommand | None:
    """Run a Rust project's tests."""
    there = (files.folder / "Cargo.toml").exists()
    return _made(files, ("Cargo.toml", ".cargo/config.toml", ".cargo/config"), tool("cargo"), "test") if there else None


def _go(files: DefiningFiles, tool: Tool) -> TestCommand | None:
    """Run a Go module's tests."""
    there = (files.folder / "go.mod").exists()
    return _made(files, ("go.mod", "go.work"), tool("go"), "test", "./...") if there else None


def _make(files: DefiningFiles, tool: Tool) -> TestCommand | None:
    """Run the `test` target of the Makefile that make would take, or `check` if that is its name."""
    name = next((name for name in MAKEFILES if (files.folder / name).exists()), "")
    text = files.text(name) if name else ""
    targets = set(_MAKE_TARGET.findall(text))
    if not targets:
        return None
    target = "test" if "test" in targets else "check"
    recipe = re.search(_RECIPE.format(target), text, re.MULTILINE)
    lines = recipe.group(1).splitlines() if recipe else []
    script = "\n".join(line.strip() for line in lines if line.strip())
    return _made(files, (name,), tool("make"), target, script=script)


def _made(
    files: DefiningFiles, names: Iterable[str], program: str | None, *arguments: str, script: str = ""
) -> TestCommand | None:
    """Make the command if its program is there; `CI` keeps runners from waiting for keys."""
    if program is None:
        return None
    rest = len(script) - SCRIPT_CHARS_MAX
    return TestCommand(
        argv=(program, *arguments),
        environment={"CI": "1"},
        defined_by=files.digests(names),
        script=f"{script[:SCRIPT_CHARS_MAX]}\n({rest} more characters)" if rest > 0 else script,
    )
