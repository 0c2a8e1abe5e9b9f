"""What another program puts in the place of a file of the hub's own is put back, or told, each time."""

import asyncio
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.app.own_files import OwnFiles
from hub.io.home.kept_file import KeptFile
from hub.loop.events import Event, FilesPutBack
from tests.fakes.minute import Minute

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
WAIT_S_MAX = 10.0


class Guard:
    """One kept file that is guarded, and what was told of it."""

    def __init__(self, path: Path, **more: float) -> None:
        self.told: list[Event] = []
        self.minute = Minute()
        self.file = KeptFile(path)
        self.file.write("ours")
        self.back = FilesPutBack(put_back=(str(path),))
        self.files = OwnFiles(lambda: NOW, later=self.minute, **more)
        self.files.add(self.file)


@pytest.fixture
async def guard(tmp_path: Path) -> Guard:
    made = Guard(tmp_path / "secrets" / "users.json")
    await made.files.follow(made.told.append)
    await made.files.close()
    return made


def test_each_change_is_told_at_most_once_a_minute(guard: Guard) -> None:
    for _ in range(3):
        guard.file.path.write_text("theirs")
        guard.files.look()
        assert guard.file.path.read_text() == "ours"
    guard.minute.is_over()
    assert guard.told == [guard.back]
    guard.file.path.write_text("theirs")
    guard.files.look()
    guard.minute.is_over()
    guard.minute.is_over()
    assert guard.told == [guard.back, guard.back]
    guard.minute.is_over()
    guard.minute.is_over()
    assert guard.told == [guard.back, guard.back]


def test_what_is_changed_at_once_is_told_at_once(guard: Guard) -> None:
    other = KeptFile(guard.file.path.with_name("run.json"))
    other.write("ours")
    guard.files.add(other)
    for file in (guard.file, other):
        file.path.unlink()
    guard.files.look()
    guard.files.note("/programs/hook")
    guard.minute.is_over()
    assert guard.told == [FilesPutBack(put_back=(str(guard.file.path), str(other.path), "/programs/hook"))]


def test_health_says_it_until_a_person_has_read_it(guard: Guard) -> None:
    assert guard.files.health() == ()
    guard.file.path.unlink()
    guard.files.look()
    (part,) = guard.files.health()
    assert (part.name, part.status, part.since) == ("files", "degraded", NOW)
    assert part.detail == guard.back.text
    guard.files.seen()
    assert guard.files.health() == ()


async def test_what_nothing_tells_of_is_found_at_the_next_look(tmp_path: Path) -> None:
    made = Guard(tmp_path / "users.json", every_s=0.05)
    await made.files.follow(made.told.append)
    linked = tmp_path / "elsewhere" / "linked"
    linked.parent.mkdir()
    linked.hardlink_to(made.file.path)
    assert made.files._watcher is not None  # noqa: SLF001  as where the system tells of nothing
    made.files._watcher.close()  # noqa: SLF001  as above
    linked.write_text("theirs")
    async with asyncio.timeout(WAIT_S_MAX):
        while made.file.path.read_text() != "ours":  # noqa: ASYNC110  a file, which tells nobody
            await asyncio.sleep(0.02)
    await made.files.close()


@pytest.mark.parametrize("made", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/")])
def test_what_is_no_file_makes_room_for_it(guard: Guard, made: Callable[[Path], None]) -> None:
    guard.file.path.unlink()
    made(guard.file.path)
    guard.files.look()
    assert (guard.file.path.is_symlink(), guard.file.path.read_text()) == (False, "ours")
    guard.minute.is_over()
    assert guard.told == [guard.back]


def test_what_lay_in_a_folder_in_its_place_is_lost_to_nobody(guard: Guard) -> None:
    guard.file.path.unlink()
    guard.file.path.mkdir()
    (guard.file.path / "photo").write_text("of the person's")
    guard.files.look()
    (moved,) = (one for one in guard.file.path.parent.iterdir() if one.is_dir())
    assert (moved / "photo").read_text() == "of the person's"


def test_what_cannot_be_put_back_is_told_once_with_the_reason(guard: Guard) -> None:
    (guard.file.path.parent / f".{guard.file.path.name}.new").mkdir()
    guard.file.path.write_text("theirs")
    guard.files.look()
    guard.minute.is_over()
    left = FilesPutBack(left=(f"{guard.file.path} (Is a directory)",))
    assert guard.told == [left]
    guard.files.look()
    guard.minute.is_over()
    assert guard.told == [left]
    guard.files.seen()
    (part,) = guard.files.health()
    assert part.detail == left.text, "it still is so"
