"""The Node programs that check the page: installed once from the lock file (`tests/fetched.py`).

Users need none of it. Without a network and without an earlier installation the tests that need them say so.
"""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fetched import fetched, install
from tests.house.source import ROOT

MANIFESTS = ROOT / "tests" / "web" / "node"
COPIED = ("package.json", "package-lock.json", "eslint.config.mjs")
"""A configuration is read where the packages are, so that it can import them."""
RUN_S_MAX = 180
SAID_CHARS_MAX = 20_000


def installed() -> Path:
    """Return the folder with node_modules; install there at first use, one process at a time."""
    kept = hashlib.sha256(b"".join((MANIFESTS / name).read_bytes() for name in COPIED)).hexdigest()
    return fetched(f"node-tools-{kept[:12]}", _install)


def program(folder: Path, name: str) -> str:
    """Return the path of an installed program."""
    return str(folder / "node_modules" / ".bin" / name)


def run(command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program from the top of the checkout; return what it said."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=RUN_S_MAX,
    )


def assert_silent(done: subprocess.CompletedProcess[str]) -> None:
    """Fail with what the program said unless it found nothing."""
    if done.returncode:
        pytest.fail(f"{done.args[0]}:\n{(done.stdout + done.stderr)[:SAID_CHARS_MAX]}", pytrace=False)


def _install(folder: Path) -> None:
    for name in COPIED:
        shutil.copyfile(MANIFESTS / name, folder / name)
    install("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", cwd=folder)
