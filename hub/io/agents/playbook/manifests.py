"""What package.json and Cargo.toml files say they depend on."""

import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import msgspec

MANIFESTS = ("package.json", "Cargo.toml")
MANIFEST_BYTES_MAX = 262_144


class _Npm(msgspec.Struct):
    """The part of a package.json that matters here."""

    name: str = ""
    dependencies: dict[str, str] = {}
    dev_dependencies: dict[str, str] = msgspec.field(default_factory=dict, name="devDependencies")


class _CargoPackage(msgspec.Struct):
    """The `[package]` of a Cargo.toml."""

    name: str = ""


class _Cargo(msgspec.Struct):
    """The part of a Cargo.toml that matters here; a dependency is a version or a table."""

    package: _CargoPackage = msgspec.field(default_factory=_CargoPackage)
    dependencies: dict[str, str | dict[str, object]] = {}


def manifest_edges(workspace: Path, names: Iterable[str]) -> Counter[tuple[str, str]]:
    """Count declared dependencies; a manifest that cannot be read is left out."""
    edges: Counter[tuple[str, str]] = Counter()
    for name in names:
        own, needed = _read(workspace / name)
        start = own or str(PurePosixPath(name).parent)
        edges.update((start, target) for target in needed if target != start)
    return edges


def _read(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return a package's name and what it needs."""
    try:
        with path.open("rb") as file:
            data = file.read(MANIFEST_BYTES_MAX)
        if path.suffix == ".json":
            npm = msgspec.json.decode(data, type=_Npm)
            return npm.name, (*npm.dependencies, *npm.dev_dependencies)
        cargo = msgspec.convert(tomllib.loads(data.decode()), _Cargo)
        return cargo.package.name, tuple(cargo.dependencies)
    except (OSError, msgspec.DecodeError, ValueError, RecursionError):
        return "", ()
