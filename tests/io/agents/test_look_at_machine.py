"""The note on the machine: what fills it, in bounds, with links and hard links counted once."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.io.agents.playbook.look_at_machine import LARGE_BYTES, sizes_below
from hub.io.agents.playbook.runner import PlaybookRunner
from tests.io.agents.agent_work import Heard, job, run

NOW = datetime(2029, 12, 31, 9, tzinfo=UTC)
KB = 1024


def fill(path: Path, kilobytes: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * kilobytes * KB)


def test_folders_are_added_up_down_to_the_second_level_and_links_are_not_followed(tmp_path: Path) -> None:
    fill(tmp_path / "a/b/c/deep.bin", 64)
    fill(tmp_path / "a/top.bin", 32)
    os.link(tmp_path / "a/top.bin", tmp_path / "a/same.bin")
    (tmp_path / "a/loop").symlink_to(tmp_path)
    found = sizes_below(tmp_path)
    assert found.is_whole
    assert set(found.folders) == {str(tmp_path / "a"), str(tmp_path / "a/b")}
    assert 96 * KB <= found.folders[str(tmp_path / "a")] < 128 * KB
    assert not sizes_below(tmp_path, entries_max=2).is_whole
    assert not sizes_below(tmp_path, seconds_max=-1.0).is_whole


def test_a_large_file_is_named(tmp_path: Path) -> None:
    film = tmp_path / "films/one.mkv"
    film.parent.mkdir()
    with film.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, LARGE_BYTES)
    assert list(sizes_below(tmp_path).files) == [str(film)]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("disk",), ("## Largest folders", "pictures", "Nothing was removed.")),
        (("memory",), ("process", "Nothing was stopped.")),
        (("program", "no-such-program"), ("No process named no-such-program is running.", "drives.processes")),
    ],
)
async def test_it_writes_a_note_without_any_folder(
    tmp_path: Path, args: tuple[str, ...], words: tuple[str, ...]
) -> None:
    home = tmp_path / "home"
    fill(home / "pictures/a.png", 8)
    runner = PlaybookRunner(home / ".pulse", {"PATH": os.environ["PATH"], "HOME": str(home)}, lambda: NOW)
    done = await run(runner, job(playbook="look-at-machine", workspace=None, args=args), Heard())
    assert done.exit_code == 0, done.detail
    assert all(each in done.output for each in words)
    unknown = await run(runner, job(playbook="look-at-machine", workspace=None, args=("moon",)), Heard())
    assert unknown.ended == "failed-to-start"
    await runner.close()
