"""Asks GitHub's own program, where it is installed and signed in, for the pull requests that concern the person.

It is started in a folder of ours with the repository's name, so that it reads nothing of the repository.
"""

import os
import shutil
from datetime import datetime, timedelta
from pathlib import Path

from hub.domain.situation import PullRequest
from hub.io.sensors.background_poll import BackgroundPoll
from hub.io.sensors.command import run
from hub.io.sensors.github_api import handed_on
from hub.io.sensors.guard import UnreadableError
from hub.sense.pull_requests import FIELDS, pull_requests

ASK_EVERY = timedelta(minutes=5)
ASK_S_MAX = 30.0
ANSWER_BYTES_MAX = 1024 * 1024
LISTED_MAX = 20
MINE = ("--author", "@me")
FOR_REVIEW = ("--search", "review-requested:@me")


class PullRequestReader(BackgroundPoll[tuple[PullRequest, ...]]):
    """The pull requests of one repository; asked for every five minutes."""

    def __init__(self, folder: Path, program: str | None = None) -> None:
        """Prepare to ask; without a program (or `gh` on PATH) there is nothing to tell."""
        super().__init__(ASK_EVERY)
        self._folder = folder
        self._program = program or shutil.which("gh")

    async def ask(self, name: str, now: datetime) -> tuple[PullRequest, ...] | None:  # noqa: ARG002  it keeps no answers by age
        """Return the person's own and those that wait for their review."""
        if self._program is None:
            return None
        mine = await self._list(self._program, name, MINE)
        theirs = await self._list(self._program, name, FOR_REVIEW)
        if mine is None or theirs is None:
            return None
        return (*pull_requests(mine, is_mine=True), *pull_requests(theirs, is_mine=False))

    async def _list(self, program: str, name: str, which: tuple[str, ...]) -> bytes | None:
        argv = (program, "pr", "list", "--repo", f"github.com/{name}", "--state", "open", *which)
        argv = (*argv, "--limit", str(LISTED_MAX), "--json", FIELDS)
        try:
            said = await run(
                argv, cwd=self._folder, env=handed_on(os.environ), timeout_s=ASK_S_MAX, limit_bytes=ANSWER_BYTES_MAX
            )
        except UnreadableError:
            return None
        return None if said.code or said.cut else said.out
