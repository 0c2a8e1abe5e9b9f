"""Does what a manifest asks for lie in the project's own folder of packages? Pure: it is handed what is there.

| manifest | its packages lie in | said when |
|---|---|---|
| package.json | `node_modules` | one is not there; without the folder: the manifest is changed and has no lock |
| pyproject.toml, requirements.txt | `.venv` or `venv` | one is not there; without an environment never |

What is asked for under a condition (a marker, an extra, an address) says nothing.
"""

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from hub.domain.provenance import RepositoryText
from hub.domain.situation import NotInstalled
from hub.kit.text import one_line

NPM_GROUPS = ("dependencies", "devDependencies")
PLAIN = re.compile(r"\s*+([A-Za-z0-9][A-Za-z0-9._-]*+)\s*+(?:\[[^\]]*+\]\s*+)?(?:[<>=!~][^;@#]*+)?(?:(?<=\s)#.*)?$")
"""A requirement without a marker and without an address."""
NPM_NAME = re.compile(r"(?:@[a-z0-9~._-]+/)?[a-z0-9~][a-z0-9~._-]*", re.IGNORECASE)
NAMES_MAX = 20
NAME_CHARS_MAX = 80
MANIFESTS = ("package.json", "pyproject.toml", "requirements.txt")


def npm_names(manifest: str) -> tuple[str, ...]:
    """Return what a package.json asks for."""
    asked = _table(_json(manifest))
    names = (name for group in NPM_GROUPS for name in _table(asked.get(group)))
    return tuple(dict.fromkeys(name for name in names if NPM_NAME.fullmatch(name)))


def python_names(pyproject: str, requirements: str) -> Mapping[str, tuple[str, ...]]:
    """Return what pyproject.toml and requirements.txt ask for at any rate, by manifest, as folded names."""
    try:
        project = _table(tomllib.loads(pyproject).get("project"))
    except tomllib.TOMLDecodeError:
        project = {}
    declared = [] if "dependencies" in project.get("dynamic", ()) else project.get("dependencies", ())
    return {
        "pyproject.toml": _plain(declared if isinstance(declared, list) else ()),
        "requirements.txt": _plain(requirements.splitlines()),
    }


def folded(name: str) -> str:
    """Return a Python package's name as installers compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def not_installed(manifest: str, asked: Iterable[str], there: Collection[str]) -> tuple[NotInstalled, ...]:
    """Return what of it does not exist, if anything."""
    missing = tuple(name for name in asked if name not in there)[:NAMES_MAX]
    names = tuple(RepositoryText(one_line(name, NAME_CHARS_MAX)) for name in missing)
    return (NotInstalled(manifest=manifest, names=names),) if names else ()


def _plain(lines: Iterable[object]) -> tuple[str, ...]:
    found = (PLAIN.match(line) for line in lines if isinstance(line, str))
    return tuple(dict.fromkeys(folded(match[1]) for match in found if match))


def _json(text: str) -> object:
    try:
        return json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
