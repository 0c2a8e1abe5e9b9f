"""What every runner keeps to, the fake included."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from hub.do.line import LINE_CHARS_MAX
from hub.domain.execution import Job, RunResult
from hub.domain.plan import AnyPlan, Plan
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from hub.io.agents import runners
from hub.ports import AgentRunner
from tests.fakes.agent import Script, ScriptedRunner
from tests.fakes.questions import ScriptedPerson
from tests.io.agents import acp_agent
from tests.io.agents.agent_work import PYTHON, Heard, job, python, repository, run
from tests.io.agents.openclaw_gateway import TOKEN, Gateway

LOUD = "print('loud ' * 2000); print('x\\x1b]0;t\\x07y'); [print('line', n) for n in range(5000)]"
TINY = (PYTHON, acp_agent.__file__)
HANG = "import time; print('started'); time.sleep(99)"


@dataclass
class Bench:
    """A runner and jobs for it; `loud` is None where the agent's output does not come back."""

    runner: AgentRunner
    good: Job
    endless: Job
    impossible: Job
    loud: Job | None


def scripted(_: Path) -> Bench:
    loud = Script(lines=("loud " * 2000, "x\x1b]0;t\x07y", *(f"line {n}" for n in range(5000))))
    scripts = {
        "good": Script(lines=("working",)),
        "endless": Script(lines=("started",), hangs=True),
        "impossible": Script(
            result=RunResult(ended="failed-to-start", exit_code=None, output="", detail="It cannot be done.")
        ),
        "loud": loud,
    }
    jobs = {prompt: job("fake", prompt=prompt) for prompt in scripts}
    return Bench(runner=ScriptedRunner(scripts), **jobs)


def real(kind: str, folder: Path) -> AgentRunner:
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "CLAW_TOKEN": TOKEN}
    now = datetime(2025, 7, 29, 14, 0, tzinfo=UTC)
    made = runners(
        home=folder / "home", environ=environ, now=lambda: now, random=lambda: 0.5, questions=ScriptedPerson()
    )
    return made[kind]


def command(folder: Path) -> Bench:
    return Bench(
        runner=real("command", folder),
        good=job(*python("print('working')")),
        endless=job(*python(HANG)),
        impossible=job("no-such-program-here"),
        loud=job(*python(LOUD)),
    )


def acp(folder: Path) -> Bench:
    def saying(prompt: str, argv: tuple[str, ...] = TINY) -> Job:
        return job(agent=Agent(name="tiny", kind="acp", argv=argv, contain="none"), prompt=prompt)

    return Bench(
        runner=real("acp", folder),
        good=saying("say working"),
        endless=saying("hang"),
        impossible=saying("say no", ("no-such-program-here",)),
        loud=saying("loud"),
    )


def playbook(folder: Path) -> Bench:
    def testing(name: str, code: str) -> Job:
        script = folder / f"{name}.py"
        script.write_text(code)
        makefile = f"test:\n\t@{python('')[0]} -u {script}\n"
        return job(playbook="run-tests", workspace=repository(folder / name, {"Makefile": makefile}))

    return Bench(
        runner=real("playbook", folder),
        good=job(playbook="summarise-commits", workspace=repository(folder / "good")),
        endless=testing("endless", HANG),
        impossible=job(prompt="Write a poem"),
        loud=testing("loud", LOUD),
    )


async def openclaw(folder: Path, stack: AsyncExitStack) -> Bench:
    quick = await stack.enter_async_context(Gateway())
    stuck = await stack.enter_async_context(Gateway(faults=["hang"] * 9))

    def asking(url: str) -> Job:
        return job(agent=Agent(name="claw", kind="openclaw", url=url, token_env="CLAW_TOKEN"))

    return Bench(
        runner=real("openclaw", folder),
        good=asking(quick.url),
        endless=asking(stuck.url),
        impossible=asking("gopher://old"),
        loud=None,
    )


