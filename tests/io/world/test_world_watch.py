"""Whoever waits for the log is told of each line, also of a program that keeps it open, and of nothing else."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from hub.io.world.watch import log_watch
from tests.io.world.lines import echo

WAIT_S = 30.0


class Told:
    """Counts how often something changed."""

    def __init__(self) -> None:
        self.times = 0
        self._again = asyncio.Event()

    def __call__(self) -> None:
        self.times += 1
        self._again.set()

    async def after(self, do: Callable[[], object]) -> None:
        """Do something, and wait until it was told."""
        self._again.clear()
        do()
        async with asyncio.timeout(WAIT_S):
            await self._again.wait()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "world.log").touch()
    return tmp_path / "world.log"


@pytest_asyncio.fixture
async def told(path: Path) -> AsyncIterator[Told]:
    heard = Told()
    watch = log_watch(path, heard)
    assert watch.arm() == ""
    assert watch.arm() == ""
    yield heard
    watch.close()
    watch.close()


async def test_a_line_of_a_program_that_keeps_the_log_open_is_told(path: Path, told: Told) -> None:
    with path.open("ab", buffering=0) as file:
        await told.after(lambda: file.write(b"one\n"))
        await told.after(lambda: file.write(b"two\n"))


async def test_a_log_that_is_moved_comes_back_or_is_made_is_told(path: Path, told: Told) -> None:
    await told.after(lambda: path.rename(path.with_name("elsewhere")))
    await told.after(lambda: path.with_name("elsewhere").rename(path))
    await told.after(lambda: echo(path, "x\n"))
    await told.after(path.unlink)
    await told.after(path.touch)


async def test_other_files_of_the_folder_tell_nothing(path: Path, told: Told) -> None:
    for number in range(9):
        echo(path.with_name("pulse.db-wal"), f"{number}")
    await told.after(lambda: echo(path, "x\n"))
    assert told.times == 1


async def test_what_was_put_aside_is_heard_of_too(path: Path, tmp_path: Path) -> None:
    heard = Told()
    watch = log_watch(path, heard)
    watch.arm()
    await heard.after(lambda: path.rename(tmp_path / "world.log.20260109T100000.000000Z"))
    await heard.after(path.touch)
    assert watch.arm() == ""
    await heard.after(lambda: echo(tmp_path / "world.log.20260109T100000.000000Z", "late\n"))
    await heard.after(lambda: echo(path, "x\n"))
    watch.close()


async def test_a_folder_that_cannot_be_watched_is_said(tmp_path: Path) -> None:
    watch = log_watch(tmp_path / "none" / "world.log", Told())
    assert "only each minute" in watch.arm()
    watch.close()
