"""Runs any program as an agent: `claude -p`, `codex exec`, a script. Never through a shell. See docs/agents.md."""

from collections.abc import Callable, Mapping
from pathlib import Path

from hub.domain.execution import Job, RunResult
from hub.io.agents.changes import changed_since, look_before
from hub.io.agents.cost import Usage, reported_usage
from hub.io.agents.environment import for_job
from hub.io.agents.git import Git
from hub.io.agents.process import Ending, Processes, Program
from hub.io.agents.session import NO_ROOM, session_folder

PLACEHOLDERS = ("{prompt}", "{workspace}", "{session}")


class CommandRunner:
    """Starts the agent's argv in the workspace, with the prompt on stdin or as one of its arguments."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        self._home = home
        self._environ = environ
        self._processes = Processes()

    async def run(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        """Run to the end, within the job's bounds; cancelling the call ends the whole process group first."""
        argv = fill(job)
        if isinstance(argv, str):
            return _not_started(argv)
        session = session_folder(self._home)
        if session is None:
            return _not_started(NO_ROOM.format(self._home))
        with session as folder:
            return await self._run_in(Path(folder), job, argv, progress)

    async def close(self) -> None:
        """End whatever still runs."""
        await self._processes.close()

    async def _run_in(
        self, session: Path, job: Job, argv: tuple[str, ...], progress: Callable[[str], None]
    ) -> RunResult:
        """Run in a workspace, or in the session's own folder if the job has none."""
        cost_file = session / "cost.json"
        workspace = Path(job.workspace) if job.workspace else session
        git = Git(self._home, self._environ, workspace)
        before = await look_before(git, session)
        program = Program(
            argv=argv,
            cwd=str(workspace),
            environment=for_job(self._environ, job, self._home, str(cost_file)),
            stdin=job.prompt.encode("utf-8", "replace") if job.agent.stdin == "prompt" else None,
            duration_s_max=job.bounds.duration_s_max,
            output_bytes_max=job.bounds.output_bytes_max,
        )
        ending = await self._processes.run(program, progress)
        changed = () if ending.ended == "failed-to-start" else await changed_since(git, workspace, before)
        return result_of(ending, changed, reported_usage(cost_file, ending.output))


def fill(job: Job) -> tuple[str, ...] | str:
    """Put the job into the agent's argv.

    A placeholder must be a whole argument, so that text of a prompt can never become part of another one. A prompt
    that begins with a dash gets a space in front, so that no program takes it for an option.

    Returns:
        The arguments; or, as a string, why they cannot be filled and what to do.
    """
    values = {"{prompt}": job.prompt, "{workspace}": job.workspace, "{session}": job.session_id}
    filled = []
    for part in job.agent.argv:
        value = values.get(part, part)
        if value is None:
            return f"The agent {job.agent.name} needs a workspace, and this work names none."
        if part not in values and any(name in part for name in PLACEHOLDERS):
            return f"In the agent {job.agent.name}, {part!r} mixes a placeholder with text. Make it its own argument."
        filled.append(f" {value}" if part == "{prompt}" and value.startswith("-") else value)
    if job.workspace is not None and not Path(job.workspace).is_absolute():
        return f"The workspace {job.workspace} is no full path. Give it as one, such as /home/me/project."
    return tuple(filled)


def result_of(ending: Ending, changed_files: tuple[str, ...] = (), usage: Usage | None = None) -> RunResult:
    """Make the result of a session from how its program ended."""
    return RunResult(
        ended=ending.ended,
        exit_code=ending.exit_code,
        output=ending.output,
        changed_files=changed_files,
        cost_microusd=usage.cost_microusd if usage else None,
        tokens=usage.tokens if usage else None,
        truncated=ending.truncated,
        detail=ending.detail,
    )


def _not_started(detail: str) -> RunResult:
    """End before the program was started."""
    return RunResult(ended="failed-to-start", exit_code=None, output="", detail=detail)
