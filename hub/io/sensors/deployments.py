"""The deployments of one repository that wait for the person; asked for beside the loop, which never waits for it."""

import asyncio
import contextlib
from datetime import datetime, timedelta

from hub.domain.situation import Deployment
from hub.io.sensors.github_api import GithubApi
from hub.sense.deployments import deployments, waiting_runs
from hub.sense.pull_requests import github_name

ASK_EVERY = timedelta(minutes=1)
RUNS_MAX = 10
"""So many runs that wait are looked into, the newest ones."""


class DeploymentReader:
    """What waits in one repository, as last told; None until GitHub has said it."""

    def __init__(self, api: GithubApi) -> None:
        """Prepare to ask."""
        self._api = api
        self._asked_at: datetime | None = None
        self._asking: asyncio.Task[None] | None = None
        self._known: tuple[Deployment, ...] | None = None

    def read(self, address: str, now: datetime) -> tuple[Deployment, ...] | None:
        """Return what is known, and ask anew beside it when that is old.

        Args:
            address: of the repository's remote; others than github.com's are not asked about.
            now: the present moment.
        """
        name = github_name(address)
        is_old = self._asked_at is None or abs(now - self._asked_at) >= ASK_EVERY
        if name and is_old and (self._asking is None or self._asking.done()):
            self._asked_at = now
            self._asking = asyncio.create_task(self._ask(name, now))
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

    async def _ask(self, name: str, now: datetime) -> None:
        """Take up all that waits, or, where any of it could not be had, leave what is known as it is."""
        raw = await self._api.get(f"repos/{name}/actions/runs?status=waiting&per_page={RUNS_MAX}", now)
        runs = None if raw is None else waiting_runs(raw)
        if runs is None:
            return
        found: list[Deployment] = []
        for run in runs[:RUNS_MAX]:
            said = await self._api.get(f"repos/{name}/actions/runs/{run.id}/pending_deployments", now)
            waiting = None if said is None else deployments(name, run, said)
            if waiting is None:
                return
            found.extend(waiting)
        self._known = tuple(found)
