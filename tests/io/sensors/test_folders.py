"""A folder of texts and pictures, read from real files: what is told of it, and what is never looked at."""

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.domain.readings import FolderReading
from hub.domain.situation import DocumentFolder
from hub.io.sensors import folders
from hub.io.sensors.folders import FolderSensor, list_folder
from tests.fakes.plain_words import plain

NOW = datetime(2030, 1, 7, 14, tzinfo=UTC)
DAY = timedelta(days=1)


def put(path: Path, text: str = "x", age: timedelta = timedelta(0)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    at = (NOW - age).timestamp()
    os.utime(path, (at, at))
    return path


def _init(top: Path) -> None:
    subprocess.run(("git", "init", "-q", str(top)), check=True)


def sensor(top: Path, *, backup: Path | None = None, without: Path | None = None) -> FolderSensor:
    return FolderSensor((top,), zone=UTC, backup=backup, without=without)


async def read(looking: FolderSensor, now: datetime = NOW) -> DocumentFolder:
    reading = await looking.read(now)
    assert isinstance(reading.body, FolderReading), reading
    (folder,) = reading.body.folders
    return folder


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "someone"))
    return tmp_path / "work"


async def test_links_are_read_with_their_lines_and_the_file_that_moved(work: Path) -> None:
    put(work / "news.md", "# News\n![a](images/a.png)\n![b](images/b.png)\n![c](images/c.png)\n")
    put(work / "images/a.png")
    put(work / "pictures/B.png")
    put(work / "old.md", "![gone](gone.png)", 90 * DAY)
    folder = await read(sensor(work))
    assert [(plain(one.text), one.line, plain(one.target), plain(one.perhaps)) for one in folder.missing_links] == [
        ("news.md", 3, "images/b.png", "pictures/B.png"),
        ("news.md", 4, "images/c.png", ""),
    ]


async def test_a_file_that_was_renamed_is_found_under_its_new_name(work: Path) -> None:
    put(work / "news.md", "![a](img/a.png)\n![b](img/b.png)\n")
    put(work / "img/a.png", "one")
    put(work / "img/b.png", "two")
    looking = sensor(work)
    assert (await read(looking)).missing_links == ()
    (work / "img/a.png").rename(work / "img/a-spring.png")
    (work / "img/b.png").unlink()
    looking.invalidate(work)
    found = (await read(looking)).missing_links
    assert [(plain(one.path), one.was_there, plain(one.perhaps)) for one in found] == [
        ("img/a.png", True, "img/a-spring.png"),
        ("img/b.png", True, ""),
    ]


async def test_what_is_hidden_made_by_tools_or_behind_a_link_is_not_said_to_be_missing(work: Path) -> None:
    put(work.parent / "elsewhere/secret.md", "![x](never.png)")
    put(work / "news.md", "![1](.hidden/a.png)\n![2](dist/a.png)\n![3](there/b.png)\n![4](one.png)\n")
    (work / "there").symlink_to(work.parent / "elsewhere")
    (work / "one.png").symlink_to(work.parent / "gone.png")
    (work / "copy.md").symlink_to(work.parent / "elsewhere/secret.md")
    put(work / ".trash/other.md", "![x](never.png)")
    assert (await read(sensor(work))).missing_links == ()
    assert [file.path for file in list_folder(work).files] == ["news.md"]


async def test_a_folder_is_read_again_when_something_changed_or_after_a_while(work: Path) -> None:
    news = put(work / "news.md", "![a](a.png)")
    looking = sensor(work)
    assert len((await read(looking)).missing_links) == 1
    put(work / "a.png")
    assert len((await read(looking)).missing_links) == 1
    looking.invalidate(work)
    assert (await read(looking)).missing_links == ()
    put(news, "![b](b.png) and more")
    assert len((await read(looking, NOW + timedelta(minutes=6))).missing_links) == 1


async def test_an_old_version_counts_only_where_its_content_differs(work: Path) -> None:
    put(work / "plan v2.md", "one", 1 * DAY)
    put(work / "plan final.md", "two", 3 * DAY)
    put(work / "same v2.md", "one", 1 * DAY)
    put(work / "same final.md", "one", 3 * DAY)
    (one,) = (await read(sensor(work))).old_versions
    assert (plain(one.older), plain(one.newest)) == ("plan v2.md", "plan final.md")


async def test_a_folder_with_too_much_says_nothing(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "FILES_MAX", 5)
    put(work / "news.md", "![a](a.png)")
    for number in range(6):
        put(work / f"{number}.png")
    folder = await read(sensor(work))
    assert folder.is_cut
    assert (folder.missing_links, folder.unversioned) == ((), None)


async def test_a_repository_of_code_is_left_to_git_and_one_of_texts_is_not(work: Path) -> None:
    put(work / "site/news.md", "![a](a.png)")
    put(work / "site/index.html", "<p>")
    _init(work / "site")
    assert len((await read(sensor(work / "site"))).missing_links) == 1
    put(work / "site/build.py")
    reading = await sensor(work / "site").read(NOW)
    assert isinstance(reading.body, FolderReading)
    assert reading.body.folders == ()
    put(work / "around.md", "![a](a.png)")
    around = await read(sensor(work))
    assert [plain(one.text) for one in around.missing_links] == ["around.md"]
    assert around.unversioned is None


async def test_days_of_work_are_counted_and_large_media_is_not(work: Path) -> None:
    for number in range(4):
        put(work / f"{number}.md", age=number * DAY)
    put(work / "old.md", age=40 * DAY)
    put(work / "film.mp4", "x" * 5_000)
    found = (await read(sensor(work))).unversioned
    assert found is not None
    assert (found.files, found.size, found.days) == (5, 5, 4)


@pytest.mark.parametrize("name", ["Dropbox/design", "OneDrive - Firm/design", "repository/design"])
async def test_a_folder_that_would_make_a_bad_repository_is_not_offered_one(work: Path, name: str) -> None:
    (work / "repository/.git").mkdir(parents=True)
    put(work / name / "a.md")
    assert (await read(sensor(work / name))).unversioned is None


async def test_a_home_is_no_folder_to_make_a_repository_of(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(work / "mo/a.md")
    for home in (work, work / "mo"):
        monkeypatch.setenv("HOME", str(home))
        assert (await read(sensor(work))).unversioned is None


async def test_a_backup_is_known_by_when_something_was_put_there(work: Path, tmp_path: Path) -> None:
    backup = tmp_path / "drive/backup"
    put(backup / "week/a.md", age=900 * DAY)  # copied with its time; the system's own says when it came
    put(work / "a.md", age=-4000 * DAY)
    put(work / "b.md", age=4000 * DAY)
    since = (await read(sensor(work, backup=backup))).since_backup
    assert since is not None
    assert abs(since.backup_at - datetime.now(UTC)) < timedelta(minutes=5)
    assert (since.files, since.size) == (1, 1)
    assert (await read(sensor(work, backup=tmp_path / "away"))).since_backup is None


async def test_pulses_own_folder_and_odd_names_are_left_out(work: Path) -> None:
    put(work / ".pulse-home/a.md")
    put(work / "state/notes.md", "![x](x.png)")
    put(work / "a\nb.md", "![x](x.png)")
    (work / "pipe.md").parent.mkdir(exist_ok=True)
    os.mkfifo(work / "pipe.md")
    (work / os.fsdecode(b"\xff.md")).write_text("![x](x.png)")
    assert (await read(sensor(work, without=work / "state"))).missing_links == ()
