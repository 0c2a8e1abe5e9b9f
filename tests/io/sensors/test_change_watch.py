"""Real watching of what says much: commits, merges, test runs, transcripts. Each test waits for what is told."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from hub.domain.moment import Change
from hub.io.sensors.change_watch import ChangeWatch
from hub.io.sensors.files import FilesSensor
from hub.io.sensors.traces import COALESCE_S, InotifyTraces, Tell, WatchdogTraces, WatchedFile, git_traces
from hub.io.sensors.transcripts import TranscriptFolder
from hub.io.sensors.watchers import Watcher
from tests.io.sensors.git_repo import NOW, Repo

WAIT_S_MAX = 20
SOON_S = 5
QUEUED_MAX = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())


class Told:
    """What was told; whoever waits for a kind of change is woken by it."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._more = asyncio.Event()

    def tell(self, change: Change) -> None:
        self.changes.append(change)
        self._more.set()

    async def until(self, change: Change) -> None:
        async with asyncio.timeout(WAIT_S_MAX):
            while change not in self.changes:
                self._more.clear()
                await self._more.wait()
        self.changes.clear()


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def unbegun(repo: Repo, tmp_path: Path, told: Told) -> AsyncIterator[ChangeWatch]:
    agents = (TranscriptFolder(source="claude-code", path=tmp_path / "person/.claude/projects"),)
    (tmp_path / "home").mkdir()
    record = tmp_path / "home/test-runs.jsonl"
    watching = ChangeWatch(
        (repo.path,),
        record=record,
        transcripts=agents,
        tell=told.tell,
        readings=(record.with_name("predictions.jsonl"),),
    )
    yield watching
    await watching.close()


@pytest.fixture
async def watch(unbegun: ChangeWatch) -> ChangeWatch:
    await unbegun.start()
    return unbegun


@pytest.mark.slow
async def test_what_changed_before_anybody_listened_is_told_once_it_is_watched(
    unbegun: ChangeWatch, repo: Repo, tmp_path: Path, told: Told
) -> None:
    await unbegun.mark()
    repo.commit("a.py", "one\n")
    (tmp_path / "home/predictions.jsonl").write_text("{}\n")
    await unbegun.start()
    assert {Change.GIT, Change.READING} <= set(told.changes)
    assert Change.TESTS not in told.changes


@pytest.mark.slow
async def test_what_is_as_it_was_when_it_was_marked_is_not_told(unbegun: ChangeWatch, told: Told) -> None:
    await unbegun.mark()
    await unbegun.start()
    assert told.changes == []


@pytest.mark.slow
@pytest.mark.usefixtures("watch")
async def test_a_commit_a_branch_and_a_conflict_are_told(repo: Repo, told: Told) -> None:
    repo.commit("a.py", "one\n")
    await told.until(Change.GIT)
    repo.git("checkout", "-q", "-b", "side")
    await told.until(Change.GIT)
    repo.commit("a.py", "second\n")
    repo.git("checkout", "-q", "main")
    repo.commit("a.py", "the third\n")
    await told.until(Change.GIT)
    with pytest.raises(CalledProcessError):
        repo.git("merge", "side")
    assert (repo.path / ".git/MERGE_HEAD").exists()
    await told.until(Change.GIT)


@pytest.mark.slow
@pytest.mark.usefixtures("watch")
async def test_a_test_run_by_hand_is_told_also_the_first_of_all(repo: Repo, tmp_path: Path, told: Told) -> None:
    cache = repo.path / ".pytest_cache/v/cache"
    cache.mkdir(parents=True)
    await told.until(Change.TESTS)
    (cache / "lastfailed").write_text("{}")
    await told.until(Change.TESTS)
    (tmp_path / "home/test-runs.jsonl").write_text("{}\n")
    await told.until(Change.TESTS)


