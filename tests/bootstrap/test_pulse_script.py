"""`pulse` finds a Python or says what to install, installs when it must, and hands over; with stand-ins for Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "dirname", "readlink", "cmp", "cat", "cp", "mkdir", "chmod")
REPORTS_ITSELF = '#!/bin/sh\necho "cwd=$(pwd)"\necho "args=$*"\n'
"""A stand-in for .venv/bin/python: says how it was called."""
MAKES_VENV = """#!/bin/sh
case $1 in -c) printf ok; exit ;; esac
echo "installing: $3" >&2
root=${2%/requirements/make_venv.py}
mkdir -p "$root/.venv/bin"
cp "$root/reports" "$root/.venv/bin/python"
cp "$root/requirements/$3.txt" "$root/.venv/installed-$3.txt"
"""
"""A stand-in for a good system Python: judged ok, and installs in no time."""


class Checkout:
    """A checkout with only the bootstrap in it, and a PATH with only what is put there."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "my pulse"
        self.path = folder / "path"
        self.elsewhere = folder / "else where"
        for made in (self.root / "requirements", self.path, self.elsewhere):
            made.mkdir(parents=True)
        shutil.copy(ROOT / "pulse", self.root)
        for lock in ("run", "edge", "test"):
            (self.root / "requirements" / f"{lock}.txt").write_text("lock, first edition\n")
        self.script(self.root / "reports", REPORTS_ITSELF)
        for tool in TOOLS:
            (self.path / tool).symlink_to(shutil.which(tool) or tool)

    def script(self, place: Path, text: str) -> None:
        place.write_text(text)
        place.chmod(0o755)

    def put_python(self, name: str, verdict: str) -> None:
        self.script(self.path / name, f"#!/bin/sh\nprintf '{verdict}'\n")

    def run(self, *args: str, start: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(start or self.root / "pulse"), *args],
            cwd=self.elsewhere,
            env={"PATH": str(self.path), **env},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_without_python_it_says_what_to_install(checkout: Checkout) -> None:
    done = checkout.run("up")
    assert done.returncode == 1
    assert "needs Python 3.11 or newer; none was found" in done.stderr
    assert "sudo apt install python3 python3-venv" in done.stderr


def test_an_old_python_is_named(checkout: Checkout) -> None:
    checkout.put_python("python3", "old 3.9")
    done = checkout.run("up")
    assert done.returncode == 1
    assert "the newest found is 3.9" in done.stderr


def test_a_python_without_venv_is_told_from_an_old_one(checkout: Checkout) -> None:
    checkout.put_python("python3", "old 3.9")
    checkout.put_python("python3.12", "venv 3.12")
    done = checkout.run("up")
    assert done.returncode == 1
    assert "sudo apt install python3.12-venv" in done.stderr


def test_a_python_without_sqlite_is_explained(checkout: Checkout) -> None:
    checkout.put_python("python3", "parts 3.13")
    assert "Python 3.13 is here, but it was built without ssl, sqlite3 or zlib" in checkout.run("up").stderr


def test_a_program_that_only_looks_like_python_is_passed_over(checkout: Checkout) -> None:
    checkout.script(checkout.path / "python3.14", "#!/bin/sh\necho 'not installed' >&2\nexit 127\n")
    checkout.script(checkout.path / "python3", MAKES_VENV)
    assert checkout.run("up").returncode == 0


def test_a_named_python_is_the_only_candidate(checkout: Checkout) -> None:
    checkout.script(checkout.path / "python3", MAKES_VENV)
    done = checkout.run("up", PULSE_PYTHON="/nowhere/my python")
    assert done.returncode == 1
    assert "none was found at /nowhere/my python" in done.stderr


def test_the_first_start_installs_and_hands_over_with_arguments_and_folder_as_they_are(checkout: Checkout) -> None:
    checkout.script(checkout.path / "python3", MAKES_VENV)
    done = checkout.run("ask", "Deploy to production?", "--risk", "high")
    assert done.stderr == "installing: run\n"
    assert done.stdout == f"cwd={checkout.elsewhere}\nargs=-I -m hub ask Deploy to production? --risk high\n"


@pytest.mark.slow
def test_the_second_start_installs_nothing(checkout: Checkout) -> None:
    checkout.script(checkout.path / "python3", MAKES_VENV)
    checkout.run("up")
    (checkout.path / "python3").unlink()
    assert checkout.run("up").stderr == ""


@pytest.mark.slow
def test_another_lock_file_is_installed(checkout: Checkout) -> None:
    checkout.script(checkout.path / "python3", MAKES_VENV)
    checkout.run("up")
    (checkout.root / "requirements" / "run.txt").write_text("lock, second edition\n")
    assert checkout.run("up").stderr == "installing: run\n"


def test_glasses_bring_what_they_need(checkout: Checkout) -> None:
    checkout.script(checkout.path / "python3", MAKES_VENV)
    done = checkout.run("edge", "sim", "--risk", "high")
    assert (done.stderr, done.stdout.splitlines()[1:]) == (
        "installing: edge\n",
        ["args=-I -m hub edge sim --risk high"],
    )
    assert checkout.run("bench", "voice", "a folder").stderr == ""


@pytest.mark.parametrize("arguments", [(), ("-h",), ("--help",)])
def test_to_read_about_glasses_takes_no_more_than_the_hub(checkout: Checkout, arguments: tuple[str, ...]) -> None:
    checkout.script(checkout.path / "python3", MAKES_VENV)
    assert checkout.run("edge", *arguments).stderr == "installing: run\n"


def test_a_failed_installation_hands_nothing_over(checkout: Checkout) -> None:
    checkout.script(checkout.path / "python3", "#!/bin/sh\ncase $1 in -c) printf ok; exit ;; esac\nexit 7\n")
    done = checkout.run("up")
    assert done.returncode == 7
    assert done.stdout == ""


@pytest.mark.slow
def test_it_finds_its_checkout_through_links(checkout: Checkout) -> None:
    checkout.script(checkout.path / "python3", MAKES_VENV)
    relative = checkout.elsewhere / "relative"
    relative.symlink_to(Path("..") / "my pulse" / "pulse")
    absolute = checkout.elsewhere / "absolute"
    absolute.symlink_to(relative)
    done = checkout.run("status", start=absolute, CDPATH=os.pathsep.join(["/", str(checkout.root)]))
    assert done.stdout.endswith("args=-I -m hub status\n")
    assert (checkout.root / ".venv").exists()


@pytest.mark.slow
def test_the_real_python_is_judged_good(checkout: Checkout) -> None:
    """The judging is not only stood in for: the Python that runs this test passes it."""
    (checkout.root / "requirements" / "make_venv.py").write_text("import sys; sys.exit('judged good')")
    assert checkout.run("up", PULSE_PYTHON=str(Path(sys.executable).resolve())).stderr == "judged good\n"
