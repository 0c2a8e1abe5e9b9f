"""Asks GitHub's own program, where it is installed and signed in, for the pull requests that concern the person.

It is started in a folder of ours with the repository's name, so that it reads nothing of the repository, and beside the
loop: a slow network never keeps a reading waiting, it is told of at the next one.
"""

import asyncio
import contextlib
import os
import shutil
from datetime import datetime, timedelta
from pathlib import Path

from hub.domain.situation import PullRequest
from hub.io.sensors.command import run
from hub.io.sensors.github_api import handed_on
from hub.io.sensors.guard import UnreadableError
from hub.sense.pull_requests import FIELDS, github_name, pull_requests

ASK_EVERY = timedelta(minutes=5)
ASK_S_MAX = 30.0
ANSWER_BYTES_MAX = 1024 * 1024
LISTED_MAX = 20
MINE = ("--author", "@me")
FOR_REVIEW = ("--search", "review-requested:@me")


class PullRequestReader:
    """The pull requests of one repository, as last told; asked for every five minutes at most."""

    def __init__(self, folder: Path, program: str | None = None) -> None:
        """Prepare to ask; without a program (or `gh` on PATH) there is nothing to tell."""
        self._folder = folder
        self._program = program or shutil.which("gh")
        self._asked_at: datetime | None = None
        self._asking: asyncio.Task[None] | None = None
        self._known: tuple[PullRequest, ...] | None = None

    def read(self, address: str, now: datetime) -> tuple[PullRequest, ...] | None:
        """Return what is known (None: nothing yet), and ask anew beside it when that is old.

        Args:
            address: of the repository's remote; others than github.com's are not asked about.
            now: the present moment.
        """
        name = github_name(address)
        is_old = self._asked_at is None or abs(now - self._asked_at) >= ASK_EVERY
        if self._program and name and is_old and (self._asking is None or self._asking.done()):
            self._asked_at = now
            self._asking = asyncio.create_task(self._ask(self._program, name))
        return self._known

    async def settled(self) -> None:
        """Wait until what is being asked has been answered."""
        if self._asking is not None:
            await self._asking

    async def close(self) -> None:
        """End a question that is under way."""
        if self._asking is not None:
            self._asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._asking

    async def _ask(self, program: str, name: str) -> None:
        mine = await self._list(program, name, MINE)
        theirs = await self._list(program, name, FOR_REVIEW)
        if mine is not None and theirs is not None:
            self._known = (*pull_requests(mine, is_mine=True), *pull_requests(theirs, is_mine=False))

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
