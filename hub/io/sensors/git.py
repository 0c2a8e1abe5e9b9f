"""What the workspaces' repositories tell. Git is asked only when something may have changed.

At each tick the times of a few files of each repository are compared (`_stamps`). Changes in the work tree leave no
trace there, so the files sensor calls `invalidate`; while nobody watches, a reading is repeated every five minutes,
and otherwise every fifteen.
"""

import asyncio
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import CiText
from hub.domain.readings import AnyReading, BrokenReading, GitReading, Reading
from hub.domain.situation import Repository
from hub.io.home.command_record import COMMANDS_FILE
from hub.io.sensors.ci import CiReader, CiSource
from hub.io.sensors.deployments import DeploymentReader
from hub.io.sensors.git_program import Git, open_work_tree
from hub.io.sensors.git_read import GitContext, read_repository
from hub.io.sensors.github_api import GithubApi
from hub.io.sensors.guard import Disk, UnreadableError, guarded
from hub.io.sensors.packages import package_folders
from hub.io.sensors.pull_requests import PullRequestReader
from hub.io.sensors.run_traces import WATCHED
from hub.io.sensors.workspace import OPERATIONS

REPOSITORY_S_MAX = 30.0
READ_S_MAX = 60.0
REREAD_AFTER = timedelta(minutes=15)
REREAD_UNWATCHED_AFTER = timedelta(minutes=5)
AT_ONCE_MAX = 2
GIT_FILES = ("HEAD", "index", "logs/HEAD")
COMMON_FILES = ("packed-refs", "FETCH_HEAD", "config", "refs/heads", "refs/remotes", "refs/remotes/origin")

Stamps = tuple[tuple[int, int, int] | None, ...]


class _Seen(Value):
    """A repository as last read: the result or why there is none, and what must be the same for it to stand."""

    git: Git | None
    found: Repository | None
    wrong: str
    at: datetime
    day: date
    stamps: Stamps


def _nobody() -> bool:
    return False


