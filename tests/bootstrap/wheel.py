"""Pulse's wheel, built and installed in an environment of its own, and a person who runs it."""

import contextlib
import os
import shutil
import site
import subprocess
import sys
import tarfile
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.fetched import fetched, install
from tests.house.source import ROOT

END_S_MAX = 120
SETUPTOOLS = "setuptools==80.9.0"
"""What builds it; the tests' own environment has an older one."""


def install_wheel(folder: Path) -> Path:
    """Build the wheel from what git keeps, install it, and return its command; what it depends on is the tests' own."""
    source, environment = folder / "source", folder / "environment"
    source.mkdir()
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    with tarfile.open(folder / "source.tar", "w") as packed:
        for name in filter(None, kept.split("\0")):
            if not name.startswith("tests/") and os.path.lexists(ROOT / name):
                packed.add(ROOT / name, name, recursive=False)
    run(["tar", "-xf", folder / "source.tar", "-C", source])
    builds = {**os.environ, "PYTHONPATH": str(fetched(SETUPTOOLS, fetch_setuptools))}
    build = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, source)
    run([sys.executable, "-m", "pip", *build], builds)
    run([sys.executable, "-m", "venv", "--without-pip", environment])
    (wheel,) = folder.glob("*.whl")
    place = next((environment / "lib").glob("python*/site-packages"))
    run([sys.executable, "-m", "pip", "--python", environment / "bin" / "python", "install", "-q", "--no-deps", wheel])
    (place / "dependencies.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    shutil.rmtree(source)
    return environment / "bin" / "pulse"


def fetch_setuptools(folder: Path) -> None:
    install(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, SETUPTOOLS)


def run(command: list[str | Path], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Person:
    """A person with a home of their own, who has installed Pulse."""

    def __init__(self, folder: Path, program: Path) -> None:
        self.home = folder / "person"
        self.folder = self.home / "shop"
        self.folder.mkdir(parents=True)
        (self.folder / "README.md").write_text("A shop\n")
        run(["git", "-C", str(self.folder), "init", "-q"])
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{program.parent}:/usr/bin:/bin",
            "PULSE_HOME": str(self.home / "pulse"),
            "LANG": "C.UTF-8",
        }

    def pulse(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["pulse", *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )


@contextlib.contextmanager
def running(command: Sequence[str], folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """Run `pulse up` until the block ends; it begins when Pulse is up."""
    hub = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        lines: list[str] = []
        for line in hub.stdout or ():
            lines.append(line)
            if "Pulse is up." in line:
                break
        else:
            raise AssertionError("".join(lines))
        yield
    finally:
        hub.terminate()
        hub.communicate(timeout=END_S_MAX)


def got(address: str) -> str:
    """Return what a page of a hub of ours says."""
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310  loopback
        return str(answer.read().decode(errors="replace"))
