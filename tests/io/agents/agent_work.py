"""Jobs, small programs and repositories for the tests of agents."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from hub.domain.execution import Job, RunResult
from hub.domain.policy import Agent, Bounds
from hub.domain.suggestion import Need, Work
from hub.ports import AgentRunner

PYTHON = sys.executable
CLEAN_GIT = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def job(
    *argv: str,
    prompt: str = "Do it",
    workspace: Path | None = None,
    playbook: str | None = None,
    args: tuple[str, ...] = (),
    agent: Agent | None = None,
    duration_s_max: float = 20.0,
    output_bytes_max: int = 65_536,
    execution_id: str = "e1",
) -> Job:
    return Job(
        execution_id=execution_id,
        session_id=f"run_{execution_id}",
        agent=agent or Agent(name="tester", kind="command", argv=argv, contain="none"),
        prompt=prompt,
        channel="koji-core",
        bounds=Bounds(duration_s_max=duration_s_max, output_bytes_max=output_bytes_max),
        playbook=playbook,
        workspace=None if workspace is None else str(workspace),
        args=args,
        need=Need(text="it is done"),
    )


async def run(runner: AgentRunner, work: Job, progress: "Progress") -> RunResult:
    """Plan a job and run it, as Pulse does where nothing changed in between."""
    plan = await runner.plan(
        work.agent, Work(playbook=work.playbook, workspace=work.workspace, args=work.args, resumes=work.resumes)
    )
    return await runner.run(replace(work, plan=plan), progress)


def python(code: str) -> tuple[str, ...]:
    return (PYTHON, "-u", "-c", code)


class Heard:
    """Collects progress, and lets a test wait for a line that begins with some text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._waiting: list[tuple[str, asyncio.Future[str]]] = []

    def __call__(self, line: str) -> None:
        self.lines.append(line)
        for start, future in self._waiting:
            if line.startswith(start) and not future.done():
                future.set_result(line)

    async def line(self, start: str) -> str:
        for line in self.lines:
            if line.startswith(start):
                return line
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((start, future))
        return await asyncio.wait_for(future, 20)


def git(repository: Path, *arguments: str, environment: dict[str, str] | None = None) -> str:
    return subprocess.run(
        ("git", *arguments),
        cwd=repository,
        env={"PATH": os.environ["PATH"], **CLEAN_GIT, **(environment or {})},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def repository(folder: Path, files: dict[str, str] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    write(folder, files or {"README.md": "# Hello\n"})
    commit(folder, "First things first")
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def commit(folder: Path, subject: str, at: str | None = None) -> None:
    dates = {} if at is None else {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", subject, environment=dates)


def gone(pid: int) -> bool:
    """Say whether a process has ended; one that its parent has not yet collected has ended too."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in "ZX"


def is_there(path: str) -> bool:
    return Path(path).exists()


Progress = Callable[[str], None]
