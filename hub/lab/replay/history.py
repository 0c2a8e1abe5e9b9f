"""A git history as a trace: when commits were made and of which files is known, the rest is assumed.

Assumed are that a commit's files were saved within the hour and a half before it, one after the other, and that the
day's commits were pushed two hours after the last one. Test runs, questions and meetings are not in a history.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hub.contract.base import Value
from hub.lab.replay.trace import TraceEvent

HISTORY_FORMAT = "--format=%x1e%ad"
"""What `git log --name-only --date=iso-strict` is asked for: the commit's time where its author was."""
SAVED_BEFORE = timedelta(minutes=90)
SAVES_MAX = 6
FILES_PER_SAVE_MAX = 5
PUSHED_AFTER = timedelta(hours=2)


class PastCommit(Value):
    """A commit: when it was made, by the clock on the author's wall, and the files that it changed."""

    at: datetime
    files: tuple[str, ...]


def read_history(log: str, repository: str) -> tuple[TraceEvent, ...]:
    """Return what happened, from what git printed; a record that is cut off is left out."""
    commits = sorted(_commits(log), key=lambda commit: commit.at)
    return tuple(event for number, commit in enumerate(commits) for event in _around(commits, number, repository))


def _commits(log: str) -> Iterator[PastCommit]:
    for record in log.split("\x1e")[1:]:
        head, _, names = record.partition("\n")
        try:
            at = datetime.fromisoformat(head).replace(tzinfo=UTC)
        except ValueError:  # the output was cut here
            continue
        yield PastCommit(at=at, files=tuple(name for name in names.splitlines() if name.strip()))


def _around(commits: Sequence[PastCommit], number: int, repository: str) -> Iterator[TraceEvent]:
    commit = commits[number]
    before = commits[number - 1].at if number else commit.at - SAVED_BEFORE
    following = commits[number + 1].at if number + 1 < len(commits) else None
    parts = [part for part in _parts(commit.files) if part]
    spans = len(parts) + 1
    began = max(before, commit.at - SAVED_BEFORE)
    for place, part in enumerate(parts, start=1):
        at = began + (commit.at - began) * place / spans
        yield TraceEvent(at=at, what="edit", repository=repository, files=part)
    yield TraceEvent(at=commit.at, what="commit", repository=repository)
    pushed = commit.at + PUSHED_AFTER
    if following is None or following > pushed:
        yield TraceEvent(at=pushed, what="push", repository=repository)


def _parts(files: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Cut a commit's files into as many as were saved one after the other; of a large commit not all are named."""
    kept = files[: SAVES_MAX * FILES_PER_SAVE_MAX]
    count = min(len(kept), SAVES_MAX)
    edges = [len(kept) * place // count for place in range(count + 1)] if count else []
    for first, last in pairwise(edges):
        yield tuple(kept[first:last])
