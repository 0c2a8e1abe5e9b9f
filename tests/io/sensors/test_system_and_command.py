import asyncio
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from hub.contract.mentions import MENTIONS_SENSOR, MentionsReading
from hub.domain.readings import BrokenReading, SystemReading
from hub.domain.situation import FilesReading
from hub.io.sensors.bounded import head, tail
from hub.io.sensors.command import run
from hub.io.sensors.factory import SensorOptions, make_sensors
from hub.io.sensors.guard import Disk, UnreadableError
from hub.io.sensors.system import SystemSensor, memory_used
from tests.fakes.plain_words import plain

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
WAIT_S_MAX = 40
ENV: Mapping[str, str] = {"PATH": "/usr/bin:/bin"}


async def test_the_machine_is_as_another_program_sees_it(tmp_path: Path) -> None:
    body = (await SystemSensor(tmp_path).read(NOW)).body
    assert isinstance(body, SystemReading)
    assert body.load.disk_used == pytest.approx(
        psutil.disk_usage(str(tmp_path)).used / psutil.disk_usage(str(tmp_path)).total, abs=0.02
    )
    assert body.load.memory_used == pytest.approx(psutil.virtual_memory().percent / 100, abs=0.05)
    assert body.load.load_per_core >= 0


async def test_a_system_that_does_not_tell(tmp_path: Path) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 5 kB\n")
    for sensor in (SystemSensor(tmp_path, tmp_path / "meminfo"), SystemSensor(tmp_path / "gone")):
        assert isinstance((await sensor.read(NOW)).body, BrokenReading)


@pytest.mark.parametrize("raw", [b"", b"MemTotal: x kB\nMemAvailable: 1 kB", b"MemTotal:\nMemAvailable:"])
def test_meminfo_garbage(raw: bytes) -> None:
    with pytest.raises(UnreadableError):
        memory_used(raw)


def test_memory_shares() -> None:
    assert memory_used(b"MemTotal: 100 kB\nMemAvailable: 25 kB\n") == 0.75
    assert memory_used(b"MemTotal: 0 kB\nMemAvailable: 0 kB\n") == 0.0


async def test_a_program_that_says_too_much_is_cut(tmp_path: Path) -> None:
    said = await run(("yes",), cwd=tmp_path, env=ENV, timeout_s=10, limit_bytes=1000)
    assert (said.cut, len(said.out)) == (True, 1000)


@pytest.mark.slow
async def test_a_program_that_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "held")
    reader = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(UnreadableError, match="took longer"):
        await run(("sh", "-c", "sleep 60 > held & wait"), cwd=tmp_path, env=ENV, timeout_s=0.3, limit_bytes=10)
    os.set_blocking(reader, True)
    async with asyncio.timeout(30):
        # The pipe ends when the last process that holds it is gone.
        assert await asyncio.to_thread(os.read, reader, 1) == b""
    os.close(reader)


async def test_errors_are_bounded_and_input_may_be_left_unread(tmp_path: Path) -> None:
    script = "import sys; sys.stderr.write('e' * 500_000); sys.exit(3)"
    argv = (sys.executable, "-I", "-c", script)
    said = await run(argv, cwd=tmp_path, env=ENV, timeout_s=20, limit_bytes=10, stdin=b"x" * 500_000)
    assert (said.code, len(said.error), said.cut) == (3, 2000, False)


async def test_programs_that_cannot_start(tmp_path: Path) -> None:
    for argv in (("no-such-program-here",), ("nul\0byte",), (str(tmp_path),)):
        with pytest.raises(UnreadableError, match="could not be started"):
            await run(argv, cwd=tmp_path, env=ENV, timeout_s=1, limit_bytes=10)


async def test_a_disk_that_hangs_is_asked_once() -> None:
    disk, release = Disk(), asyncio.Event()
    loop = asyncio.get_running_loop()
    go_on = asyncio.run_coroutine_threadsafe

    def hang() -> None:
        go_on(release.wait(), loop).result(10)

    first = asyncio.create_task(disk.look(hang))
    await asyncio.sleep(0)
    with pytest.raises(UnreadableError, match="has not answered"):
        await disk.look(lambda: None)
    release.set()
    await first
    assert await disk.look(lambda: 7) == 7


def test_bounded_reading(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("first\nsecond\nthird\n")
    assert head(path, 5) == b"first"
    assert tail(path, 10) == b"third\n"
    assert tail(path, 100) == b"first\nsecond\nthird\n"
    (tmp_path / "link").symlink_to(path)
    assert head(tmp_path / "link", 5) == b"first"
    for odd, follow in ((tmp_path / "link", False), (tmp_path, True), (Path("/dev/zero"), True)):
        with pytest.raises(OSError, match=r"."):
            head(odd, 5, follow=follow)


async def test_the_factory_ties_the_sensors_together(tmp_path: Path) -> None:
    (tmp_path / "work/.git").mkdir(parents=True)
    (tmp_path / "work/inner").mkdir()
    options = SensorOptions(home=tmp_path, workspaces=(tmp_path / "work/inner",), zone="No/Where", calendar="x.ics")
    sensors = make_sensors(options, lambda: NOW, print)
    looked = [
        "files",
        "git",
        "folders",
        "transcripts",
        "system",
        "predictor",
        "suggested",
        "commands",
        "certificates",
        "drive-files",
        "programs",
        "calendar",
        "discord-mentions",
    ]
    assert [each.name for each in sensors] == looked
    readings = [await each.read(NOW) for each in sensors]
    assert [each.sensor for each in readings] == [each.name for each in sensors]
    for each in sensors:
        await each.close()


async def test_what_pulse_itself_writes_is_no_change_of_a_workspace_around_its_home(tmp_path: Path) -> None:
    home = tmp_path / "state/pulse"
    home.mkdir(parents=True)
    told = asyncio.Event()
    options = SensorOptions(home=home, workspaces=(tmp_path,), zone="UTC")
    (files,) = (each for each in make_sensors(options, lambda: NOW, lambda _: told.set()) if each.name == "files")
    await files.read(NOW)
    (home / "pulse.db").write_text("x")
    (tmp_path / "last.py").write_text("x")
    async with asyncio.timeout(WAIT_S_MAX):
        await told.wait()
    body = (await files.read(NOW)).body
    assert isinstance(body, FilesReading)
    assert [plain(path) for path in body.changed] == [str(tmp_path / "last.py")]
    await files.close()


async def test_a_sensor_that_is_not_wanted_is_not_made(tmp_path: Path) -> None:
    without = frozenset({"git", "files"})
    options = SensorOptions(home=tmp_path, workspaces=(tmp_path,), zone="UTC", without=without)
    looked = ["folders", "transcripts", "system", "predictor", "suggested", "commands", "certificates", "drive-files"]
    looked += ["programs", "discord-mentions"]
    assert [each.name for each in make_sensors(options, lambda: NOW, print)] == looked


@pytest.mark.parametrize("hears", [False, True])
async def test_mentions_are_known_to_be_none_unless_discord_is_to_report_them(tmp_path: Path, *, hears: bool) -> None:
    options = SensorOptions(home=tmp_path, workspaces=(tmp_path,), zone="UTC", hears_mentions=hears)
    found = [each for each in make_sensors(options, lambda: NOW, print) if each.name == MENTIONS_SENSOR]
    assert [(await each.read(NOW)).body for each in found] == ([] if hears else [MentionsReading()])
