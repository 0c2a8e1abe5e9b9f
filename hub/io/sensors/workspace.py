"""What a workspace's own files tell: its playbooks, and when its tests were last run."""

import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.domain.situation import TodoLine
from hub.io.sensors.bounded import head, tail
from hub.sense.modules import is_source
from hub.sense.playbooks import available
from hub.sense.run_record import RecordedRun, last_run
from hub.sense.todos import in_file

LISTING_MAX = 2_000
MANIFEST_BYTES_MAX = 256 * 1024
RECORD_BYTES_MAX = 256 * 1024
NEW_FILES_MAX = 50
NEW_FILE_BYTES_MAX = 64 * 1024
STATS_MAX = 5_000
TEST_CACHES = (
    ".pytest_cache/v/cache/lastfailed",
    ".pytest_cache/v/cache/nodeids",
    ".coverage",
    "coverage.xml",
    "coverage/lcov.info",
    ".nyc_output",
    ".testmondata",
    "junit.xml",
)
"""What the usual test programs leave behind; its time is the best guess when Pulse ran no tests itself."""
PLACEHOLDER_TEST = "no test specified"
MAKE_TARGET = re.compile(r"^([A-Za-z0-9_.-]+)\s*:(?!=)", re.MULTILINE)


class Manifest(Value):
    """What is looked for in a package.json."""

    scripts: dict[str, str] = msgspec.field(default_factory=dict)


def playbooks(top: Path) -> tuple[str, ...]:
    """Return the playbooks that this workspace can use; a folder that cannot be listed has none of its own."""
    try:
        with os.scandir(top) as found:
            names = frozenset(entry.name for entry in islice(found, LISTING_MAX))
    except OSError:
        return available((), ())
    scripts = _scripts(top / "package.json") if "package.json" in names else ()
    targets = MAKE_TARGET.findall(_text(top / "Makefile")) if "Makefile" in names else ()
    return available(names, scripts, targets)


def _scripts(path: Path) -> tuple[str, ...]:
    try:
        scripts = msgspec.json.decode(_text(path), type=Manifest).scripts
    except msgspec.DecodeError:
        return ()
    return tuple(name for name, command in scripts.items() if PLACEHOLDER_TEST not in command)


def _text(path: Path) -> str:
    try:
        return head(path, MANIFEST_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return ""


def recorded_run(record: Path | None, top: Path) -> RecordedRun | None:
    """Return the last run that Pulse recorded for this work tree."""
    try:
        return None if record is None else last_run(tail(record, RECORD_BYTES_MAX), str(top))
    except OSError:
        return None


def cached_run_at(top: Path) -> datetime | None:
    """Return the time of the newest trace of a test run; None when there is no trace."""
    times = (changed_at(top / cache) for cache in TEST_CACHES)
    return max((each for each in times if each is not None), default=None)


def changed_at(path: Path) -> datetime | None:
    """Return when a file (not what a link points to) was last written; None when it is gone."""
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None


def oldest_change(top: Path, paths: Sequence[str]) -> datetime | None:
    """Return the oldest time of the changed files that still exist."""
    times = (changed_at(top / path) for path in paths[:STATS_MAX])
    return min((each for each in times if each is not None), default=None)


def changed_since(top: Path, paths: Sequence[str], since: datetime | None) -> Iterator[str]:
    """Yield the source files written after `since`, and those that are gone; all of them when there is no time."""
    for path in [each for each in paths if is_source(each)][:STATS_MAX]:
        at = changed_at(top / path)
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