@pytest.fixture(params=["scripted", "command", "acp", "playbook", "openclaw"])
async def bench(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bench]:
    simple: dict[str, Callable[[Path], Bench]] = {
        "scripted": scripted,
        "command": command,
        "acp": acp,
        "playbook": playbook,
    }
    async with AsyncExitStack() as stack:
        made = simple[request.param](tmp_path) if request.param in simple else await openclaw(tmp_path, stack)
        yield made
        await made.runner.close()


def bounded(work: Job, **bounds: float) -> Job:
    return msgspec.structs.replace(work, bounds=msgspec.structs.replace(work.bounds, **bounds))


async def test_good_work_ends_well_and_tells_of_itself(bench: Bench) -> None:
    heard = Heard()
    result = await run(bench.runner, bench.good, heard)
    assert (result.ended, result.exit_code, result.truncated) == ("exited", 0, False)
    assert heard.lines


async def test_a_plan_is_told_without_starting_anything_and_stays_the_same(bench: Bench) -> None:
    work = Work(playbook=bench.good.playbook, workspace=bench.good.workspace)
    first = await bench.runner.plan(bench.good.agent, work)
    assert isinstance(first, Plan)
    assert await bench.runner.plan(bench.good.agent, work) == first
    assert msgspec.json.decode(msgspec.json.encode(first), type=AnyPlan) == first


@pytest.mark.slow
async def test_same_work_again_ends_the_same(bench: Bench) -> None:
    first = await run(bench.runner, bench.good, Heard())
    second = await run(bench.runner, bench.good, Heard())
    assert (first.ended, first.exit_code, first.changed_files) == (second.ended, second.exit_code, second.changed_files)


@pytest.mark.slow
async def test_time_limit(bench: Bench) -> None:
    result = await run(bench.runner, bounded(bench.endless, duration_s_max=0.4), Heard())
    assert (result.ended, result.exit_code) == ("timeout", None)


@pytest.mark.slow
async def test_cancelling_goes_through(bench: Bench) -> None:
    heard = Heard()
    work = asyncio.create_task(run(bench.runner, bench.endless, heard))
    await heard.line("")
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert (await run(bench.runner, bench.good, Heard())).exit_code == 0


async def test_close_stops_what_runs_and_may_be_repeated(bench: Bench) -> None:
    heard = Heard()
    work = asyncio.create_task(run(bench.runner, bench.endless, heard))
    await heard.line("")
    await bench.runner.close()
    await bench.runner.close()
    assert (await asyncio.wait_for(work, 10)).ended == "stopped"


async def test_impossible_work_is_a_result_with_advice(bench: Bench) -> None:
    result = await run(bench.runner, bench.impossible, Heard())
    assert (result.ended, result.exit_code) == ("failed-to-start", None)
    assert result.detail


@pytest.mark.slow
async def test_two_at_once(bench: Bench) -> None:
    other = msgspec.structs.replace(bench.good, execution_id="e2", session_id="run_e2")
    results = await asyncio.gather(run(bench.runner, bench.good, Heard()), run(bench.runner, other, Heard()))
    assert [result.exit_code for result in results] == [0, 0]


@pytest.mark.slow
async def test_output_and_lines_stay_within_bounds(bench: Bench) -> None:
    if bench.loud is None:
        assert (await run(bench.runner, bench.good, Heard())).output.startswith("OpenClaw run")
        return
    heard = Heard()
    result = await run(bench.runner, bounded(bench.loud, output_bytes_max=2_000), heard)
    assert (result.exit_code, result.truncated) == (0, True)
    assert len(result.output) < 2_200
    assert result.output.rstrip().endswith("line 4999")
    assert all(len(line) <= LINE_CHARS_MAX and "\x1b" not in line for line in heard.lines)


async def test_results_survive_the_store(bench: Bench) -> None:
    for work in (bench.good, bench.impossible):
        result = await run(bench.runner, work, Heard())
        assert msgspec.json.decode(msgspec.json.encode(result), type=RunResult) == result


def test_there_is_a_runner_for_each_kind(tmp_path: Path) -> None:
    now = datetime(2025, 7, 29, tzinfo=UTC)
    made = runners(home=tmp_path, environ={}, now=lambda: now, random=lambda: 0.0, questions=ScriptedPerson())
    assert set(made) == set(get_args(Agent.__annotations__["kind"]))
