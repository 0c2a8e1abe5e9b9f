"""The installation for real, with a package made on the spot: no network, a real venv, a real pip."""

import contextlib
import hashlib
import os
import pty
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(sys.executable).resolve()
HUB = """\
import os, sys, tiny
if sys.argv[1] == "edge":
    import voice
print("hub in", os.getcwd(), tiny.here)
"""
LOCKED = {"run": ("tiny",), "edge": ("tiny", "voice"), "test": ("tiny", "voice", "judge")}


def make_wheel(folder: Path, name: str) -> Path:
    """Write the smallest wheel that pip installs."""
    wheel, about = folder / f"{name}-1.0-py3-none-any.whl", f"{name}-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{name}.py", "here = True\n")
        archive.writestr(f"{name}_unused.py", "")
        archive.writestr(f"{name}_template.py", "{{ name }} =\n")
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return wheel


def line_for(wheel: Path) -> str:
    """Return a wheel's line in a lock."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return f"{wheel.name.partition('-')[0]} @ {wheel.as_uri()} --hash=sha256:{digest}\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that needs one package and has a hub that says where it was started."""
    root = tmp_path / "my pulse"
    (root / "requirements").mkdir(parents=True)
    shutil.copy(ROOT / "pulse", root)
    shutil.copy(ROOT / "requirements" / "make_venv.py", root / "requirements")
    (root / "requirements" / "install-system-packages").touch()
    lines = {name: line_for(make_wheel(tmp_path, name)) for name in LOCKED["test"]}
    for lock, names in LOCKED.items():
        (root / "requirements" / f"{lock}.txt").write_text("".join(lines[name] for name in names))
    for folder, program in (("hub", HUB), ("pytest", "import judge, tiny, voice\n")):
        (root / folder).mkdir()
        (root / folder / "__init__.py").touch()
        (root / folder / "__main__.py").write_text(program)
    return root


def start(root: Path, cwd: Path, *arguments: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [root / "pulse", *(arguments or ("up",))],
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "PULSE_PYTHON": str(PYTHON), "PYTHONPATH": str(cwd)},
        stdout=subprocess.PIPE,
        stderr=stderr,
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
    assert sum(err.startswith("pulse: First start: making .venv in ") for _, err in ends) == 1
    [compiled] = (checkout / ".venv").glob("lib/python*/site-packages/__pycache__/*_unused.*")
    assert compiled.name.startswith("tiny_unused.")  # what nothing has imported yet is compiled, too

    moved = checkout.rename(checkout.parent / "moved")
    assert start(moved, foreign).communicate() == (f"hub in {foreign} True\n", "")


def other(lock: Path) -> str:
    """Name another package's hash in a lock; return what the lock was."""
    was = lock.read_text()
    lock.write_text(was.rpartition("sha256:")[0] + "sha256:" + "0" * 64 + "\n")
    return was


def test_what_is_half_there_or_not_the_locked_package_is_made_whole_step_by_step(checkout: Path, foreign: Path) -> None:
    """One story in one folder, for each venv that is made takes seconds."""
    venv, run, edge = checkout / ".venv", checkout / "requirements" / "run.txt", checkout / "requirements" / "edge.txt"

    # Half an installation, and a package that is not the locked one: it is refused.
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to("/nowhere/python")
    (venv / "pyvenv.cfg").write_text("home = /nowhere\n")
    shutil.copy(run, venv / "installed-run.txt")
    right = other(run)
    out, err = start(checkout, foreign).communicate()
    assert out == ""
    assert "HASH" in err.upper()
    assert "run the same command again" in err
    assert not (venv / "installed-run.txt").exists()

    # With the right one the half is made whole.
    run.write_text(right)
    out, err = start(checkout, foreign).communicate()
    assert out == f"hub in {foreign} True\n", err

    # The hub keeps what it has when the glasses cannot be installed.
    right = other(edge)
    out, err = start(checkout, foreign, "edge", "run").communicate()
    assert out == ""
    assert "run the same command again" in err
    assert start(checkout, foreign).communicate() == (f"hub in {foreign} True\n", "")
    edge.write_text(right)

    # One venv serves hub, glasses and tests without installing to and fro.
    said = []
    for arguments in (("edge", "run"), ("up",), ("test", "-q"), ("edge", "run"), ("up",), ("test", "-q")):
        begun = start(checkout, foreign, *arguments)
        _, err = begun.communicate()
        assert begun.returncode == 0, err
        said.append(err.partition(" in ")[0])
    added, more = "Adding what the glasses need", "Adding what the tests need"
    assert said == [f"pulse: {added} to .venv", "", f"pulse: {more} to .venv", "", "", ""]


def test_a_terminal_shows_what_is_fetched_and_how_much_is_unpacked(checkout: Path, foreign: Path) -> None:
    ours, theirs = pty.openpty()
    said: list[bytes] = []
    with start(checkout, foreign, stderr=theirs) as running:
        os.close(theirs)
        with contextlib.suppress(OSError):  # how Linux says that the other side has closed
            while some := os.read(ours, 4096):
                said.append(some)
        running.communicate()
    os.close(ours)
    shown = [line.strip() for line in b"".join(said).decode().split("\r")]
    assert [line for line in shown if line.startswith("1/1")][:1] == ["1/1  tiny-1.0-py3-none-any.whl"]
    assert [line for line in shown if line.endswith("unpacking")][:1] in (["0/1  unpacking"], ["1/1  unpacking"])
    assert shown[-2].startswith("pulse: done in ")


def test_a_checkout_that_cannot_be_written_says_so(checkout: Path, foreign: Path) -> None:
    (checkout / ".venv").write_text("in the way\n")
    out, err = start(checkout, foreign).communicate()
    assert out == ""
    assert "could not" in err
    assert "Traceback" not in err
