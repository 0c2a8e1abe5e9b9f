"""The Node programs that check the page: installed once below build/ (or $PULSE_NODE_TOOLS) from the lock file.

Users need none of it. Without a network and without an earlier installation the tests that need them say so.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.source import ROOT

MANIFESTS = ROOT / "tests" / "web" / "node"
COPIED = ("package.json", "package-lock.json", "eslint.config.mjs")
"""A configuration is read where the packages are, so that it can import them."""
INSTALL_S_MAX = 300
RUN_S_MAX = 180
SAID_CHARS_MAX = 20_000


def installed() -> Path:
    """Return the folder with node_modules; install there at first use, one process at a time."""
    folder = _place()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in COPIED:
            shutil.copyfile(MANIFESTS / name, folder / name)
        if not (folder / "complete").exists():
            _install(folder)
            (folder / "complete").touch()
    return folder


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


def _place() -> Path:
    named = os.environ.get("PULSE_NODE_TOOLS")
    if named:
        return Path(named)
    lock = (MANIFESTS / "package-lock.json").read_bytes()
    return ROOT / "build" / f"node-{hashlib.sha256(lock).hexdigest()[:12]}"


def _install(folder: Path) -> None:
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=INSTALL_S_MAX)
    if done.returncode:
        why = "the Node packages that check the page could not be installed; with a network, run the tests again"
        pytest.fail(f"{why}:\n{done.stderr[-SAID_CHARS_MAX:]}", pytrace=False)
