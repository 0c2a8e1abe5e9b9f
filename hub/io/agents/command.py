"""Runs any program as an agent: `claude -p`, `codex exec`, a script. Never through a shell. See docs/agents.md."""

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec.structs import replace

from hub.domain.execution import Job, RunResult, not_started
from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.domain.policy import Agent
from hub.domain.provenance import as_said, say
from hub.domain.suggestion import Work
from hub.io.agents.changes import changed_since, look_before
from hub.io.agents.containment import contained, described, inside
from hub.io.agents.cost import Usage, reported_usage
from hub.io.agents.defining import find_program, program_files, real
from hub.io.agents.diffs import diff_since
from hub.io.agents.environment import for_job
from hub.io.agents.git import GitFolder
from hub.io.agents.process import Ending, Processes, missing_program
from hub.io.agents.session import NO_ROOM, session_folder
from hub.io.agents.supervised import Program

PLACEHOLDERS = ("{prompt}", "{workspace}", "{session}", "{conversation}")


class CommandRunner:
    """Starts the agent's argv in the workspace, with the prompt on stdin or as one of its arguments."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        self._home = home
        self._environ = environ
        self._processes = Processes()

    async def plan(self, agent: Agent, work: Work) -> AnyPlan:
        """Tell the argv with the program's full path, and what of it are files; the prompt's place stays marked."""
        return await asyncio.to_thread(plan_command, agent, work, self._environ.get("PATH", os.defpath))

    async def run(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        """Run the plan's argv to the end, within the job's bounds; cancelling ends the whole process group first."""
        if not isinstance(job.plan, Plan):
            return not_started(job.plan.told if job.plan else say("It was never checked what would run."))
        session = session_folder(self._home)
        if session is None:
            return not_started(as_said(NO_ROOM.format(self._home)))
        with session as folder:
            return await self._run_in(Path(folder), job, job.plan, progress)

    async def close(self) -> None:
        """End whatever still runs."""
        await self._processes.close()

    async def _run_in(self, session: Path, job: Job, plan: Plan, progress: Callable[[str], None]) -> RunResult:
        """Run in a workspace, or in the session's own folder if the job has none."""
        cost_file = session / "cost.json"
        workspace = Path(plan.folder) if plan.folder else session
        git = GitFolder(self._home, self._environ, workspace)
        before = await look_before(git, session)
        environment = for_job(self._environ, job, self._home, str(cost_file))
        program = self._program(job, fill(job, plan), str(workspace), environment)
        started = await asyncio.to_thread(contained, program, job.agent, self._home, str(session))
        if isinstance(started, str):
            return not_started(as_said(started))
        ending, usage = await self._carry_out(started, job, cost_file, progress)
        changed = () if ending.ended == "failed-to-start" else await changed_since(git, workspace, before)
        diff = await diff_since(git, workspace, before, changed)
        result, held = result_of(ending, changed, usage), described(job.agent, plan.folder)
        return replace(
            result,
            containment=held.text,
            containment_worded=held.worded,
            changes=diff.files,
            diff=diff.text,
            diff_cut=diff.is_cut,
        )

    def _program(self, job: Job, argv: tuple[str, ...], cwd: str, environment: dict[str, str]) -> Program:
        """Return what is started."""
        return Program(
            argv=argv,
            cwd=cwd,
            environment=environment,
            stdin=job.prompt.encode("utf-8", "replace") if job.agent.stdin == "prompt" else None,
            duration_s_max=job.bounds.duration_s_max,
            output_bytes_max=job.bounds.output_bytes_max,
        )

    async def _carry_out(
        self,
        program: Program,
        job: Job,  # noqa: ARG002  for those who lead their program by it
        cost_file: Path,
        progress: Callable[[str], None],
    ) -> tuple[Ending, Usage]:
        """Run the program; return how it ended, and what it used."""
        ending = inside(await self._processes.run(program, progress), program)
        return ending, reported_usage(cost_file, ending.output)


def plan_command(agent: Agent, work: Work, search_path: str | None) -> AnyPlan:
    """Resolve an agent's argv for some work.

    A placeholder must be a whole argument, so that text of a prompt can never become part of another one. Work that
    goes on with a conversation is started by the agent's `resume`, if it has one.
    """
    if work.resumes and agent.resume:
        agent = replace(agent, argv=agent.resume)
    problem = _unfit(agent, work) or missing_program(agent.argv[0] if agent.argv else "", search_path)
    program = find_program(agent.argv[0], search_path) if agent.argv else None
    if problem or program is None:
        return CannotPlan(why=problem)
    folder = real(Path(work.workspace)) if work.workspace else ""
    argv = (program, *(folder if part == "{workspace}" else part for part in agent.argv[1:]))
    return Plan(
        argv=argv,
        folder=folder,
        prompt="argument" if "{prompt}" in argv else "input" if agent.stdin == "prompt" else "none",
        environment=tuple(sorted(agent.environment)),
        defined_by=program_files(argv, Path(folder or "/")),
    ).held(described(agent, folder))


def _unfit(agent: Agent, work: Work) -> str:
    """Say why an agent's argv cannot be filled for some work, and what to do; empty if it can."""
    for part in agent.argv:
        if part not in PLACEHOLDERS and any(name in part for name in PLACEHOLDERS):
            return f"In the agent {agent.name}, {part!r} mixes a placeholder with text. Make it its own argument."
    if work.workspace is None:
        needs = "{workspace}" in agent.argv
        return f"The agent {agent.name} needs a workspace, and this work names none." if needs else ""
    if not Path(work.workspace).is_absolute():
        return f"The workspace {work.workspace} is not a full path. Use one such as /home/me/project."
    if not Path(work.workspace).is_dir():
        return f"The folder {work.workspace} does not exist. Check the workspace in the settings."
    return ""


def fill(job: Job, plan: Plan) -> tuple[str, ...]:
    """Put the job into its plan's argv.

    A prompt that begins with a dash gets a space in front, so that no program takes it for an option.
    """
    prompt = f" {job.prompt}" if job.prompt.startswith("-") else job.prompt
    values = {"{prompt}": prompt, "{session}": job.session_id, "{conversation}": job.conversation}
    return tuple(values.get(part, part) for part in plan.argv)


def result_of(ending: Ending, changed_files: tuple[str, ...] = (), usage: Usage | None = None) -> RunResult:
    """Make the result of a session from how its program ended."""
    return RunResult(
        ended=ending.ended,
        exit_code=ending.exit_code,
        output=ending.output,
        changed_files=changed_files,
        cost_microusd=usage.cost_microusd if usage else None,
        tokens=usage.tokens if usage else None,
        conversation=usage.conversation if usage else "",
        truncated=ending.truncated,
        detail=ending.detail,
    )
