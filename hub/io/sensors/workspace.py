"""What a workspace's own files tell: its playbooks, and when its tests were last run."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Literal

from hub.contract.base import Value
from hub.domain.situation import NotSetUp, StaleLock, TodoLine
from hub.io.sensors.bounded import head, tail
from hub.io.sensors.project_look import common_python, project_look
from hub.sense.command_lines import last_test_run
from hub.sense.how_to_test import WayToTest, how_to_test
from hub.sense.lock_files import names, stale_locks
from hub.sense.modules import is_source, is_tested
from hub.sense.playbooks import MANIFESTS, available
from hub.sense.run_record import RecordedRun, last_runs
from hub.sense.set_up import set_up
from hub.sense.todos import in_file

RECORD_BYTES_MAX = 256 * 1024
NEW_FILES_MAX = 50
NEW_FILE_BYTES_MAX = 64 * 1024
STATS_MAX = 5_000
LOCK_BYTES_MAX = 4 * 1024 * 1024
TODO_BYTES_MAX = 64
PROJECT_DEPTH_MAX, PROJECTS_MAX = 6, 100
"""How deep below the top, and in how many folders, tests are looked for."""
Operation = Literal["", "merge", "rebase", "am", "cherry-pick", "revert", "bisect"]
SERIES = "sequencer/todo"
OPERATIONS: tuple[tuple[str, Operation], ...] = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    (SERIES, "cherry-pick"),
    ("BISECT_LOG", "bisect"),
)
"""What git keeps in its folder while an operation waits for the person, as `wt_status_get_state` in git's wt-status.c.

Between two steps of a series (`git cherry-pick A B`) there is no …_HEAD: only what is still to be done says so.
"""
TESTED_BY_TOOL = frozenset({"Cargo.toml", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts"})
TEST_FOLDERS = frozenset({"test", "tests"})


class Project(Value):
    """What can be done in a workspace, and what has to be installed before its tests can be run."""

    playbooks: tuple[str, ...]
    set_up: NotSetUp | None


def project(top: Path, search_path: str | None = None) -> Project:
    """Look at what a workspace's tests need; a folder that cannot be listed has no playbook of its own."""
    look = project_look(top, search_path)
    can_test = isinstance(how_to_test(look), WayToTest)
    steps = set_up(look)
    missing = None
    if steps is not None:
        missing = NotSetUp(manifest=steps.manifest, makes_environment=steps.makes_environment)
    return Project(playbooks=available(look.names, can_test=can_test and steps is None), set_up=missing)


def recorded_runs(record: Path | None, top: Path) -> tuple[RecordedRun, ...]:
    """Return the last runs that Pulse recorded for this work tree, newest first (see `last_runs`)."""
    try:
        return () if record is None else last_runs(tail(record, RECORD_BYTES_MAX), str(top))
    except OSError:
        return ()


def project_of(top: Path, changed: Iterable[str]) -> str:
    """Return the folder below whose own tests are those of most of these files; empty where there is none.

    Of the folders around a file that is the nearest with a manifest and tests, else the outermost with tests.
    """
    known: dict[str, tuple[bool, bool]] = {}
    files: Counter[str] = Counter()
    common = common_python(None)
    for path in list(changed)[:STATS_MAX]:
        folders = _around(path)
        for folder in folders[-PROJECT_DEPTH_MAX:]:
            if folder not in known and len(known) < PROJECTS_MAX:
                look = project_look(top / folder, None, common)
                is_tested = isinstance(how_to_test(look), WayToTest) and set_up(look) is None
                known[folder] = is_tested, bool(look.names & (MANIFESTS | TESTED_BY_TOOL))
        tested = [folder for folder in folders if known.get(folder, (False, False))[0]]
        project = next((folder for folder in tested if known[folder][1]), tested[-1] if tested else "")
        files[project] += 1
    del files[""]
    return max(files, key=lambda folder: (files[folder], folder), default="")


def _around(path: str) -> list[str]:
    """Return the folders around a file, nearest first, without the top; a folder of tests is of the one around it."""
    parts = PurePosixPath(path).parts[:-1]
    within = next((place for place, name in enumerate(parts) if name in TEST_FOLDERS), len(parts))
    return ["/".join(parts[:length]) for length in range(within, 0, -1)]


def typed_run(commands: Path | None, top: Path) -> RecordedRun | None:
    """Return the last run of this work tree's tests that the person's shell told of."""
    try:
        said = None if commands is None else last_test_run(tail(commands, RECORD_BYTES_MAX), str(top))
    except OSError:
        return None
    if said is None:
        return None
    began = said.at - timedelta(seconds=said.seconds)
    return RecordedRun(repo=str(top), at=began, ended=said.at, head=None, passed=said.status == 0)


def operation(git_folder: Path) -> Operation:
    """Return what was begun in a work tree and waits to be ended; empty for nothing."""
    sign, name = next((each for each in OPERATIONS if (git_folder / each[0]).exists()), ("", ""))
    return "revert" if sign == SERIES and _is_of_reverts(git_folder / sign) else name


def _is_of_reverts(todo: Path) -> bool:
    """Return True if a series (see `SERIES`) is one of reverts; one that has just ended is neither."""
    try:
        return head(todo, TODO_BYTES_MAX).lstrip().startswith(b"revert")
    except OSError:
        return False


def locks(top: Path, changed: Collection[str]) -> tuple[StaleLock, ...]:
    """Return the lock files of the top folder that are out of date; one that is too long to read whole says nothing."""
    texts: dict[str, str] = {}
    for name in names():
        try:
            raw = head(top / name, LOCK_BYTES_MAX + 1)
        except OSError:
            continue
        if len(raw) <= LOCK_BYTES_MAX:
            texts[name] = raw.decode("utf-8", "replace")
    return stale_locks(texts, changed)


def changed_at(path: Path) -> datetime | None:
    """Return when a file (not what a link points to) was last written; None when it is gone."""
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None


def size_of(path: Path) -> int | None:
    """Return the length of a file (not of what a link points to); None when it is gone."""
    try:
        return path.lstat().st_size
    except OSError:
        return None


def oldest_change(top: Path, paths: Sequence[str]) -> datetime | None:
    """Return the oldest time of the changed files that still exist."""
    times = (changed_at(top / path) for path in paths[:STATS_MAX])
    return min((each for each in times if each is not None), default=None)


def written_at(top: Path, paths: Sequence[str]) -> tuple[datetime, ...]:
    """Return when each of these files was last written; of one that is gone, when its folder last changed."""
    times = (changed_at(top / path) or changed_at((top / path).parent) for path in paths)
    return tuple(each for each in times if each is not None)


def changed_since(top: Path, paths: Sequence[str], tested_at: Callable[[str], datetime | None]) -> Iterator[str]:
    """Yield the source files written after their last test, and those that are gone; all that were never tested."""
    for path in [each for each in paths if is_tested(each)][:STATS_MAX]:
        at, since = changed_at(top / path), tested_at(path)
        if since is None or at is None or at > since:
            yield path


def todos_in_new(top: Path, paths: Sequence[str]) -> Iterator[TodoLine]:
    """Yield the to-dos of new source files; links are not followed."""
    for path in [each for each in paths if is_source(each)][:NEW_FILES_MAX]:
        try:
            raw = head(top / path, NEW_FILE_BYTES_MAX, follow=False)
        except OSError:
            continue
        if b"\0" not in raw:
            yield from in_file(path, raw.decode("utf-8", "replace"))
