"""Weeks of real work, as git histories tell them: what lay in a work tree at each moment, and when it was done.

A history says when each commit was made and what it changed, not when its files were saved. So much is assumed: the
files of a commit were saved evenly over the time since the commit before, two hours at most; the tests were run with
the commit; and the commits were pushed when nothing followed for two hours.
"""

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise
from pathlib import Path

from hub.contract.base import Value
from hub.domain.provenance import RepositoryText
from hub.domain.situation import Module, Repository

SPAN = timedelta(hours=2)
WEEK_COMMITS_MIN = 10
WEEKS_MAX = 12
FILES_MAX = 40
LOG_S_MAX = 60.0


class Commit(Value):
    """One commit of an author: when, and which files."""

    at: datetime
    files: tuple[str, ...]


class Saved(Value):
    """A file was saved."""

    at: datetime
    path: str


class Made(Value):
    """A commit was made, with its tests run."""

    at: datetime


class Pushed(Value):
    """What was committed went to the remote."""

    at: datetime


Happened = Saved | Made | Pushed


def busiest_weeks(repository: Path) -> list[list[Commit]]:
    """Return the author's weeks with the most commits, at most twelve, each in order of time."""
    weeks = [
        sorted((commit for _, commit in group), key=lambda commit: commit.at)
        for _, group in groupby(sorted(_commits(repository), key=_week), key=_week)
    ]
    return sorted((week for week in weeks if len(week) >= WEEK_COMMITS_MIN), key=len, reverse=True)[:WEEKS_MAX]


def happenings(week: list[Commit]) -> list[Happened]:
    """Return all that happened in a week, in order."""
    found: list[Happened] = []
    before = week[0].at - SPAN
    for commit, following in pairwise([*week, None]):
        assert commit is not None
        start = max(before, commit.at - SPAN)
        step = (commit.at - start) / (len(commit.files) + 1)
        found += [Saved(at=start + (number + 1) * step, path=path) for number, path in enumerate(commit.files)]
        found.append(Made(at=commit.at))
        if following is None or following.at - commit.at > SPAN:
            found.append(Pushed(at=commit.at + SPAN))
        before = commit.at
    return sorted(found, key=lambda one: one.at)


class WorkTree:
    """A work tree to which things happen."""

    def __init__(self, at: datetime) -> None:
        self._saved: dict[str, datetime] = {}
        self._made_at = at
        self._unpushed = 0

    def take(self, happened: Happened) -> None:
        """Let it happen."""
        match happened:
            case Saved(at=at, path=path):
                self._saved.setdefault(path, at)
            case Made(at=at):
                self._saved, self._made_at, self._unpushed = {}, at, self._unpushed + 1
            case Pushed():
                self._unpushed = 0

    def seen(self) -> Repository:
        """Return it as a sensor would read it."""
        folders = sorted({str(Path(path).parent) for path in self._saved})
        files = tuple(RepositoryText(path) for path in sorted(self._saved))
        return Repository(
            path="/src/shop",
            name=RepositoryText("shop"),
            branch=RepositoryText("main"),
            head=f"{self._made_at:%s}",
            head_at=self._made_at,
            uncommitted=files,
            to_commit=files,
            message=RepositoryText("Change it"),
            uncommitted_since=min(self._saved.values(), default=None),
            changed_modules=tuple(Module(path=RepositoryText(folder), files=1) for folder in folders),
            last_test_run_at=self._made_at,
            last_test_run_passed=True,
            upstream=RepositoryText("origin/main"),
            unpushed=self._unpushed,
            behind=0,
        )


def _week(found: tuple[str, Commit]) -> tuple[str, int, int]:
    author, commit = found
    return author, *commit.at.isocalendar()[:2]


def _commits(repository: Path) -> Iterator[tuple[str, Commit]]:
    command = ("git", "-C", str(repository), "log", "--no-merges", "--name-only", "--format=%x01%ae%x02%aI")
    done = subprocess.run(command, capture_output=True, check=True, timeout=LOG_S_MAX)
    for block in done.stdout.decode("utf-8", "replace").split("\x01")[1:]:
        head, *paths = block.strip("\n").split("\n")
        author, _, at = head.partition("\x02")
        files = tuple(path for path in paths if path)[:FILES_MAX]
        if files:
            yield author, Commit(at=datetime.fromisoformat(at).astimezone(UTC), files=files)
