"""The deployments of one repository that wait for the person."""

from datetime import datetime, timedelta

from hub.domain.situation import Deployment
from hub.io.sensors.background_poll import BackgroundPoll
from hub.io.sensors.github_api import GithubApi
from hub.sense.deployments import deployments, waiting_runs

ASK_EVERY = timedelta(minutes=1)
RUNS_MAX = 10
"""So many runs that wait are looked into, the newest ones."""


class DeploymentReader(BackgroundPoll[tuple[Deployment, ...]]):
    """What waits in one repository; looked for once a minute."""

    def __init__(self, api: GithubApi) -> None:
        """Prepare to ask."""
        super().__init__(ASK_EVERY)
        self._api = api

    async def ask(self, name: str, now: datetime) -> tuple[Deployment, ...] | None:
        """Return all that waits, or None where any of it could not be had."""
        raw = await self._api.get(f"repos/{name}/actions/runs?status=waiting&per_page={RUNS_MAX}", now)
        runs = None if raw is None else waiting_runs(raw)
        if runs is None:
            return None
        found: list[Deployment] = []
        for run in runs[:RUNS_MAX]:
            said = await self._api.get(f"repos/{name}/actions/runs/{run.id}/pending_deployments", now)
            waiting = None if said is None else deployments(name, run, said)
            if waiting is None:
                return None
            found.extend(waiting)
        return tuple(found)
