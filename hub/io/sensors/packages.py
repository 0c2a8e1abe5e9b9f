"""Which packages lie in a project's own folders of packages."""

from collections.abc import Collection
from itertools import islice
from pathlib import Path

from hub.domain.situation import NotInstalled
from hub.io.sensors.bounded import manifest_text
from hub.sense.installed import MANIFESTS, folded, not_installed, npm_names, python_names

PACKAGES_MAX = 5_000
ENVIRONMENTS = (".venv", "venv")
ELSEWHERE = (".pnp.cjs", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb")
"""Where there is one of these and no folder, what is asked for is installed elsewhere, or told of by its lock."""
NPM, PYPROJECT, REQUIREMENTS = MANIFESTS


def packages_missing(top: Path, changed: Collection[str]) -> tuple[NotInstalled, ...]:
    """Return what the manifests of the top folder ask for and is not installed; `changed` are of uncommitted work."""
    return (*_npm(top, changed), *_python(top))


def package_folders(top: Path) -> tuple[Path, ...]:
    """Return the folders that are written to when something is installed."""
    return (top / "node_modules", top / "node_modules" / ".package-lock.json", *_environments(top))


def _environments(top: Path) -> tuple[Path, ...]:
    return tuple(place for name in ENVIRONMENTS for place in (top / name).glob("lib/python3*/site-packages"))


def _npm(top: Path, changed: Collection[str]) -> tuple[NotInstalled, ...]:
    folder = top / "node_modules"
    if not folder.is_dir() and (NPM not in changed or any((top / name).exists() for name in ELSEWHERE)):
        return ()
    asked = npm_names(manifest_text(top / NPM))
    return not_installed(NPM, asked, {name for name in asked if (folder / name).exists()})


def _python(top: Path) -> tuple[NotInstalled, ...]:
    places = _environments(top)
    if not places:
        return ()
    found = (entry.name for place in places for entry in islice(place.glob("*-info"), PACKAGES_MAX))
    there = {folded(name.removesuffix(".dist-info").removesuffix(".egg-info").partition("-")[0]) for name in found}
    asked = python_names(manifest_text(top / PYPROJECT), manifest_text(top / REQUIREMENTS))
    return tuple(each for manifest, names in asked.items() for each in not_installed(manifest, names, there))
