"""Reading what tells how a project's tests are run, and what they need (hub/sense/how_to_test.py says how)."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from hub.io.sensors.bounded import head
from hub.sense.how_to_test import READ_FILES, TOOLS, Interpreter, ProjectLook, declared
from hub.sense.installed import folded

TEXT_BYTES_MAX = 1_048_576
TEST_FOLDERS = ("tests", "test")
TEST_FILES_READ_MAX = 200
HEAD_BYTES_MAX = 8_192
PACKAGES_MAX = 5_000
ENVIRONMENTS = (".venv", "venv")
SHIMS = "shims"
"""Where version managers put what stands for the chosen version's programs; its modules are elsewhere."""
WRAPPERS = ("./mvnw", "./gradlew")
OWN_PREFIX = os.path.realpath(sys.prefix)
"""Pulse's own environment is nobody else's."""


def project_look(folder: Path, search_path: str | None, common: Interpreter | None = None) -> ProjectLook:
    """Look at a folder; what it needs is looked for there, and on the path. It may block.

    `common` is the Python on the path where that is known: looking for it takes longer than all the rest.
    """
    names = frozenset(_listed(folder))
    texts = {name: _text(folder / name) for name in READ_FILES if name in names}
    look = ProjectLook(names=names, texts=texts, tools={})
    found = tuple(islice(_python_tests(folder), TEST_FILES_READ_MAX))
    folders = tuple(dict.fromkeys(name for name, _ in found))
    return ProjectLook(
        names=names,
        texts=texts,
        tools=_tools(folder, declared(look)[:1], search_path),
        own=_own(folder),
        common=common or common_python(search_path),
        python_tests=folders,
        imports_pytest=any(_imports_pytest(path) for _, path in found),
        is_package=bool(folders and folders[0] and (folder / folders[0] / "__init__.py").is_file()),
    )


def _text(path: Path) -> str:
    try:
        return head(path, TEXT_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return ""


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


def common_python(search_path: str | None) -> Interpreter | None:
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
    # What a link leads to brings its own packages along, except where the link is an environment's.
    prefix, base = path.parent.parent, Path(os.path.realpath(path)).parent.parent
    is_environment = bool(environment) or (prefix / "pyvenv.cfg").is_file()
    places = _site_prefixes(*((prefix,) if is_environment else (prefix, base)))
    has_pytest = any(
        any(place.glob(f"lib/python3*/{kind}/pytest/__init__.py"))
        for place in places
        for kind in ("site-packages", "dist-packages")
    )
    is_shim = path.parent.name == SHIMS
    sites = [site for place in places for site in place.glob("lib/python3*/*-packages")]
    found = (entry.name for site in sites for entry in islice(site.glob("*-info"), PACKAGES_MAX))
    bringing_pip = (any(place.glob("lib/python3*/ensurepip/__init__.py")) for place in (*places, base))
    return Interpreter(
        path=str(path),
        environment=environment,
        has_pytest=has_pytest or (is_shim and (path.parent / "pytest").is_file()),
        packages=frozenset(folded(name.rpartition(".")[0].partition("-")[0]) for name in found),
        makes_environments=is_shim or any(bringing_pip),
    )


def _site_prefixes(*prefixes: Path) -> tuple[Path, ...]:
    """Return where the packages of Pythons with these prefixes may lie; Debian's has a second place."""
    usr = Path("/usr")
    places = ((one, one / "local", Path("/usr/local") if one == usr else one) for one in prefixes)
    return tuple(dict.fromkeys(place for each in places for place in each))


def _python_tests(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give each file that pytest would collect, with the name of the folder to begin in."""
    for name in TEST_FOLDERS:
        yield from ((name, path) for path in (folder / name).glob("**/test_*.py"))
        yield from ((name, path) for path in (folder / name).glob("**/*_test.py"))
    yield from (("", path) for path in folder.glob("test_*.py"))


def _imports_pytest(path: Path) -> bool:
    """Return True if a file's beginning imports pytest, or has plain functions as tests, which only pytest runs."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES_MAX)
    except OSError:
        return False
    return b"import pytest" in head or b"from pytest" in head or head.startswith(b"def test_") or b"\ndef test_" in head
