"""What is installed is pinned by hash; no file names a registry's host or the machine it was written on."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.house.source import ROOT, project_files

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
REGISTRIES = tuple(
    re.escape(f"{name}.{end}")
    for name, end in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry.npmjs", "org"),
        ("registry.npmjs", "com"),
        ("registry.yarnpkg", "com"),
        ("deb.debian", "org"),
        ("archive.ubuntu", "com"),
        ("static.crates", "io"),
        ("proxy.golang", "org"),
    )
)
NOT_TEXT = {".png", ".jpg", ".gif", ".ico", ".webp", ".wav", ".mp3", ".ogg", ".woff2", ".sqlite", ".db"}


def requirements(lock: Path) -> list[str]:
    joined = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def packages(lock: Path) -> set[str]:
    return {line.split("==")[0] for line in requirements(lock)}


def pins(lock: Path) -> set[str]:
    """Each package with its version. Where it is needed may differ: what is more brings some in everywhere."""
    return {line.partition("--hash")[0].partition(";")[0].strip() for line in requirements(lock)}


def test_all_locks_are_here() -> None:
    assert [lock.name for lock in LOCKS] == ["edge.txt", "run.txt", "test.txt"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_package_is_pinned_and_hashed(lock: Path) -> None:
    form = re.compile(r"[a-z0-9-]+==[^ ]+( ; [^-]+)?( +--hash=sha256:[0-9a-f]{64})+\s*")
    assert requirements(lock)
    assert [line[:60] for line in requirements(lock) if not form.fullmatch(line)] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_place(lock: Path) -> None:
    assert re.findall(r"(?m)^.*(?:://|--index|--extra-index|--find-links|@ file).*$", lock.read_text("utf-8")) == []


@pytest.mark.parametrize(("part", "whole"), [("run", "edge"), ("edge", "test")])
def test_a_lock_holds_the_one_before(part: str, whole: str) -> None:
    """One .venv serves all, without installing anything to and fro; the tests run on what people run."""
    smaller, larger = (pins(ROOT / "requirements" / f"{name}.txt") for name in (part, whole))
    assert smaller - larger == set()
    assert larger - smaller != set()


def test_the_locks_hold_what_pyproject_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for lock, wanted in (
        ("run.txt", project["dependencies"]),
        ("edge.txt", [*project["dependencies"], *extras["edge"]]),
        ("test.txt", [*project["dependencies"], *extras["edge"], *extras["test"]]),
    ):
        names = {re.split(r"[^A-Za-z0-9-]", line)[0] for line in wanted}
        assert names - packages(ROOT / "requirements" / lock) == set(), f"run requirements/update for {lock}"


def texts() -> list[tuple[str, str]]:
    text_files = (path for path in project_files() if path.suffix not in NOT_TEXT)
    return [(str(p.relative_to(ROOT)), p.read_bytes().decode("utf-8", errors="replace")) for p in text_files]


@pytest.mark.slow
def test_no_file_names_a_registry() -> None:
    registry = re.compile("|".join(REGISTRIES))
    assert [name for name, text in texts() if registry.search(text)] == []


@pytest.mark.slow
def test_no_file_names_the_checkout_it_was_written_in() -> None:
    here = re.compile(re.escape(str(ROOT)) + r"\b")
    assert [name for name, text in texts() if here.search(text)] == []
