"""What says how a project is tested is swapped between the look and the yes: nothing of it runs, and it is named."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.execution import Job, RunResult
from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from hub.io.agents import runners
from hub.io.agents.defining import DEFINING_BYTES_MAX
from hub.loop.events import Event, RunEnded
from hub.ports import AgentRunner
from hub.runner.runs import AgentRuns
from tests.fakes.questions import ScriptedPerson
from tests.io.agents.agent_work import PYTHON, job, write

TRAP = "touch ran"
"""Leaves a file in the workspace if anything that was swapped in is started."""


@dataclass
class Place:
    """A workspace, tools of its own on PATH, and the real runners."""

    work: Path
    tools: Path
    runs: AgentRuns
    agents: dict[str, AgentRunner]

    async def plan(self, agent: Agent, playbook: str | None) -> AnyPlan:
        return await self.agents[agent.kind].plan(agent, Work(playbook=playbook, workspace=str(self.work)))

    async def run(self, work: Job) -> RunResult:
        ended: asyncio.Future[RunResult] = asyncio.get_running_loop().create_future()

        def post(event: Event) -> None:
            if isinstance(event, RunEnded):
                ended.set_result(event.result)

        self.runs.start("pred_1", work, post)
        return await asyncio.wait_for(ended, 20)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    work, tools = tmp_path / "work", tmp_path / "tools"
    for name in ("make", "npm", "pytest", "tox", "cargo", "go", "nox"):
        tool(tools / name, "true")
    tool(tools / "python3", "true")
    write(tmp_path, {"lib/python3.11/site-packages/pytest/__init__.py": ""})
    environ = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    now = datetime(2026, 3, 10, tzinfo=UTC)
    person = ScriptedPerson()
    agents = runners(home=tmp_path / "home", environ=environ, now=lambda: now, random=lambda: 0.5, questions=person)
    work.mkdir()
    runs = AgentRuns(agents)
    yield Place(work=work, tools=tools, runs=runs, agents=agents)
    await runs.close()


def tool(path: Path, line: str) -> None:
    write(path.parent, {path.name: f"#!/bin/sh\n{line}\n"})
    path.chmod(0o755)


def relink(path: Path, target: Path) -> None:
    path.unlink()
    path.symlink_to(target)


def elsewhere(at: Place) -> None:
    at.work.rename(at.work.with_name("real"))
    write(at.work.with_name("other"), {"Makefile": "test:\n\ttrue\n"})
    at.work.symlink_to(at.work.with_name("other"))


PYTHON_PROJECT = {"conftest.py": "", ".venv/lib/python3.11/site-packages/pytest/__init__.py": ""}
PULSE = '[tool.pulse]\ntest = ["{}", "{}"]\n'

Swap = Callable[[Place], object]
SWAPS: dict[str, tuple[dict[str, str], Swap, str]] = {
    "the Makefile": (
        {"Makefile": "test:\n\ttrue\n"},
        lambda at: write(at.work, {"Makefile": f"test:\n\t{TRAP}\n"}),
        "Makefile",
    ),
    "a GNUmakefile that make takes first": (
        {"Makefile": "test:\n\ttrue\n"},
        lambda at: write(at.work, {"GNUmakefile": f"test:\n\t{TRAP}\n"}),
        "GNUmakefile (new)",
    ),
    "the script of package.json": (
        {"package.json": '{"scripts": {"test": "jest"}}'},
        lambda at: write(at.work, {"package.json": f'{{"scripts": {{"test": "{TRAP}"}}}}'}),
        "package.json",
    ),
    "a script before that of package.json": (
        {"package.json": '{"scripts": {"test": "jest"}}'},
        lambda at: write(at.work, {"package.json": f'{{"scripts": {{"pretest": "{TRAP}", "test": "jest"}}}}'}),
        "package.json",
    ),
    "the shell that npm uses": (
        {"package.json": '{"scripts": {"test": "jest"}}'},
        lambda at: write(at.work, {".npmrc": "script-shell=./evil\n"}),
        ".npmrc (new)",
    ),
    "the command in pyproject.toml": (
        {"pyproject.toml": PULSE.format("sh", "./check.sh"), "check.sh": "true"},
        lambda at: write(at.work, {"pyproject.toml": '[tool.pulse]\ntest = ["touch", "ran"]\n'}),
        "the command, pyproject.toml",
    ),
    "the script that the command names": (
        {"pyproject.toml": PULSE.format("sh", "./check.sh"), "check.sh": "true"},
        lambda at: write(at.work, {"check.sh": TRAP}),
        "check.sh",
    ),
    "the Makefile behind a command of pyproject.toml": (
        {"pyproject.toml": PULSE.format("make", "test"), "Makefile": "test:\n\ttrue\n"},
        lambda at: write(at.work, {"Makefile": f"test:\n\t{TRAP}\n"}),
        "Makefile",
    ),
    "a makefile that the Makefile includes": (
        {"Makefile": "include more.mk\ntest: all\n", "more.mk": "all:\n\ttrue\n"},
        lambda at: write(at.work, {"more.mk": f"all:\n\t{TRAP}\n"}),
        "more.mk",
    ),
    "a makefile that is included if it is there": (
        {"Makefile": "-include local.mk\ntest:\n\ttrue\n"},
        lambda at: write(at.work, {"local.mk": f"test:\n\t{TRAP}\n"}),
        "local.mk (new)",
    ),
    "a script from which make makes its Makefile": (
        {"Makefile": "test:\n\ttrue\n"},
        lambda at: write(at.work, {"Makefile.sh": f"test:\n\t{TRAP}\n"}),
        "what is unknown about it",
    ),
    "the package.json behind a command of pyproject.toml": (
        {"pyproject.toml": PULSE.format("npm", "test"), "package.json": '{"scripts": {"test": "true"}}'},
        lambda at: write(at.work, {"package.json": f'{{"scripts": {{"test": "{TRAP}"}}}}'}),
        "package.json",
    ),
    "the package.json behind a recipe": (
        {"Makefile": "test:\n\tnpm test\n", "package.json": '{"scripts": {"test": "true"}}'},
        lambda at: write(at.work, {"package.json": f'{{"scripts": {{"test": "{TRAP}"}}}}'}),
        "package.json",
    ),
    "the script behind a recipe": (
        {"Makefile": "test:\n\tsh scripts/check.sh\n", "scripts/check.sh": "true\n"},
        lambda at: write(at.work, {"scripts/check.sh": f"{TRAP}\n"}),
        "scripts/check.sh",
    ),
    "the module behind a command of pyproject.toml": (
        {"pyproject.toml": '[tool.pulse]\ntest = ["python3", "-m", "checks"]\n', "checks/__main__.py": ""},
        lambda at: write(at.work, {"checks/__main__.py": "open('ran', 'w')"}),
        "checks/__main__.py",
    ),
    "what that module imports": (
        {
            "pyproject.toml": '[tool.pulse]\ntest = ["python3", "-m", "checks"]\n',
            "checks.py": "from steps import all\n",
            "steps/all.py": "",
        },
        lambda at: write(at.work, {"steps/all.py": "open('ran', 'w')"}),
        "steps/all.py",
    ),
    "a module of the project in pytest's place": (
        {"pyproject.toml": '[tool.pulse]\ntest = ["python3", "-m", "pytest"]\n'},
        lambda at: write(at.work, {"pytest.py": "open('ran', 'w')"}),
        "pytest.py (new)",
    ),
    "the settings of tox behind a command of pyproject.toml": (
        {"pyproject.toml": '[tool.pulse]\ntest = ["tox"]\n', "tox.ini": "[testenv]\ncommands = pytest\n"},
        lambda at: write(at.work, {"tox.ini": f"[testenv]\ncommands = {TRAP}\n"}),
        "tox.ini",
    ),
    "a conftest.py in a folder of tests": (
        {"conftest.py": "", "tests/deep/conftest.py": ""},
        lambda at: write(at.work, {"tests/deep/conftest.py": "open('ran', 'w')"}),
        "tests/deep/conftest.py",
    ),
    "the module that pytest's settings load": (
        {"pytest.ini": "[pytest]\naddopts = -p extra\n", "extra.py": ""},
        lambda at: write(at.work, {"extra.py": "open('ran', 'w')"}),
        "extra.py",
    ),
    "the settings above the folder": (
        {"conftest.py": ""},
        lambda at: write(at.work.parent, {"pytest.ini": "[pytest]\naddopts = -p evil\n"}),
        "pytest.ini (new)",
    ),
    "the interpreter of the project's environment": (
        {**PYTHON_PROJECT, ".venv/bin/python": "#!/bin/sh\n"},
        lambda at: tool(at.work / ".venv/bin/python", TRAP),
        ".venv/bin/python",
    ),
    "a link in place of that interpreter": (
        {**PYTHON_PROJECT, ".venv/bin/python": "#!/bin/sh\n"},
        lambda at: relink(at.work / ".venv/bin/python", at.tools / "make"),
        "tools/make (new)",
    ),
    "what pytest is told in its settings": (
        {"conftest.py": ""},
        lambda at: write(at.work, {"pytest.ini": "[pytest]\naddopts = -p evil\n"}),
        "pytest.ini (new)",
    ),
    "the tool itself": ({"Makefile": "test:\n\ttrue\n"}, lambda at: tool(at.tools / "make", TRAP), "tools/make"),
    "the rustc wrapper": (
        {"Cargo.toml": "[package]"},
        lambda at: write(at.work, {".cargo/config.toml": '[build]\nrustc-wrapper = "./evil"\n'}),
        ".cargo/config.toml (new)",
    ),
    "the folder": ({"Makefile": "test:\n\ttrue\n"}, elsewhere, "the folder"),
    "everything, so that nothing is left": (
        {"Makefile": "test:\n\ttrue\n"},
        lambda at: (at.work / "Makefile").unlink(),
        "No tests were found here",
    ),
}


@pytest.mark.parametrize("swapped", SWAPS)
async def test_nothing_swapped_in_after_the_look_is_run(place: Place, swapped: str) -> None:
    files, swap, named = SWAPS[swapped]
    write(place.work, files)
    for path in place.work.glob(".venv/bin/*"):
        path.chmod(0o755)
    seen = await place.plan(Agent(name="playbook", kind="playbook"), "run-tests")
    assert isinstance(seen, Plan), seen
    swap(place)
    work = replace(job(playbook="run-tests", workspace=place.work), plan=seen)
    work = replace(work, agent=Agent(name="playbook", kind="playbook"))
    result = await place.run(work)
    assert (result.ended, result.plan != seen) == ("changed", True)
    assert named in result.detail
    assert not list(place.work.parent.glob("*/ran"))


async def test_a_makefile_that_was_not_touched_runs_as_it_was_shown(place: Place) -> None:
    (place.tools / "make").unlink()
    write(place.work, {"Makefile": f"test:\n\t{TRAP}\n"})
    agent = Agent(name="playbook", kind="playbook")
    seen = await place.plan(agent, "run-tests")
    assert isinstance(seen, Plan)
    assert seen.script == TRAP
    result = await place.run(replace(job(playbook="run-tests", workspace=place.work), plan=seen, agent=agent))
    assert (result.ended, (place.work / "ran").exists()) == ("exited", True)


async def test_an_agents_own_script_and_a_program_put_before_it_on_the_path(place: Place, tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text("print('hello')")
    agent = Agent(name="mine", kind="command", argv=(PYTHON, str(script)))
    seen = await place.plan(agent, None)
    script.write_text("open('ran', 'w')")
    result = await place.run(replace(job(workspace=place.work, agent=agent), plan=seen))
    assert (result.ended, "agent.py" in result.detail) == ("changed", True)
    bare = Agent(name="bare", kind="command", argv=("sh", "-c", "true"))
    before = await place.plan(bare, None)
    tool(place.tools / "sh", TRAP)
    result = await place.run(replace(job(workspace=place.work, agent=bare), plan=before))
    assert (result.ended, "the command" in result.detail) == ("changed", True)
    assert not (place.work / "ran").exists()


async def test_a_file_that_cannot_be_held_to_what_is_seen_gives_no_plan(place: Place) -> None:
    write(place.work, {"Makefile": "test:\n\ttrue\n" + "#" * DEFINING_BYTES_MAX})
    seen = await place.plan(Agent(name="playbook", kind="playbook"), "run-tests")
    assert isinstance(seen, CannotPlan)
    assert "Makefile is longer than 1024 KiB" in seen.why


async def test_a_pipe_in_place_of_a_makefile_holds_nobody_up(place: Place) -> None:
    os.mkfifo(place.work / "Makefile")
    seen = await asyncio.wait_for(place.plan(Agent(name="playbook", kind="playbook"), "run-tests"), 10)
    assert isinstance(seen, CannotPlan)
