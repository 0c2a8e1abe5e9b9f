"""Runs playbooks inside the session's bounds."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from hub.domain.execution import Job, RunResult, not_started
from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.domain.policy import Agent
from hub.domain.provenance import as_said
from hub.domain.suggestion import Work
from hub.io.agents.containment import described
from hub.io.agents.defining import real
from hub.io.agents.git import GitFolder
from hub.io.agents.output import OutputEnds
from hub.io.agents.playbook import PLAYBOOKS
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.io.agents.playbook.workplace import Workplace
from hub.io.agents.process import Processes
from hub.io.agents.supervised import ENDED_S_MAX

NO_FOLDER = frozenset({"look-at-machine", "prepare-meeting", "show-certificate"})
"""What can be done without a workspace."""


class PlaybookRunner:
    """The built-in agent. It does what its list has, and nothing else: it cannot follow a prompt.

    It asks no model, so that each of its runs reports that it cost nothing.
    """

    def __init__(self, home: Path, environ: Mapping[str, str], now: Callable[[], datetime]) -> None:
        """Take Pulse's home, its environment, and the person's local time."""
        self._home = home
        self._environ = environ
        self._now = now
        self._processes = Processes()
        self._running: set[asyncio.Task[RunResult]] = set()
        self._closed = False

    async def plan(self, agent: Agent, work: Work) -> AnyPlan:
        """Tell what the playbook would start; most start nothing of the repository's."""
        playbook = PLAYBOOKS.get(work.playbook or "")
        problem = _unfit(work, playbook)
        if playbook is None or problem:
            return CannotPlan(why=problem)
        folder, search_path = Path(work.workspace or self._home), self._environ.get("PATH")
        if playbook.plan_work is not None:
            git = GitFolder(self._home, self._environ, folder)
            asked = Asked(work=work, folder=folder, git=git, search_path=search_path, home=self._home)
            plan = await playbook.plan_work(asked)
        elif playbook.plan is not None:
            plan = await asyncio.to_thread(playbook.plan, folder, search_path)
        else:
            return Plan(playbook=playbook.name, folder=real(folder) if work.workspace else "")
        return plan if isinstance(plan, CannotPlan) else await asyncio.to_thread(_held, plan, agent)

    async def run(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        """Run the job's playbook; a prompt without one does not start."""
        playbook = PLAYBOOKS.get(job.playbook or "")
        problem = _unfit(Work(playbook=job.playbook, workspace=job.workspace), playbook)
        if playbook is None or problem:
            return replace(not_started(as_said(problem)), cost_microusd=0)
        place = Workplace(
            job=job,
            workspace=_folder(job) or self._home,
            home=self._home,
            environ=self._environ,
            now=self._now(),
            processes=self._processes,
            progress=progress,
        )
        result = await self._finish(playbook, place)
        return replace(_bounded(result, job.bounds.output_bytes_max), cost_microusd=0)

    async def close(self) -> None:
        """End whatever still runs; a call of `run` then returns `stopped`."""
        self._closed = True
        await self._processes.close()
        if self._running:
            await asyncio.wait(self._running, timeout=ENDED_S_MAX)

    async def _finish(self, playbook: Playbook, place: Workplace) -> RunResult:
        """Do the work, at most as long as the bounds allow, with a little more for ending its programs."""
        limit_s = place.job.bounds.duration_s_max
        work = asyncio.ensure_future(playbook.work(place))
        self._running.add(work)
        try:
            result = await asyncio.wait_for(work, limit_s + ENDED_S_MAX)
        except TimeoutError:
            return RunResult(ended="timeout", exit_code=None, output="", detail=f"The limit was {limit_s:g} s")
        except OSError as error:
            return RunResult(ended="exited", exit_code=1, output=str(error), detail=_disk_trouble(error))
        finally:
            self._running.discard(work)
        cut_short = self._closed and result.ended != "exited"
        return RunResult(ended="stopped", exit_code=None, output=result.output) if cut_short else result


def _held(plan: Plan, agent: Agent) -> Plan:
    """Add the names that the settings let this agent see, and what contains its programs."""
    environment = (*plan.environment, *sorted(agent.environment))
    return replace(plan, environment=environment).held(described(agent, plan.folder))


def _folder(job: Job) -> Path | None:
    """Return the folder of the plan that was permitted, links followed as they were then."""
    planned = job.plan.folder if isinstance(job.plan, Plan) else ""
    named = planned or job.workspace
    return Path(named) if named else None


def _unfit(work: Work, playbook: Playbook | None) -> str:
    """Say why this work is nothing for this agent, and what to do; empty if it is."""
    if work.playbook is None:
        return (
            "The built-in agent only runs fixed tasks, and cannot follow a prompt. "
            "Give this channel a command or an openclaw agent in the settings."
        )
    if playbook is None:
        return f"The built-in agent has no task {work.playbook!r}. It has: {', '.join(PLAYBOOKS)}."
    if work.workspace is not None and not Path(work.workspace).is_dir():
        return f"The folder {work.workspace} does not exist. Check the workspace in the settings."
    if work.workspace is None and playbook.name not in NO_FOLDER:
        return f"{playbook.name} needs a workspace, and this work names none."
    return ""


def _disk_trouble(error: OSError) -> str:
    """Say what a full or read-only disk means for the work."""
    return f"A file could not be read or written ({error.strerror or error}). Free some space, or check the permissions"


def _bounded(result: RunResult, bytes_max: int) -> RunResult:
    """Hold a note's text to the session's output limit."""
    kept = OutputEnds(bytes_max)
    kept.add(result.output.encode("utf-8", "replace"))
    if not kept.truncated:
        return result
    return replace(result, output=kept.text(), truncated=True)
