"""Running agents: one task each; their lines come back in small batches, their ends as events.

What would run is resolved once for the card and once more here, just before the start; only what is equal to what was
permitted starts. What a program reads by itself after that moment (make its Makefile) is out of our hands.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from hub.contract.api import HealthPart
from hub.do import hold, looked_again
from hub.domain.execution import Job, RunResult
from hub.domain.plan import AnyPlan, CannotPlan, Plan, cannot
from hub.domain.policy import Agent
from hub.domain.provenance import say
from hub.domain.suggestion import CHECK_COMMAND, RUN_TESTS, Work
from hub.kit.tasks import end_all
from hub.loop.commands import Resolve
from hub.loop.events import Event, Progressed, Resolved, RunEnded
from hub.ports import AgentRunner

FLUSH_S = 0.2
PLAN_S_MAX = 10.0
"""How long looking at what would run may take; a folder on a server that is gone must not hold up a cycle."""
LINES_PER_FLUSH_MAX = 50
Post = Callable[[Event], None]
log = logging.getLogger(__name__)


class AgentRuns:
    """Starts and stops agents."""

    def __init__(self, runners: Mapping[str, AgentRunner]) -> None:
        self._runners = runners
        self._tasks: dict[str, asyncio.Task[RunResult]] = {}
        self._closing = False

    async def resolve(self, wanted: Resolve, post: Post) -> None:
        """Find out what would run for a cycle's choice, and post it."""
        after = _afterwards(wanted.work.workspace, wanted.command)
        plan = await self._whole_plan(wanted.agent, wanted.work, wanted.tester, after)
        post(Resolved(cycle_id=wanted.cycle_id, plan=plan))

    def start(self, card_id: str, job: Job, post: Post) -> None:
        """Start a job. Its execution is already recorded as active."""
        runner = self._runners.get(job.agent.kind)
        if runner is None:
            lost = _never_began(f"Nothing here can run agents of the kind {job.agent.kind!r}.")
            post(RunEnded(execution_id=job.execution_id, result=lost))
            return
        lines = ProgressLines(card_id, job.execution_id, post)
        task = asyncio.get_running_loop().create_task(self._run(runner, job, lines))
        self._tasks[job.execution_id] = task
        task.add_done_callback(lambda done: self._ended(job.execution_id, done, lines, post))

    async def _run(self, runner: AgentRunner, job: Job, lines: "ProgressLines") -> RunResult:
        work = Work(playbook=job.playbook, workspace=job.workspace, args=job.args, resumes=job.resumes)
        after = _afterwards(job.workspace, job.need.command)
        changed = looked_again(job, await self._whole_plan(job.agent, work, job.tester, after))
        if changed is not None:
            return changed
        result = await runner.run(job, lines.add)
        if job.tester is None or result.ended != "exited":
            return result
        return replace(result, proof=await self._prove(job, job.tester, after, lines))

    async def _prove(self, job: Job, tester: Agent, after: Work, lines: "ProgressLines") -> RunResult:
        """Run the tests, or the command, that the person saw with the card: those, or none, whatever the agent made."""
        permitted = job.plan.then if isinstance(job.plan, Plan) else None
        test = replace(job, agent=tester, playbook=after.playbook, args=after.args, plan=permitted, tester=None)
        now = await self._plan(tester, after)
        changed = hold(test, now)
        runner = self._runners.get(tester.kind)
        if changed is not None or runner is None:
            return changed or _never_began(f"Nothing here can run agents of the kind {tester.kind!r}.")
        return _never_began(now.why) if isinstance(now, CannotPlan) else await runner.run(test, lines.add)

    async def _whole_plan(self, agent: Agent, work: Work, tester: Agent | None, after: Work) -> AnyPlan:
        """Tell what would run, and what would be run afterwards, where that is the proof and can be told."""
        plan = await self._plan(agent, work)
        if tester is None or isinstance(plan, CannotPlan):
            return plan
        then = await self._plan(tester, after)
        return replace(plan, then=then) if isinstance(then, Plan) else plan

    async def _plan(self, agent: Agent, work: Work) -> AnyPlan:
        runner = self._runners.get(agent.kind)
        if runner is None:
            return cannot(say("Nothing here can run agents of the kind {kind}.", kind=repr(agent.kind)))
        try:
            async with asyncio.timeout(PLAN_S_MAX):
                return await runner.plan(agent, work)
        except TimeoutError:
            return cannot(say("Checking what would run took longer than {limit} s.", limit=round(PLAN_S_MAX)))

    def stop(self, execution_id: str) -> None:
        """End a running job; its `RunEnded` follows. One that is over already is left alone."""
        task = self._tasks.get(execution_id)
        if task is not None:
            task.cancel()

    def stop_all(self) -> None:
        """End everything that runs; their `RunEnded` follow."""
        for task in tuple(self._tasks.values()):
            task.cancel()

    def health(self) -> tuple[HealthPart, ...]:
        """Say how many agents run."""
        return (HealthPart(name="agents", status="ok", detail=f"{len(self._tasks)} running"),)

    async def close(self) -> None:
        """End everything that runs, without reporting it: the next start finds it interrupted."""
        self._closing = True
        tasks = tuple(self._tasks.values())
        await end_all(tasks)
        await asyncio.gather(*(runner.close() for runner in self._runners.values()))

    def _ended(self, execution_id: str, task: asyncio.Task[RunResult], lines: "ProgressLines", post: Post) -> None:
        del self._tasks[execution_id]
        if self._closing:
            return
        lines.flush()
        post(RunEnded(execution_id=execution_id, result=_result(task)))


class ProgressLines:
    """Collects progress lines and posts them a few at a time; a flood is counted, not queued."""

    def __init__(self, card_id: str, execution_id: str, post: Post) -> None:
        self._card_id = card_id
        self._execution_id = execution_id
        self._post = post
        self._lines: list[str] = []
        self._sent = 0
        self._dropped = 0
        self._due: asyncio.TimerHandle | None = None

    def add(self, line: str) -> None:
        """Take a line; it is posted within `FLUSH_S`."""
        if len(self._lines) >= LINES_PER_FLUSH_MAX:
            self._dropped += 1
            return
        self._lines.append(line)
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(FLUSH_S, self.flush)

    def flush(self) -> None:
        """Post what is there."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if self._dropped:
            self._lines.append(f"({self._dropped} more lines are not shown)")
            self._dropped = 0
        if self._lines:
            lines, self._lines = tuple(self._lines), []
            first = self._sent + 1
            self._sent += len(lines)
            event = Progressed(execution_id=self._execution_id, card_id=self._card_id, first=first, lines=lines)
            self._post(event)


def _afterwards(workspace: str | None, command: tuple[str, ...]) -> Work:
    """Return what is run after the work, where something is to prove it: the need's command, or the project's tests."""
    if command:
        return Work(playbook=CHECK_COMMAND, workspace=workspace, args=command)
    return Work(playbook=RUN_TESTS, workspace=workspace)


def _never_began(detail: str) -> RunResult:
    return RunResult(ended="failed-to-start", exit_code=None, output="", cost_microusd=0, detail=detail)


def _result(task: asyncio.Task[RunResult]) -> RunResult:
    if task.cancelled():
        return RunResult(ended="stopped", exit_code=None, output="", detail="stopped")
    error = task.exception()
    if error is None:
        return task.result()
    log.error("an agent runner broke", exc_info=error)
    return RunResult(ended="lost", exit_code=None, output="", detail=f"{type(error).__name__}: {error}")