class GitSensor:
    """Reads the repository of each workspace; one that is broken is named in the reading and harms no other."""

    name = "git"

    def __init__(
        self,
        workspaces: Sequence[Path],
        *,
        zone: tzinfo,
        record: Path | None = None,
        ci: Mapping[Path, CiSource] | None = None,
        is_watched: Callable[[], bool] = _nobody,
        room: Path | None = None,
        asks_github: bool = False,
        asks_deployments: bool = False,
    ) -> None:
        """Prepare to read.

        Args:
            workspaces: folders in work trees.
            zone: the person's time zone, for "today".
            record: the file of recorded test runs (JSON lines, see `hub/sense/run_record.py`); the commands that the
                person's shell tells of lie beside it.
            ci: where each workspace's CI result can be had.
            is_watched: whether `invalidate` would be called for a change in the work tree.
            asks_github: whether GitHub's own program is asked for pull requests, where it is installed.
            asks_deployments: the same for deployments that wait for the person.
            room: a folder of ours, for what stands before a repository's own configuration while git is asked.
        """
        self._workspaces = tuple(dict.fromkeys(workspaces))
        self._place = GitContext(record=record, zone=zone, commands=record and record.with_name(COMMANDS_FILE))
        self._ci = {each: CiReader((ci or {}).get(each, CiSource())) for each in self._workspaces}
        self._requests = {each: PullRequestReader(room or each) for each in self._workspaces if asks_github}
        self._deployments = self._deployment_readers(room) if asks_deployments else {}
        self._is_watched = is_watched
        self._room = room
        self._disks = {each: Disk() for each in self._workspaces}
        self._seen: dict[Path, _Seen] = {}
        self._dirty: set[Path] = set(self._workspaces)
        self._gate = asyncio.Semaphore(AT_ONCE_MAX)

    def invalidate(self, workspace: Path) -> None:
        """Say that something changed in a workspace; it is read again at the next tick."""
        if workspace in self._disks:
            self._dirty.add(workspace)

    async def read(self, now: datetime) -> Reading:
        """Tell of all workspaces; broken only when none could be read."""
        return await guarded(self.name, now, READ_S_MAX, self._look(now))

    async def close(self) -> None:
        """End a question to GitHub that is under way."""
        for requests in self._requests.values():
            await requests.close()
        for deployments in self._deployments.values():
            await deployments.close()

    async def _look(self, now: datetime) -> AnyReading:
        if not self._workspaces:
            return BrokenReading(detail="No workspace is configured. Start with --workspace FOLDER.")
        seen = await asyncio.gather(*(self._one(each, now) for each in self._workspaces))
        found = {each.found.path: each.found for each in seen if each.found is not None}
        pairs = zip(self._workspaces, seen, strict=True)
        broken = tuple(f"{workspace}: {each.wrong}" for workspace, each in pairs if each.found is None)
        if not found:
            return BrokenReading(detail="; ".join(broken))
        return GitReading(repositories=tuple(found.values()), broken=broken)

    async def _one(self, workspace: Path, now: datetime) -> _Seen:
        async with self._gate:
            try:
                async with asyncio.timeout(REPOSITORY_S_MAX):
                    seen = await self._current(workspace, now)
            except TimeoutError:
                seen = self._failed(now, f"reading took longer than {REPOSITORY_S_MAX:g} s.")
            except (UnreadableError, OSError) as wrong:
                seen = self._failed(now, str(wrong))
            self._seen[workspace] = seen
            return seen

    async def _current(self, workspace: Path, now: datetime) -> _Seen:
        seen = self._seen.get(workspace)
        if seen is None or await self._must_read(workspace, seen, now):
            self._dirty.discard(workspace)
            seen = await self._read(workspace, now)
        return await self._with_ci(workspace, seen, now)

    async def _must_read(self, workspace: Path, seen: _Seen, now: datetime) -> bool:
        watched = self._is_watched() and seen.git is not None
        if workspace in self._dirty or abs(now - seen.at) >= (REREAD_AFTER if watched else REREAD_UNWATCHED_AFTER):
            return True
        if seen.git is None:
            return False  # it was broken a moment ago; trying at each tick costs more than it finds
        git = seen.git
        return seen.day != self._day(now) or seen.stamps != await self._disks[workspace].look(lambda: self._stamps(git))

    async def _read(self, workspace: Path, now: datetime) -> _Seen:
        disk = self._disks[workspace]
        git = await open_work_tree(workspace, disk, self._room)
        # The stamps are from before reading: what changes meanwhile is seen at the next tick.
        stamps = await disk.look(lambda: self._stamps(git))
        found = await read_repository(git, self._place, disk, now)
        return _Seen(git=git, found=found, wrong="", at=now, day=self._day(now), stamps=stamps)

    async def _with_ci(self, workspace: Path, seen: _Seen, now: datetime) -> _Seen:
        if seen.found is None or seen.git is None:
            return seen
        result = await self._ci[workspace].read(seen.git.top, self._disks[workspace], now)
        reader = self._requests.get(workspace)
        requests = reader.read(seen.git.origin, now) if reader else None
        deploying = self._deployments.get(workspace)
        found = msgspec.structs.replace(
            seen.found,
            ci=result.state,
            ci_detail=CiText(result.detail),
            pull_requests=requests,
            deployments=deploying.read(seen.git.origin, now) if deploying else None,
        )
        return msgspec.structs.replace(seen, found=found)

    def _deployment_readers(self, room: Path | None) -> dict[Path, DeploymentReader]:
        program = shutil.which("gh")
        if program is None or room is None:
            return {}
        api = GithubApi(program, room, os.environ)
        return {each: DeploymentReader(api) for each in self._workspaces}

    def _day(self, now: datetime) -> date:
        return now.astimezone(self._place.zone).date()

    def _failed(self, now: datetime, wrong: str) -> _Seen:
        return _Seen(git=None, found=None, wrong=wrong, at=now, day=self._day(now), stamps=())

    def _stamps(self, git: Git) -> Stamps:
        files = [*(git.git_folder / name for name in GIT_FILES), *(git.common_folder / name for name in COMMON_FILES)]
        files.extend(git.git_folder / name for name, _ in OPERATIONS)
        files.extend(git.top / name for name in WATCHED)
        files.extend(package_folders(git.top))
        return tuple(_stamp(path) for path in (*files, self._place.record, self._place.commands))


def _stamp(path: Path | None) -> tuple[int, int, int] | None:
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino) if status else None
