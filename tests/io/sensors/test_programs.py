"""Programs that are to run, as real processes: found by their names, and told of when they end."""

import asyncio
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.domain.moment import Change
from hub.domain.readings import BrokenReading, ProgramsReading
from hub.io.sensors.programs import ProgramsSensor

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")


def own_sleep(folder: Path) -> Path:
    """A program with a name that nothing else has; a script, for one file may be many programs (busybox)."""
    program = folder / f"pulse-trial-{folder.name}.sh"
    program.write_text("#!/bin/sh\nread line\n")
    program.chmod(0o700)
    return program


async def running(sensor: ProgramsSensor) -> dict[str, bool]:
    body = (await sensor.read(NOW)).body
    assert isinstance(body, ProgramsReading), body
    return {each.name: each.is_running for each in body.programs}


async def test_a_program_is_found_and_its_end_is_told(tmp_path: Path) -> None:
    program = own_sleep(tmp_path)
    told = asyncio.Queue[Change]()
    sensor = ProgramsSensor([program.name, "surely-no-such"], told.put_nowait, again_after_s=0)
    process = await asyncio.create_subprocess_exec(str(program), stdin=asyncio.subprocess.PIPE)
    try:
        assert await running(sensor) == {program.name: True, "surely-no-such": False}
        assert await running(sensor) == {program.name: True, "surely-no-such": False}
        assert told.empty()
    finally:
        process.kill()
        await process.wait()
    assert await asyncio.wait_for(told.get(), 30) is Change.READING
    assert await running(sensor) == {program.name: False, "surely-no-such": False}
    await sensor.close()
    assert told.empty()


async def test_a_program_that_is_started_again_meanwhile_is_not_missing(tmp_path: Path) -> None:
    proc = tmp_path / "proc"
    (proc / "1").mkdir(parents=True)
    sensor = ProgramsSensor(["bot"], print, proc=proc, again_after_s=0)
    looks = 0
    found = sensor._found  # noqa: SLF001  what changes between two looks

    def starting(wanted: set[str]) -> dict[str, int]:
        nonlocal looks
        looks += 1
        if looks == 2:
            (proc / "70000000").mkdir()
            (proc / "70000000" / "stat").write_text("70000000 (bot) S 1")
            (proc / "70000000" / "cmdline").write_text("bot\0")
        return found(wanted)

    sensor._found = starting  # type: ignore[method-assign]  # noqa: SLF001
    assert await running(sensor) == {"bot": True}
    shutil.rmtree(proc / "70000000")
    assert await running(sensor) == {"bot": False}
    assert looks == 4, "looked twice before it was missing"
    assert await running(sensor) == {"bot": False}
    assert looks == 5, "and once where it was missing already"
    await sensor.close()


async def test_where_processes_are_hidden_none_counts_as_missing(tmp_path: Path) -> None:
    (tmp_path / "77").mkdir()
    (tmp_path / "77" / "stat").write_text("77 (mine) S 1")
    (tmp_path / "77" / "cmdline").write_text("")
    sensor = ProgramsSensor(["mine"], print, proc=tmp_path)
    assert await running(sensor) == {"mine": True}
    await sensor.close()
    hidden = ProgramsSensor(["mine", "theirs"], print, proc=tmp_path, again_after_s=0)
    body = (await hidden.read(NOW)).body
    assert isinstance(body, BrokenReading)
    assert "does not show all of its processes" in body.detail
