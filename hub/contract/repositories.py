"""The person's repositories, as Pulse sees them now."""

from typing import Literal

from hub.contract.api import Aware, Count
from hub.contract.base import HubMessage


class RepositoryView(HubMessage):
    """One repository: what changed in it, how its tests ended last, and how much waits in it for an answer.

    `path` is its folder. `changed_files` are not committed, `unpushed` commits not pushed: null where there is nowhere
    to push to. `changed_modules` have changed since the last test run that Pulse knows of; where it knows of none,
    `last_test_run_at` is null. `waiting` is the number of open cards about it.
    """

    path: str
    name: str
    branch: str | None
    changed_files: Count
    changed_modules: Count
    unpushed: int | None
    last_commit_at: Aware | None
    last_test_run_at: Aware | None
    last_test_run_passed: bool | None
    ci: Literal["passed", "failed", "running", "unknown"]
    waiting: Count


class FolderView(HubMessage):
    """A watched folder that is not in git: its files are watched, and there are no commits or branches to watch."""

    path: str
    name: str
    waiting: Count


class RepositoryList(HubMessage):
    """The answer of `GET /api/v1/repositories`; `problems` says of each that could not be read why.

    `folders` are watched without git; `count` does not count them.
    """

    repositories: tuple[RepositoryView, ...]
    count: Count
    problems: tuple[str, ...] = ()
    folders: tuple[FolderView, ...] = ()
