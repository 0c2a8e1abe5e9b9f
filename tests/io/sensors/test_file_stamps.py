"""How files were at a moment: each way to change one shows, and looking at them does not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hub.domain.moment import Change
from hub.io.sensors.file_stamps import changed_since, marked
from hub.io.sensors.traces import ANY, WatchedFile


def save(folder: Path) -> None:
    (folder / "goals.json").write_text('{"goals": ["one more"]}')


def put_another_there(folder: Path) -> None:
    (folder / "new").write_text((folder / "goals.json").read_text())
    (folder / "new").replace(folder / "goals.json")


def remove(folder: Path) -> None:
    (folder / "goals.json").unlink()


def begin_another(folder: Path) -> None:
    (folder / "later.json").write_text("[]")


def save_in_a_folder(folder: Path) -> None:
    (folder / "refs/main").write_text("def\n")


def add_to_a_folder(folder: Path) -> None:
    (folder / "refs/side").write_text("abc\n")


def look(folder: Path) -> None:
    (folder / "goals.json").read_text()


@pytest.mark.parametrize(
    ("do", "means"),
    [
        (save, (Change.READING,)),
        (put_another_there, (Change.READING,)),
        (remove, (Change.READING,)),
        (begin_another, (Change.READING,)),
        (save_in_a_folder, (Change.GIT,)),
        (add_to_a_folder, (Change.GIT,)),
        (look, ()),
    ],
)
def test_what_changed_is_seen_by_its_time_size_or_number(
    tmp_path: Path, do: Callable[[Path], None], means: tuple[Change, ...]
) -> None:
    (tmp_path / "goals.json").write_text("[]")
    (tmp_path / "refs").mkdir()
    (tmp_path / "refs/main").write_text("abc\nabc\n")
    traces = (
        *(WatchedFile(file=tmp_path / name, change=Change.READING) for name in ("goals.json", "later.json")),
        WatchedFile(file=tmp_path / "refs" / ANY, change=Change.GIT),
        WatchedFile(file=tmp_path / "nowhere" / ANY, change=Change.GIT),
    )
    before = marked(traces)
    do(tmp_path)
    assert changed_since(traces, before) == means
