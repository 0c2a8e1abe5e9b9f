"""Reading what tells how a project's tests are run (hub/sense/how_to_test.py says how), and making a plan of it."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.io.agents.deciding import held
from hub.io.agents.defining import DefiningFiles, real
from hub.sense.how_to_test import (
    READ_FILES,
    TOOLS,
    CannotTest,
    Interpreter,
    ProjectLook,
    Way,
    WayToTest,
    declared,
    how_to_test,
)

SCRIPT_CHARS_MAX = 2_000
DECLARING = ("pyproject.toml",)
"""Where a project may say itself how its tests are run."""
TEST_FOLDERS = ("tests", "test")
TEST_FILES_READ_MAX = 200
HEAD_BYTES_MAX = 8_192
ENVIRONMENTS = (".venv", "venv")
SHIMS = "shims"
"""Where version managers put what stands for the chosen version's programs; its modules are elsewhere."""
WRAPPERS = ("./mvnw", "./gradlew")
OWN_PREFIX = os.path.realpath(sys.prefix)
"""Pulse's own environment is nobody else's."""


def plan_tests(workspace: Path, search_path: str | None) -> AnyPlan:
    """Tell what running the tests of a folder would start."""
    files = DefiningFiles(workspace)
    way = _find(files, search_path)
    if isinstance(way, CannotTest):
        return CannotPlan(why=way.why)
    plan = Plan(
        playbook="run-tests",
        argv=way.argv,
        folder=real(workspace),
        environment=tuple(f"{name}={value}" for name, value in sorted(way.environment)),
        script=_script(way),
    )
    return held(plan, search_path, DECLARING)


def _script(way: WayToTest) -> str:
    rest = len(way.script) - SCRIPT_CHARS_MAX
    return f"{way.script[:SCRIPT_CHARS_MAX]}\n({rest} more characters)" if rest > 0 else way.script


def _find(files: DefiningFiles, search_path: str | None) -> Way:
    folder = files.folder
    names = frozenset(_listed(folder))
    texts = {name: files.text(name) for name in READ_FILES if name in names}
    look = ProjectLook(names=names, texts=texts, tools={})
    found = tuple(islice(_python_tests(folder), TEST_FILES_READ_MAX))
    folders = tuple(dict.fromkeys(name for name, _ in found))
    return how_to_test(
        ProjectLook(
            names=names,
            texts=texts,
            tools=_tools(folder, declared(look)[:1], search_path),
            own=_own(folder),
            common=_common(search_path),
            python_tests=folders,
            imports_pytest=any(_imports_pytest(path) for _, path in found),
            is_package=bool(folders and folders[0] and (folder / folders[0] / "__init__.py").is_file()),
        )
    )


def _listed(folder: Path) -> Iterable[str]:
    try:
        return tuple(path.name for path in folder.iterdir())
    except OSError:
        return ()


def _tools(folder: Path, wanted: Iterable[str], search_path: str | None) -> dict[str, str]:
    """Find programs: files of the project where a path is named or lies there, else on the path."""
    tools: dict[str, str] = {}
    for name in (*TOOLS, *WRAPPERS, *wanted):
        own = folder / name
        is_own = (os.sep in name or name in wanted) and own.is_file()
        found = str(own.absolute()) if is_own else shutil.which(name, path=search_path)
        if found:
            tools[name] = found
    return tools


def _own(folder: Path) -> Interpreter | None:
    """Return the Python of the environment in the folder, one with pytest before one without."""
    found = (_interpreter(folder / name / "bin" / "python", str(folder / name)) for name in ENVIRONMENTS)
    there = [one for one in found if one is not None]
    return max(there, key=lambda one: one.has_pytest, default=None)


def _common(search_path: str | None) -> Interpreter | None:
    """Return the Python on the path, which is not that of Pulse itself; one with pytest before one without."""
    folders = dict.fromkeys((search_path or os.environ.get("PATH", os.defpath)).split(os.pathsep))
    paths = (Path(folder, name) for folder in folders if folder for name in ("python3", "python"))
    found = [one for path in paths if not _is_ours(path) and (one := _interpreter(path, "")) is not None]
    return max(found, key=lambda one: one.has_pytest, default=None)


def _is_ours(path: Path) -> bool:
    return os.path.realpath(path.parent.parent) == OWN_PREFIX and sys.prefix != sys.base_prefix


def _interpreter(path: Path, environment: str) -> Interpreter | None:
    if not os.access(path, os.X_OK) or not path.is_file():
        return None
    prefix = path.parent.parent
    places = (prefix, prefix / "local", Path("/usr/local") if prefix == Path("/usr") else prefix)
    has_pytest = any(
        any(place.glob(f"lib/python3*/{kind}/pytest/__init__.py"))
        for place in dict.fromkeys(places)
        for kind in ("site-packages", "dist-packages")
    )
    is_shim = path.parent.name == SHIMS and (path.parent / "pytest").is_file()
    return Interpreter(path=str(path), environment=environment, has_pytest=has_pytest or is_shim)


def _python_tests(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give each file that pytest would collect, with the name of the folder to begin in."""
    for name in TEST_FOLDERS:
        yield from ((name, path) for path in (folder / name).glob("**/test_*.py"))
        yield from ((name, path) for path in (folder / name).glob("**/*_test.py"))
    yield from (("", path) for path in folder.glob("test_*.py"))


def _imports_pytest(path: Path) -> bool:
    """Say whether a file's beginning imports pytest, or has tests that are plain functions, which only pytest runs."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES_MAX)
    except OSError:
        return False
    return b"import pytest" in head or b"from pytest" in head or head.startswith(b"def test_") or b"\ndef test_" in head
