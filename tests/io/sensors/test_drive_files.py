"""The person's files of goals and the like, as agents write them: half, too much, as links, pipes and folders."""

import asyncio
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.app.watched import drive_files_of
from hub.domain.moment import Change
from hub.domain.provenance import untrusted
from hub.domain.readings import DriveFilesReading
from hub.io.sensors import drive_files
from hub.io.sensors.drive_files import DriveFilesSensor, NamedFile
from hub.io.sensors.factory import SensorOptions, make_watch
from hub.sense.drive_files import FILE_BYTES_MAX
from hub.settings.schema import DriveSettings

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
ONE = b'{"goals": [{"title": "Launch it"}]}'


def sensor(*paths: Path) -> DriveFilesSensor:
    return DriveFilesSensor([NamedFile(kind="goals", path=path) for path in paths], UTC)


async def look(at: DriveFilesSensor) -> DriveFilesReading:
    body = (await at.read(NOW)).body
    assert isinstance(body, DriveFilesReading), body
    return body


def texts(reading: DriveFilesReading) -> list[str]:
    return [untrusted(item.text) for item in reading.items]


async def test_what_changed_is_read_and_what_is_gone_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "goals.json"
    eyes = sensor(path)
    assert await look(eyes) == DriveFilesReading()
    path.write_bytes(ONE)
    assert texts(await look(eyes)) == ["Launch it"]
    path.write_bytes(b'["Another one"]')
    assert texts(await look(eyes)) == ["Another one"]
    path.unlink()
    assert await look(eyes) == DriveFilesReading()


async def test_a_file_that_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "goals.json"
    path.write_bytes(ONE)
    eyes = sensor(path)
    first = await look(eyes)

    def read(*_: object, **__: object) -> bytes:
        raise AssertionError("it was read again")

    monkeypatch.setattr(drive_files, "head", read)
    assert await look(eyes) == first


async def test_a_half_written_file_counts_as_it_was_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "goals.json"
    path.write_bytes(ONE)
    eyes = sensor(path)
    await look(eyes)
    path.write_bytes(ONE[:20])
    half = await look(eyes)
    assert (texts(half), half.unread) == (["Launch it"], ())
    assert half.wrong == (f"{path}: it is not JSON; perhaps it is still being written",)
    path.write_bytes(ONE)
    assert (await look(eyes)).wrong == ()


async def test_what_cannot_be_read_is_named_and_the_others_count(tmp_path: Path) -> None:
    pipe, folder, link, large, good = (tmp_path / name for name in ("pipe", "folder", "link", "large", "good"))
    os.mkfifo(pipe)
    folder.mkdir()
    good.write_bytes(ONE)
    link.symlink_to(good)
    large.write_bytes(b" " * FILE_BYTES_MAX + ONE)
    found = await look(sensor(pipe, folder, link, large, good))
    assert texts(found) == ["Launch it"]
    assert found.wrong == (
        f"{pipe}: it is not a regular file",
        f"{folder}: it is not a regular file",
        f"{link}: it is a symbolic link; name the file that it points to",
        f"{large}: it is larger than {FILE_BYTES_MAX} bytes; move what is over out of it",
    )
    assert found.unread == tuple(map(str, (pipe, folder, link, large)))


async def test_a_file_that_grows_for_ever_stays_as_it_was_when_it_was_small(tmp_path: Path) -> None:
    path = tmp_path / "goals.json"
    path.write_bytes(ONE)
    eyes = sensor(path)
    await look(eyes)
    with path.open("ab") as growing:
        for _ in range(4):
            growing.write(b" " * FILE_BYTES_MAX)
            growing.flush()
            assert texts(await look(eyes)) == ["Launch it"]


async def test_a_file_below_a_file_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(ONE)
    assert await look(sensor(tmp_path / "file" / "goals.json")) == DriveFilesReading()


async def test_a_saved_file_is_noticed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "agent" / "memory" / "goals.json"
    path.parent.mkdir(parents=True)
    told = asyncio.Queue[Change]()
    options = SensorOptions(
        home=tmp_path / "home", workspaces=(), zone="UTC", drive_files=(NamedFile(kind="goals", path=path),)
    )
    watch = make_watch(options, told.put_nowait)
    await watch.start()
    try:
        made = path.with_suffix(".new")
        made.write_text(json.dumps(["Launch it"]))
        made.replace(path)
        assert await asyncio.wait_for(told.get(), 30) is Change.READING
    finally:
        await watch.close()


def test_the_settings_name_the_files_and_the_same_one_counts_once() -> None:
    named = ("~/goals.json", "hypotheses:/files/x.json", "hypotheses:/files/x.json")
    assert drive_files_of(DriveSettings(files=named)) == (
        NamedFile(kind="goals", path=Path.home() / "goals.json"),
        NamedFile(kind="hypotheses", path=Path("/files/x.json")),
    )
    assert drive_files_of(DriveSettings()) == ()


async def test_a_text_tells_of_its_deadlines_counted_from_when_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "brief.md"
    path.write_text("# Poster\n\nDeadline: Friday\n")
    at = datetime(2026, 6, 9, 12, tzinfo=UTC).timestamp()  # a Tuesday
    os.utime(path, (at, at))
    eyes = DriveFilesSensor([NamedFile(kind="deadlines", path=path)], UTC)
    (item,) = (await look(eyes)).items
    assert (item.kind, untrusted(item.text), item.due_at) == (
        "deadlines",
        "Poster",
        datetime(2026, 6, 12, 18, tzinfo=UTC),
    )
    path.write_text("# Poster\n\nSent.\n")
    assert (await look(eyes)).items == ()
