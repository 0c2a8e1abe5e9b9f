"""What every sensor must do, whether its source is well, broken, or not there at all. A new sensor adds its cases."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from hub.domain.provenance import decoded, encoded
from hub.domain.readings import BrokenReading, Reading
from hub.io.sensors.caldav import CaldavSensor
from hub.io.sensors.caldav_account import CaldavAccount
from hub.io.sensors.calendar import CalendarSensor
from hub.io.sensors.certificates import CertificateSensor
from hub.io.sensors.commands import command_sensor
from hub.io.sensors.drive_files import DriveFilesSensor, NamedFile
from hub.io.sensors.files import FilesSensor
from hub.io.sensors.folders import FolderSensor
from hub.io.sensors.git import GitSensor
from hub.io.sensors.mentions import NoMentions
from hub.io.sensors.predictor import predictor_sensor
from hub.io.sensors.programs import ProgramsSensor
from hub.io.sensors.suggested import suggested_sensor
from hub.io.sensors.system import SystemSensor
from hub.io.sensors.transcripts import TranscriptSensor, default_folders
from hub.ports import Sensor
from hub.sense.assemble import FRESH_FOR_S

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
READ_S_MAX = 40.0

Make = Callable[[Path], Sensor]


def _write(folder: Path, content: bytes) -> Path:
    path = folder / "source"
    path.write_bytes(content)
    return path


def _pipe(folder: Path) -> Path:
    path = folder / "pipe"
    os.mkfifo(path)
    return path


def _repository(folder: Path) -> Path:
    subprocess.run(("git", "init", "-q", str(folder)), check=True)
    return folder


def _git(workspace: Path) -> Sensor:
    return GitSensor([workspace], zone=UTC)


def _files(workspace: Path) -> Sensor:
    return FilesSensor([workspace], now=lambda: NOW)


def _folder(workspace: Path) -> Sensor:
    return FolderSensor([workspace], zone=UTC)


def _calendar(path: Path) -> Sensor:
    return CalendarSensor(str(path), zone="UTC")


def _goals(path: Path) -> Sensor:
    return DriveFilesSensor([NamedFile(kind="goals", path=path)], UTC)


def _programs(proc: Path) -> Sensor:
    return ProgramsSensor(["surely-no-such-program"], lambda _change: None, proc=proc, again_after_s=0.01)


def _caldav(url: str, password: Path) -> Sensor:
    return CaldavSensor(CaldavAccount(url=url, user="ada", password_file=str(password)), zone="UTC")


WELL: dict[str, Make] = {
    "files": _files,
    "transcripts": lambda folder: TranscriptSensor(default_folders(folder)),
    "system": SystemSensor,
    "calendar": lambda folder: _calendar(_write(folder, b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")),
    "git": lambda folder: _git(_repository(folder)),
    "predictor": lambda folder: predictor_sensor(_write(folder, b"garbage, which is named by its number")),
    "commands": lambda folder: command_sensor(_write(folder, b"garbage")),
    "certificates": lambda folder: CertificateSensor([_write(folder, b"garbage"), folder / "gone"], [folder]),
    "drive files": lambda folder: _goals(_write(folder, b'["Launch it"]')),
    "drive files of garbage, which are named": lambda folder: _goals(_write(folder, b"garbage")),
    "drive files of a pipe, which is named": lambda folder: _goals(_pipe(folder)),
    "drive files without a file": lambda folder: _goals(folder / "gone"),
    "folders": lambda folder: _folder(_write(folder, b"garbage").parent),
    "programs": lambda _: _programs(Path("/proc")),
    "programs of nobody": lambda _: ProgramsSensor([], lambda _change: None),
    "mentions that nobody asked for": lambda _: NoMentions(),
    "commands without a file": lambda folder: command_sensor(folder / "gone"),
    "suggested": lambda folder: suggested_sensor(_write(folder, b"garbage, which is passed over")),
    "suggested without a file": lambda folder: suggested_sensor(folder / "gone"),
    "predictor without a file": lambda folder: predictor_sensor(folder / "gone"),
}
BROKEN: dict[str, Make] = {
    "files without a folder": lambda folder: _files(folder / "gone"),
    "files of nothing": lambda _: FilesSensor([], now=lambda: NOW),
    "files of a file": lambda folder: _files(_write(folder, b"")),
    "git without a folder": lambda folder: _git(folder / "gone"),
    "git without a repository": _git,
    "folders without a folder": lambda folder: _folder(folder / "gone"),
    "folders of nothing": lambda _: FolderSensor([], zone=UTC),
    "folders of a file": lambda folder: _folder(_write(folder, b"")),
    "git of nothing": lambda _: GitSensor([], zone=UTC),
    "git of a file": lambda folder: _git(_write(folder, b"")),
    "calendar without a file": lambda folder: _calendar(folder / "gone"),
    "calendar of garbage": lambda folder: _calendar(_write(folder, b"\0\xff garbage")),
    "calendar of a pipe": lambda folder: _calendar(_pipe(folder)),
    "calendar of nobody": lambda _: CalendarSensor("http://127.0.0.1:1/x.ics", zone="UTC"),
    "calendar of no address": lambda _: CalendarSensor("https://", zone="UTC"),
    "calendar in no zone": lambda folder: CalendarSensor(str(_write(folder, b"BEGIN:VCALENDAR")), zone="No/Where"),
    "calendars of nobody": lambda folder: _caldav("http://127.0.0.1:1/", _write(folder, b"pass")),
    "calendars without a password": lambda folder: _caldav("http://127.0.0.1:1/", folder / "gone"),
    "calendars of no address": lambda folder: _caldav("https://[", _write(folder, b"pass")),
    "commands of a pipe": lambda folder: command_sensor(_pipe(folder)),
    "suggested of a pipe": lambda folder: suggested_sensor(_pipe(folder)),
    "predictor of a pipe": lambda folder: predictor_sensor(_pipe(folder)),
    "predictor of too much": lambda folder: predictor_sensor(_write(folder, b"x" * 2**21)),
    "programs without a list of them": lambda folder: _programs(folder / "gone"),
    "programs that are hidden": _programs,
    "system without a home": lambda folder: SystemSensor(folder / "gone"),
    "system of garbage": lambda folder: SystemSensor(folder, _write(folder, b"\0\xff garbage")),
}


@pytest.fixture(params=[*WELL.items(), *BROKEN.items()], ids=lambda pair: pair[0])
async def sensor(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Sensor]:
    _, make = request.param
    made: Sensor = make(tmp_path)
    yield made
    await made.close()


async def read(sensor: Sensor, now: datetime = NOW) -> Reading:
    async with asyncio.timeout(READ_S_MAX):
        return await sensor.read(now)


@pytest.mark.slow
async def test_a_reading_says_who_and_when_and_survives_the_wire_and_is_made_again_at_any_time(sensor: Sensor) -> None:
    found = await read(sensor)
    assert found.sensor == sensor.name
    assert sensor.name in FRESH_FOR_S
    assert found.at == NOW
    assert msgspec.json.decode(msgspec.json.encode(found, enc_hook=encoded), type=Reading, dec_hook=decoded) == found

    for minutes in (1, -60, 24 * 60):
        assert isinstance(await read(sensor, NOW + timedelta(minutes=minutes)), Reading)


async def test_calling_a_reading_off_or_closing_twice_does_no_harm(sensor: Sensor) -> None:
    reading = asyncio.create_task(sensor.read(NOW))
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait([reading])
    await sensor.close()
    await sensor.close()
    assert isinstance(await read(sensor, NOW + timedelta(hours=1)), Reading)


@pytest.mark.parametrize("make", WELL.values(), ids=WELL)
async def test_what_is_well_is_not_broken(make: Make, tmp_path: Path) -> None:
    made = make(tmp_path)
    assert not isinstance((await read(made)).body, BrokenReading)
    await made.close()


@pytest.mark.parametrize("make", BROKEN.values(), ids=BROKEN)
async def test_what_is_broken_says_why(make: Make, tmp_path: Path) -> None:
    made = make(tmp_path)
    body = (await read(made)).body
    assert isinstance(body, BrokenReading)
    assert len(body.detail) > 10
    await made.close()
