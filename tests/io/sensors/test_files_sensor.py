"""Real watching: each test waits for the signal that the sensor itself gives."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from hub.domain.readings import BrokenReading
from hub.domain.situation import FilesReading
from hub.io.sensors.files import CHANGED_PATHS_MAX, LATELY, RETRY_AFTER, FilesSensor
from hub.io.sensors.watchers import InotifyWatcher, Notify, WatchdogWatcher, Watcher, watcher
from tests.fakes.plain_words import plain

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
WAIT_S_MAX = 40
TRIES = 50


class Watched:
    """A sensor on a folder, and the signal that something changed."""

    def __init__(self, root: Path, make: Callable[[Sequence[Path], Notify], Watcher]) -> None:
        self.root = root
        self.changed = asyncio.Event()
        self.now = NOW
        self.sensor = FilesSensor([root], now=lambda: self.now, on_change=self._on_change, make=make)

    def _on_change(self, root: Path) -> None:
        assert root == self.root
        self.changed.set()

    async def paths(self) -> list[str]:
        body = (await self.sensor.read(self.now)).body
        assert isinstance(body, FilesReading), body
        return [str(Path(plain(path)).relative_to(self.root)) for path in body.changed]

    async def until(self, wanted: set[str]) -> list[str]:
        async with asyncio.timeout(WAIT_S_MAX):
            while not wanted <= set(found := await self.paths()):
                self.changed.clear()
                if wanted <= set(await self.paths()):
                    continue
                await self.changed.wait()
        return found


def quick(roots: Sequence[Path], notify: Notify) -> Watcher:
    return InotifyWatcher(roots, notify, coalesce_s=0.02)


@pytest.fixture(params=[quick, WatchdogWatcher], ids=["inotify", "watchdog"])
async def watched(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Watched]:
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "node_modules/lib").mkdir(parents=True)
    made = Watched(root, request.param)
    assert await made.paths() == []
    assert made.sensor.is_watching
    assert made.changed.is_set()
    made.changed.clear()
    yield made
    await made.sensor.close()


@pytest.mark.slow
async def test_changed_files_are_told_newest_last(watched: Watched) -> None:
    (watched.root / "src/a.py").write_text("a")
    await watched.until({"src/a.py"})
    (watched.root / "b.txt").write_text("b")
    await watched.until({"b.txt"})
    (watched.root / "src/a.py").write_text("again")
    (watched.root / "done").write_text("")
    found = await watched.until({"done"})
    assert [each for each in found if each != "src"] == ["b.txt", "src/a.py", "done"]


async def test_noise_and_ignored_folders_are_not_told(watched: Watched) -> None:
    for name in ("node_modules/lib/x.js", "src/.a.swp", "src/a~", ".git/index", "src/__pycache__/a.pyc"):
        (watched.root / name).parent.mkdir(exist_ok=True)
        (watched.root / name).write_text("x")
    (watched.root / "src/last.py").write_text("x")
    found = await watched.until({"src/last.py"})
    assert {each for each in found if each != "src"} == {"src/last.py"}


@pytest.mark.parametrize("kind", [InotifyWatcher, WatchdogWatcher])
async def test_a_folder_left_out_is_not_told(
    tmp_path: Path, kind: type[InotifyWatcher] | type[WatchdogWatcher]
) -> None:
    left_out = tmp_path / "state/pulse"
    (left_out / "broker").mkdir(parents=True)
    watched = Watched(tmp_path, partial(kind, without=left_out))
    assert await watched.paths() == []
    (left_out / "broker/1.blk").write_text("x")
    (left_out / "later").mkdir()
    (left_out / "later/x").write_text("x")
    (tmp_path / "last.py").write_text("x")
    assert {each for each in await watched.until({"last.py"}) if each != "state"} == {"last.py"}
    await watched.sensor.close()


async def test_a_folder_left_out_that_comes_later_is_not_told(tmp_path: Path) -> None:
    left_out = tmp_path / "pulse"
    watched = Watched(tmp_path, partial(InotifyWatcher, without=left_out))
    assert await watched.paths() == []
    left_out.mkdir()
    (left_out / "armed").write_text("x")
    (tmp_path / "last.py").write_text("x")
    assert await watched.until({"last.py"}) == ["last.py"]
    await watched.sensor.close()


async def test_deleted_and_renamed_files_are_told(watched: Watched) -> None:
    (watched.root / "src/a.py").write_text("a")
    await watched.until({"src/a.py"})
    (watched.root / "src/a.py").rename(watched.root / "src/b.py")
    await watched.until({"src/b.py"})
    (watched.root / "src/b.py").unlink()
    (watched.root / "end").write_text("")
    assert "src/b.py" in await watched.until({"end"})


async def test_new_folders_are_watched_too(watched: Watched) -> None:
    (watched.root / "new").mkdir()
    for number in range(TRIES):  # watchdog needs a moment, and does not say when it watches a new folder
        (watched.root / f"new/later{number}.py").write_text("x")
        try:
            async with asyncio.timeout(WAIT_S_MAX / TRIES):
                await watched.until({f"new/later{number}.py"})
                return
        except TimeoutError:
            continue
    pytest.fail("a new folder is not watched")


@pytest.mark.parametrize("watched", [quick], indirect=True)  # watchdog misses what comes before it watches a new folder
async def test_what_comes_with_a_new_folder_is_told_as_well(watched: Watched) -> None:
    (watched.root / "new/deep").mkdir(parents=True)
    (watched.root / "new/deep/at_once.py").write_text("x")
    await watched.until({"new/deep/at_once.py"})


async def test_a_moved_folder_is_told_by_its_new_name(watched: Watched) -> None:
    (watched.root / "src/inner").mkdir()
    (watched.root / "src/inner/first.py").write_text("x")
    await watched.until({"src/inner/first.py"})
    (watched.root / "src").rename(watched.root / "lib")
    (watched.root / "mark").write_text("x")
    await watched.until({"mark"})
    (watched.root / "lib/inner/second.py").write_text("x")
    await watched.until({"lib/inner/second.py"})


async def test_loops_of_links_end(watched: Watched) -> None:
    (watched.root / "src/loop").symlink_to(watched.root, target_is_directory=True)
    (watched.root / "src/end.py").write_text("x")
    assert len(await watched.until({"src/end.py"})) < 10


async def test_what_is_older_than_lately_is_forgotten(watched: Watched) -> None:
    (watched.root / "a.py").write_text("a")
    await watched.until({"a.py"})
    watched.now = NOW + LATELY + timedelta(seconds=1)
    assert await watched.paths() == []


async def test_the_number_of_paths_is_bounded(watched: Watched) -> None:
    for number in range(CHANGED_PATHS_MAX + 50):
        (watched.root / f"{number}.txt").write_text("")
    (watched.root / "last").write_text("")
    found = await watched.until({"last"})
    assert len(found) <= CHANGED_PATHS_MAX


async def test_a_workspace_that_vanishes_and_comes_back(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    made = Watched(root, watcher)
    await made.paths()
    made.changed.clear()
    shutil.rmtree(root)
    async with asyncio.timeout(WAIT_S_MAX):
        await made.changed.wait()
    assert not made.sensor.is_watching
    assert isinstance((await made.sensor.read(NOW)).body, BrokenReading)
    root.mkdir()
    assert isinstance((await made.sensor.read(NOW)).body, BrokenReading)
    made.now += RETRY_AFTER
    assert await made.paths() == []
    assert made.sensor.is_watching
    await made.sensor.close()


async def test_too_many_folders_are_unknown_not_slow(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / str(number)).mkdir()
    sensor = FilesSensor(
        [tmp_path], now=lambda: NOW, make=lambda roots, notify: InotifyWatcher(roots, notify, watches_max=10)
    )
    body = (await sensor.read(NOW)).body
    assert isinstance(body, BrokenReading)
    assert "More than 10 folders" in body.detail
    assert not sensor.is_watching
    await sensor.close()
