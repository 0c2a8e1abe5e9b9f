"""Does a lock file still say what its manifest asks for? True or silent: only what each format says for certain.

| lock | out of date when |
|---|---|
| package-lock.json (2 and 3) | its copy of the manifest's dependencies is another one, as `npm ci` compares them |
| Cargo.lock | it lacks the package's version, or a dependency of it |
| uv.lock | it lacks a dependency of the project |
| go.sum | it lacks a module that go.mod requires |
| poetry.lock | its content hash is not that of pyproject.toml, which was changed and the lock file was not |
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from hub.domain.situation import StaleLock

Table = Mapping[str, Any]
NPM_GROUPS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
CARGO_GROUPS = ("dependencies", "dev-dependencies", "build-dependencies")
POETRY_OLD_KEYS = ("dependencies", "source", "extras", "dev-dependencies")
POETRY_PROJECT_KEYS = ("requires-python", "dependencies", "optional-dependencies")
REQUIREMENT_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
GO_REQUIRE = re.compile(
    r"^[ \t]*+(?:require[ \t]++)?(?=[\w.~/-]+?\.[\w.~/-])([\w.~/-]++)[ \t]++(v[\w.+-]++)[ \t\r]*+$", re.MULTILINE
)
GO_REPLACE = re.compile(r"^[ \t]*+(?:replace[ \t]++)?([\w.~/-]++)(?:[ \t]++v[\w.+-]++)?[ \t]++=>", re.MULTILINE)


def npm_is_stale(manifest: str, lock: str) -> bool:
    """Compare package.json with the root package in package-lock.json."""
    asked, locked = json.loads(manifest), json.loads(lock)
    root = locked.get("packages", {}).get("")
    if root is None:
        return False  # the first format keeps no copy
    return any(dict(asked.get(group) or {}) != dict(root.get(group) or {}) for group in NPM_GROUPS)


def cargo_is_stale(manifest: str, lock: str) -> bool:
    """Look for the package and its dependencies in Cargo.lock."""
    asked, locked = tomllib.loads(manifest), tomllib.loads(lock)
    package = asked.get("package", {})
    version = package.get("version")
    found = [each for each in locked.get("package", ()) if each["name"] == package.get("name") and "source" not in each]
    if len(found) != 1 or not isinstance(version, str):
        return False
    has = {each.split(" ")[0] for each in found[0].get("dependencies", ())}
    return found[0]["version"] != version or not _cargo_names(asked) <= has


def _cargo_names(asked: Table) -> set[str]:
    places = (asked, *(target for target in asked.get("target", {}).values()))
    listed = (pair for place in places for group in CARGO_GROUPS for pair in place.get(group, {}).items())
    return {said.get("package", name) if isinstance(said, dict) else name for name, said in listed}


def uv_is_stale(manifest: str, lock: str) -> bool:
    """Look for the project's dependencies in its own entry of uv.lock."""
    project, locked = tomllib.loads(manifest).get("project", {}), tomllib.loads(lock)
    name = _folded(project.get("name", ""))
    own = [each for each in locked.get("package", ()) if each["name"] == name and _is_here(each.get("source", {}))]
    if len(own) != 1 or "dependencies" in project.get("dynamic", ()):
        return False
    asked = {_folded(match[1]) for each in project.get("dependencies", ()) if (match := REQUIREMENT_NAME.match(each))}
    return not asked <= {each["name"] for each in own[0].get("metadata", {}).get("requires-dist", ())}


def _is_here(source: Table) -> bool:
    return "." in (source.get("editable"), source.get("virtual"), source.get("directory"))


def _folded(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def go_is_stale(manifest: str, lock: str) -> bool:
    """Look for what go.mod requires itself, and does not replace, in go.sum."""
    replaced = set(GO_REPLACE.findall(manifest))
    asked = {f"{module} {version}" for module, version in GO_REQUIRE.findall(manifest) if module not in replaced}
    lines = (line.split(" ") for line in lock.splitlines())
    has = {f"{parts[0]} {parts[1].removesuffix('/go.mod')}" for parts in lines if len(parts) > 1}
    return not asked <= has


def poetry_is_stale(manifest: str, lock: str) -> bool:
    """Compare the lock's content hash with that of pyproject.toml, made as Poetry makes it."""
    said = tomllib.loads(lock).get("metadata", {}).get("content-hash")
    return said is not None and said not in _poetry_hashes(tomllib.loads(manifest))


def _poetry_hashes(asked: Table) -> set[str]:
    poetry, project = asked.get("tool", {}).get("poetry", {}), asked.get("project", {})
    own = {key: project[key] for key in POETRY_PROJECT_KEYS if key in project}
    old = {key: poetry.get(key) for key in POETRY_OLD_KEYS if not own or key in poetry}
    old |= {"group": poetry["group"]} if "group" in poetry else {}
    made: dict[str, Any] = {"project": own, "tool": {"poetry": old}} if own else old
    groups = asked.get("dependency-groups")
    every = [made, *([{**made, "dependency-groups": groups}] if groups else [])]
    return {hashlib.sha256(json.dumps(each, sort_keys=True).encode()).hexdigest() for each in every}


LOCKS: tuple[tuple[str, str, tuple[str, ...], Callable[[str, str], bool]], ...] = (
    ("package.json", "package-lock.json", ("npm", "install", "--package-lock-only", "--ignore-scripts"), npm_is_stale),
    ("Cargo.toml", "Cargo.lock", ("cargo", "update", "--workspace"), cargo_is_stale),
    ("pyproject.toml", "uv.lock", ("uv", "lock"), uv_is_stale),
    ("go.mod", "go.sum", ("go", "mod", "tidy"), go_is_stale),
    ("pyproject.toml", "poetry.lock", ("poetry", "lock"), poetry_is_stale),
)
"""Manifest, lock file, the command that writes the lock file anew, and how the two are compared."""
ONLY_IF_CHANGED = frozenset({"poetry.lock"})
"""Where the comparison differs between versions of the tool, the manifest alone must also have been changed."""


def stale_locks(texts: Mapping[str, str], changed: Collection[str]) -> tuple[StaleLock, ...]:
    """Return the lock files that are out of date.

    Args:
        texts: the manifests and lock files of a folder that could be read whole, by name.
        changed: the names of those that differ from the last commit.
    """
    return tuple(
        StaleLock(manifest=manifest, lock=lock)
        for manifest, lock, _, is_stale in LOCKS
        if manifest in texts and lock in texts and _holds(is_stale, texts[manifest], texts[lock])
        if lock not in ONLY_IF_CHANGED or (manifest in changed and lock not in changed)
    )


def names() -> Iterable[str]:
    """Return the names of all manifests and lock files that are looked at."""
    return dict.fromkeys(name for manifest, lock, *_ in LOCKS for name in (manifest, lock))


def _holds(is_stale: Callable[[str, str], bool], manifest: str, lock: str) -> bool:
    """Compare; what is broken or of another shape says nothing."""
    try:
        return is_stale(manifest, lock)
    except (ValueError, TypeError, AttributeError, KeyError):
        return False
