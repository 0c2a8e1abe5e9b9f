"""A runner that does what its script says, inside the job's bounds, and touches nothing."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from hub.contract.base import Value
from hub.do import clip_line
from hub.domain.execution import Job, RunResult
from hub.domain.judgement import StandingYes
from hub.domain.plan import AnyPlan, Plan, digest_of, shape_of
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from hub.io.agents.output import OutputEnds

DONE = RunResult(ended="exited", exit_code=0, output="")
MADE_AT = datetime(2025, 1, 1, tzinfo=UTC)


class Script(Value):
    """What one job does: lines of progress, and then a result; or, with `hangs`, nothing more until it is ended."""

    lines: tuple[str, ...] = ()
    result: RunResult = DONE
    hangs: bool = False


class ScriptedRunner:
    """Follows the script of a job's prompt, else the default one. `jobs` are all that were run, in order."""

    def __init__(self, scripts: Mapping[str, Script] | None = None, default: Script | None = None) -> None:
        self.jobs: list[Job] = []
        self.running: set[str] = set()
        self._scripts = scripts or {}
        self._default = default or Script()
        self._closing = asyncio.Event()

    async def plan(self, agent: Agent, work: Work) -> AnyPlan:
        return a_plan(agent, work)

    async def run(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        self.jobs.append(job)
        self.running.add(job.execution_id)
        try:
            return await self._follow(self._scripts.get(job.prompt, self._default), job, progress)
        finally:
            self.running.discard(job.execution_id)

    async def close(self) -> None:
        self._closing.set()

    async def _follow(self, script: Script, job: Job, progress: Callable[[str], None]) -> RunResult:
        kept = OutputEnds(job.bounds.output_bytes_max)
        for line in script.lines:
            progress(clip_line(line))
            kept.add(f"{line}\n".encode())
        await asyncio.sleep(0)
        if not script.hangs:
            kept.add(script.result.output.encode())
            return _with_output(script.result, kept)
        try:
            await asyncio.wait_for(self._closing.wait(), job.bounds.duration_s_max)
        except TimeoutError:
            return _with_output(RunResult(ended="timeout", exit_code=None, output=""), kept)
        return _with_output(RunResult(ended="stopped", exit_code=None, output=""), kept)


def a_plan(agent: Agent, work: Work) -> AnyPlan:
    """What a pretended agent would start: its argv, in the work's folder."""
    reads: Literal["argument", "input", "none"] = "argument" if "{prompt}" in agent.argv else "input"
    if agent.kind == "playbook" or (reads == "input" and agent.stdin == "none"):
        reads = "none"
    playbook = work.playbook or "" if agent.kind == "playbook" else ""  # another agent reads it as words
    return Plan(playbook=playbook, argv=agent.argv, folder=work.workspace or "", prompt=reads)


def consent(kind: str, agent: Agent, work: Work) -> str:
    """Return what the ledger keeps of a person's having let this run."""
    return f"{kind}:{digest_of(a_plan(agent, work))}"


def allowed(kind: str, agent: Agent, work: Work, now: datetime = MADE_AT, **changed: object) -> StandingYes:
    """Return a person's word, given long ago and holding for long, that this may run without asking."""
    plan = a_plan(agent, work)
    assert isinstance(plan, Plan)
    given = StandingYes(
        id=f"yes_{kind}",
        kind=kind,
        repository=work.workspace or "",
        shape=shape_of(plan),
        made_at=now,
        expires_at=now + timedelta(days=36_500),
        card_id="pred_offer",
        by="phone/mine",
        example="Run the tests",
    )
    return replace(given, **changed)


def _with_output(result: RunResult, kept: OutputEnds) -> RunResult:
    return RunResult(
        ended=result.ended,
        exit_code=result.exit_code,
        output=kept.text(),
        changed_files=result.changed_files,
        cost_microusd=result.cost_microusd,
        truncated=result.truncated or kept.truncated,
        detail=result.detail,
    )
