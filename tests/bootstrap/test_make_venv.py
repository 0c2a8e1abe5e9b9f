"""The installation for real, with a package made on the spot: no network, a real venv, a real pip."""

import hashlib
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(sys.executable).resolve()
DIST_INFO = "tiny-1.0.dist-info"


def make_wheel(folder: Path) -> Path:
    """Write the smallest wheel that pip installs."""
    wheel = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny.py", "here = True\n")
        archive.writestr(f"{DIST_INFO}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr(f"{DIST_INFO}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{DIST_INFO}/RECORD", "")
    return wheel


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that needs one package and has a hub that says where it was started."""
    root = tmp_path / "my pulse"
    (root / "requirements").mkdir(parents=True)
    shutil.copy(ROOT / "pulse", root)
    shutil.copy(ROOT / "requirements" / "make_venv.py", root / "requirements")
    wheel = make_wheel(tmp_path)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    for name in ("run", "test"):
        (root / "requirements" / f"{name}.txt").write_text(f"tiny @ {wheel.as_uri()} --hash=sha256:{digest}\n")
    (root / "hub").mkdir()
    (root / "hub" / "__init__.py").touch()
    (root / "hub" / "__main__.py").write_text("import os, tiny\nprint('hub in', os.getcwd(), tiny.here)\n")
    return root


def start(root: Path, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [root / "pulse", "up"],
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "PULSE_PYTHON": str(PYTHON), "PYTHONPATH": str(cwd)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A workspace that happens to hold a `hub` of its own."""
    folder = tmp_path / "foreign"
    (folder / "hub").mkdir(parents=True)
    (folder / "hub" / "__init__.py").write_text("raise RuntimeError('the wrong hub')\n")
    return folder


def test_two_first_starts_at_once_then_a_moved_checkout(checkout: Path, foreign: Path) -> None:
    starts = [start(checkout, foreign) for _ in range(2)]
    ends = [running.communicate() for running in starts]
    assert [out for out, _ in ends] == [f"hub in {foreign} True\n"] * 2, ends
    assert sum("First start: making .venv" in err for _, err in ends) == 1

    moved = checkout.rename(checkout.parent / "moved")
    assert start(moved, foreign).communicate() == (f"hub in {foreign} True\n", "")


def test_half_an_installation_is_made_whole(checkout: Path, foreign: Path) -> None:
    venv = checkout / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to("/nowhere/python")
    (venv / "pyvenv.cfg").write_text("home = /nowhere\n")
    shutil.copy(checkout / "requirements" / "run.txt", venv / "installed-run.txt")
    out, err = start(checkout, foreign).communicate()
    assert out == f"hub in {foreign} True\n", err


def test_a_package_that_is_not_the_locked_one_is_refused(checkout: Path, foreign: Path) -> None:
    lock = checkout / "requirements" / "run.txt"
    lock.write_text(lock.read_text().split("sha256:", maxsplit=1)[0] + "sha256:" + "0" * 64 + "\n")
    out, err = start(checkout, foreign).communicate()
    assert out == ""
    assert "HASH" in err.upper()
    assert "run the same command again" in err
    assert not (checkout / ".venv" / "installed-run.txt").exists()


def test_a_checkout_that_cannot_be_written_says_so(checkout: Path, foreign: Path) -> None:
    (checkout / ".venv").write_text("in the way\n")
    out, err = start(checkout, foreign).communicate()
    assert out == ""
    assert "could not" in err
    assert "Traceback" not in err