@pytest.mark.slow
@pytest.mark.usefixtures("watch")
async def test_each_line_of_a_transcript_counts_while_it_stays_open(tmp_path: Path, told: Told) -> None:
    project = tmp_path / "person/.claude/projects/gateway"
    project.mkdir(parents=True)
    await told.until(Change.AGENT)
    with (project / "session.jsonl").open("w") as transcript:
        async with asyncio.timeout(WAIT_S_MAX):
            while Change.AGENT not in told.changes:  # until the folder that has just come is followed
                transcript.write("{}\n")
                transcript.flush()
                await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("make", [InotifyTraces, WatchdogTraces])
async def test_files_that_do_not_matter_are_not_told(
    repo: Repo, told: Told, make: Callable[[Sequence[WatchedFile], Tell], Watcher]
) -> None:
    watching = make(tuple(git_traces(repo.path)), told.tell)
    watching.start()
    watching.listen()
    (repo.path / ".git/COMMIT_EDITMSG").write_text("words")
    (repo.path / ".git/FETCH_HEAD").write_text("")
    await told.until(Change.GIT)
    repo.commit("b.py")
    await told.until(Change.GIT)
    watching.close()


@pytest.mark.slow
async def test_a_work_tree_of_its_own_is_found_by_what_its_file_says(repo: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other"
    repo.git("worktree", "add", "-q", str(other), "-b", "side")
    files = {trace.file for trace in git_traces(other)}
    assert repo.path / ".git/worktrees/other/logs/HEAD" in files
    assert repo.path / ".git/refs/heads/*" in files


@pytest.mark.slow
async def test_saved_program_text_is_an_edit_and_another_file_is_not(tmp_path: Path, told: Told) -> None:
    sensor = FilesSensor([tmp_path], now=lambda: NOW, tell=told.tell)
    await sensor.read(NOW)
    (tmp_path / "notes.txt").write_text("words")
    await told.until(Change.FILES)
    (tmp_path / "shop.py").write_text("pass")
    await told.until(Change.EDIT)
    await sensor.close()


@pytest.mark.parametrize("moved", ["a", "a/b"])
async def test_what_takes_the_place_of_a_folder_that_was_moved_is_watched(
    tmp_path: Path, told: Told, moved: str
) -> None:
    file = tmp_path / "a/b/settings.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    watcher = InotifyTraces([WatchedFile(file=file, change=Change.AGENT)], told.tell)
    watcher.start()
    watcher.listen()
    (tmp_path / moved).rename(tmp_path / "elsewhere")
    shutil.copytree(tmp_path / "elsewhere", tmp_path / moved)
    await told.until(Change.AGENT)
    await asyncio.sleep(COALESCE_S * 2)
    told.changes.clear()
    file.write_text('{"disableAllHooks": true}')
    await told.until(Change.AGENT)
    watcher.close()


async def test_a_link_on_the_way_that_leads_elsewhere_is_told(tmp_path: Path, told: Told) -> None:
    for name in ("one", "other"):
        (tmp_path / name / "below").mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to("one")
    watcher = InotifyTraces([WatchedFile(file=link / "below/settings.json", change=Change.AGENT)], told.tell)
    watcher.start()
    watcher.listen()
    link.unlink()
    link.symlink_to("other")
    await told.until(Change.AGENT)
    watcher.close()


@pytest.mark.parametrize("name", ["a", "a" * 200])
async def test_where_the_system_dropped_what_happened_all_may_have_changed_and_is_told_soon(
    tmp_path: Path, told: Told, name: str
) -> None:
    watcher = InotifyTraces([WatchedFile(file=tmp_path / "settings.json", change=Change.AGENT)], told.tell)
    watcher.start()
    one, other = tmp_path / name, tmp_path / f"{name}b"
    one.touch()
    for _ in range(QUEUED_MAX // 4 + 1):
        one.rename(other)
        other.rename(one)
    (tmp_path / "settings.json").write_text("{}")
    watcher.listen()
    async with asyncio.timeout(SOON_S):
        await told.until(Change.AGENT)
    watcher.close()
