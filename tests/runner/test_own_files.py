"""What another program puts in the place of a file of the hub's own is put back, or told, each time."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hub.app.own_files import OwnFiles
from hub.io.home.kept_file import KeptFile
from hub.loop.events import Event, FilePutBack
from tests.fakes.minute import Minute


class Guard:
    """One kept file that is guarded, and what was told of it."""

    def __init__(self, path: Path) -> None:
        self.told: list[Event] = []
        self.minute = Minute()
        self.file = KeptFile(path)
        self.file.write("ours")
        self.files = OwnFiles(later=self.minute)
        self.files.add(self.file)


@pytest.fixture
async def guard(tmp_path: Path) -> Guard:
    made = Guard(tmp_path / "secrets" / "users.json")
    (await made.files.follow(made.told.append)).close()
    return made


def test_each_change_is_told_at_most_once_a_minute(guard: Guard) -> None:
    back = FilePutBack(path=str(guard.file.path))
    for _ in range(3):
        guard.file.path.write_text("theirs")
        guard.files.look()
        assert guard.file.path.read_text() == "ours"
    assert guard.told == [back]
    guard.minute.is_over()
    assert guard.told == [back, back]
    guard.minute.is_over()
    assert guard.told == [back, back]
    guard.file.path.write_text("theirs")
    guard.files.look()
    assert guard.told == [back, back, back]


@pytest.mark.parametrize("made", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/")])
def test_what_is_no_file_makes_room_for_it(guard: Guard, made: Callable[[Path], None]) -> None:
    guard.file.path.unlink()
    made(guard.file.path)
    guard.files.look()
    assert (guard.file.path.is_symlink(), guard.file.path.read_text()) == (False, "ours")
    assert guard.told == [FilePutBack(path=str(guard.file.path))]


def test_what_lay_in_a_folder_in_its_place_is_lost_to_nobody(guard: Guard) -> None:
    guard.file.path.unlink()
    guard.file.path.mkdir()
    (guard.file.path / "photo").write_text("of the person's")
    guard.files.look()
    (moved,) = (one for one in guard.file.path.parent.iterdir() if one.is_dir())
    assert (moved / "photo").read_text() == "of the person's"


def test_what_cannot_be_put_back_is_told_with_the_reason(guard: Guard) -> None:
    (guard.file.path.parent / f".{guard.file.path.name}.new").mkdir()
    guard.file.path.write_text("theirs")
    guard.files.look()
    (told,) = guard.told
    assert isinstance(told, FilePutBack)
    assert (told.path, told.trouble) == (str(guard.file.path), "Is a directory")
