"""Finding out how a project is tested, by looking at its files. The first way that fits, with its tool there, wins."""

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec

from hub.contract.base import Value

CONFIG_BYTES_MAX = 262_144
TEST_FOLDERS = ("tests", "test")

_MAKE_TARGET = re.compile(r"^(test|check)\s*:(?!=)", re.MULTILINE)
_NPM_PLACEHOLDER = "no test specified"


class TestCommand(Value):
    """What to start, and what to add to the environment for it."""

    argv: tuple[str, ...]
    environment: dict[str, str]


class _Package(msgspec.Struct):
    """The part of a package.json that matters here."""

    scripts: dict[str, str] = {}


def find_test_command(workspace: Path, search_path: str | None = None) -> TestCommand | None:
    """Return how to run the tests of a folder, or None.

    Args:
        workspace: the project's folder.
        search_path: where tools are looked for, as in PATH; None is this process's own.
    """

    def tool(name: str) -> str | None:
        return shutil.which(name, path=search_path)

    for way in (_declared, _pytest, _tox, _nox, _npm, _cargo, _go, _make):
        command = way(workspace, tool)
        if command is not None:
            return command
    return None


Tool = Callable[[str], str | None]


def _declared(workspace: Path, tool: Tool) -> TestCommand | None:
    """Run what the project itself declares: `test = ["./run", "tests"]` under `[tool.pulse]` in its pyproject.toml."""
    try:
        words = tomllib.loads(_read(workspace / "pyproject.toml")).get("tool", {}).get("pulse", {}).get("test")
    except (tomllib.TOMLDecodeError, AttributeError):
        return None
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        return None
    own = workspace / words[0]
    return _with_tool(str(own.absolute()) if own.is_file() else tool(words[0]), *words[1:])


def _pytest(workspace: Path, tool: Tool) -> TestCommand | None:
    """Run pytest, of the project's own environment if it has one; its cache would be litter in the project."""
    if not _has_python_tests(workspace):
        return None
    arguments = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    for folder in (workspace / ".venv", workspace / "venv"):
        if (folder / "bin" / "python").exists() and any(folder.glob("lib/python3*/site-packages/pytest")):
            environment = {"CI": "1", "VIRTUAL_ENV": str(folder)}
            return TestCommand(argv=(str(folder / "bin" / "python"), *arguments), environment=environment)
    pytest = tool("pytest") or tool("py.test")
    return _with_tool(pytest, *arguments[2:])


def _has_python_tests(workspace: Path) -> bool:
    """Say whether pytest is configured, or there are files that it would collect."""
    if any((workspace / name).exists() for name in ("pytest.ini", "conftest.py")):
        return True
    if "[tool:pytest]" in _read(workspace / "setup.cfg") or _pyproject_has_pytest(workspace / "pyproject.toml"):
        return True
    folders = (workspace, *(workspace / name for name in TEST_FOLDERS))
    return any(any(folder.glob("test_*.py")) for folder in folders) or any(
        any((workspace / name).glob("*/**/test_*.py")) for name in TEST_FOLDERS
    )


def _pyproject_has_pytest(path: Path) -> bool:
    """Say whether a pyproject.toml configures pytest; a broken one says nothing."""
    try:
        return "pytest" in tomllib.loads(_read(path)).get("tool", {})
    except (tomllib.TOMLDecodeError, AttributeError, TypeError):
        return False


def _tox(workspace: Path, tool: Tool) -> TestCommand | None:
    """Run tox where it is configured."""
    return _with_tool(tool("tox")) if (workspace / "tox.ini").exists() else None


def _nox(workspace: Path, tool: Tool) -> TestCommand | None:
    """Run nox where it is configured."""
    return _with_tool(tool("nox")) if (workspace / "noxfile.py").exists() else None


def _npm(workspace: Path, tool: Tool) -> TestCommand | None:
    """Run the test script of a package.json, unless it is the placeholder that npm writes."""
    text = _read(workspace / "package.json") or "{}"
    try:
        script = msgspec.json.decode(text, type=_Package).scripts.get("test", "")
    except (msgspec.DecodeError, UnicodeError):
        return None
    return _with_tool(tool("npm"), "test") if script and _NPM_PLACEHOLDER not in script else None


def _cargo(workspace: Path, tool: Tool) -> TestCommand | None:
    """Run a Rust project's tests."""
    return _with_tool(tool("cargo"), "test") if (workspace / "Cargo.toml").exists() else None


def _go(workspace: Path, tool: Tool) -> TestCommand | None:
    """Run a Go module's tests."""
    return _with_tool(tool("go"), "test", "./...") if (workspace / "go.mod").exists() else None


def _make(workspace: Path, tool: Tool) -> TestCommand | None:
    """Run the `test` target of a Makefile, or `check` if that is its name."""
    for name in ("GNUmakefile", "makefile", "Makefile"):
        targets = set(_MAKE_TARGET.findall(_read(workspace / name)))
        if targets:
            return _with_tool(tool("make"), "test" if "test" in targets else "check")
    return None


def _with_tool(program: str | None, *arguments: str) -> TestCommand | None:
    """Make the command if its program is there; `CI` keeps runners from waiting for keys."""
    return None if program is None else TestCommand(argv=(program, *arguments), environment={"CI": "1"})


def _read(path: Path) -> str:
    """Read the beginning of a configuration file; one that is not there or not readable is empty."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(CONFIG_BYTES_MAX)
    except OSError:
        return ""
