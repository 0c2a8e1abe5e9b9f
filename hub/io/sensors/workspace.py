"""What a workspace's own files tell: its playbooks, and when its tests were last run."""

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.domain.situation import StaleLock, TodoLine
from hub.domain.suggestion import RUN_TESTS
from hub.io.sensors.bounded import head, manifest_text, tail
from hub.sense.lock_files import names, stale_locks
from hub.sense.modules import is_source
from hub.sense.playbooks import MANIFESTS, TEST_FOLDERS, TESTED_BY_TOOL, available
from hub.sense.run_record import RecordedRun, last_runs
from hub.sense.todos import in_file

LISTING_MAX = 2_000
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
PLACEHOLDER_TEST = "no test specified"
MAKE_TARGET = re.compile(r"^([A-Za-z0-9_.-]+)\s*:(?!=)", re.MULTILINE)


class Manifest(Value):
    """What is looked for in a package.json."""

    scripts: dict[str, str] = msgspec.field(default_factory=dict)


def playbooks(top: Path) -> tuple[str, ...]:
    """Return the playbooks that this workspace can use; a folder that cannot be listed has none of its own."""
    names = _listing(top)
    scripts = _scripts(top / "package.json") if "package.json" in names else ()
    targets = MAKE_TARGET.findall(manifest_text(top / "Makefile")) if "Makefile" in names else ()
    tests = [name for folder in sorted(TEST_FOLDERS & names) for name in _listing(top / folder)]
    return available(names, scripts, targets, tests)


def _listing(folder: Path) -> frozenset[str]:
    try:
        with os.scandir(folder) as found:
            return frozenset(entry.name for entry in islice(found, LISTING_MAX))
    except OSError:
        return frozenset()


def _scripts(path: Path) -> tuple[str, ...]:
    try:
        scripts = msgspec.json.decode(manifest_text(path), type=Manifest).scripts
    except msgspec.DecodeError:
        return ()
    return tuple(name for name, command in scripts.items() if PLACEHOLDER_TEST not in command)


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
    for path in list(changed)[:STATS_MAX]:
        folders = _around(path)
        for folder in folders[-PROJECT_DEPTH_MAX:]:
            if folder not in known and len(known) < PROJECTS_MAX:
                names = _listing(top / folder)
                known[folder] = RUN_TESTS in playbooks(top / folder), bool(names & (MANIFESTS | TESTED_BY_TOOL))
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
    for path in [each for each in paths if is_source(each)][:STATS_MAX]:
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
