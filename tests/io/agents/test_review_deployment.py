"""A deployment is answered as the card said it, or not at all."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.execution import RunResult
from hub.domain.plan import CannotPlan, Plan
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from hub.io.agents.playbook.runner import PlaybookRunner
from tests.fakes.github import GithubStandIn
from tests.io.agents.agent_work import Heard, job
from tests.io.sensors.github_home import PROGRAMS, program, signed_in

AGENT = Agent(name="playbook", kind="playbook", contain="none")
SHA = "c0ffee" + "0" * 34
ARGS = ("acme/shop", "77", "1", SHA, "5", "production")


@pytest.fixture
async def github(tmp_path: Path) -> AsyncIterator[GithubStandIn]:
    made = GithubStandIn(tmp_path / "github.sock")
    made.wait(77, SHA, "production", 5)
    await made.start()
    yield made
    await made.close()


@pytest.fixture(params=PROGRAMS)
async def runner(
    request: pytest.FixtureRequest, tmp_path: Path, github: GithubStandIn
) -> AsyncIterator[PlaybookRunner]:
    which = program(request.param, tmp_path / "bin")
    person = signed_in(tmp_path / "person", github.socket)
    environ = {"PATH": f"{which.parent}:{os.environ['PATH']}", **person}
    (tmp_path / "shop").mkdir()
    (tmp_path / "home").mkdir()
    made = PlaybookRunner(tmp_path / "home", environ, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    yield made
    await made.close()


def work(tmp_path: Path, name: str, *args: str) -> Work:
    return Work(playbook=name, workspace=str(tmp_path / "shop"), args=args)


async def do(runner: PlaybookRunner, asked: Work) -> RunResult:
    plan = await runner.plan(AGENT, asked)
    made = job(playbook=asked.playbook, workspace=Path(asked.workspace or ""), args=asked.args, agent=AGENT)
    return await runner.run(replace(made, plan=plan), Heard())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "state"), [("approve-deployment", "approved"), ("reject-deployment", "rejected")])
async def test_the_answer_reaches_github(
    runner: PlaybookRunner, github: GithubStandIn, tmp_path: Path, name: str, state: str
) -> None:
    asked = work(tmp_path, name, *ARGS)
    plan = await runner.plan(AGENT, asked)
    assert isinstance(plan, Plan)
    assert SHA in plan.argv[-1], "what would run says which commit"
    result = await do(runner, asked)
    assert result.exit_code == 0, result
    comment = f"{state.capitalize()} in Pulse, for commit {SHA}."
    assert github.reviewed == [(77, {"environment_ids": [5], "state": state, "comment": comment})]
    again = await do(runner, asked)
    assert "is no longer waiting for you" in again.detail
    assert len(github.reviewed) == 1


@pytest.mark.slow
async def test_what_is_not_what_was_shown_is_not_answered(
    runner: PlaybookRunner, github: GithubStandIn, tmp_path: Path
) -> None:
    environment = github.pending[77][0]["environment"]
    for holder, changed in (
        (github.runs[77], {"run_attempt": 2}),
        (github.runs[77], {"head_sha": "b" * 40}),
        (environment, {"name": "production-eu"}),
        (environment, {"id": 6}),
        (github.pending[77][0], {"current_user_can_approve": False}),
    ):
        before = dict(holder)
        holder.update(changed)
        result = await do(runner, work(tmp_path, "approve-deployment", *ARGS))
        assert (result.ended, github.reviewed) == ("failed-to-start", []), changed
        holder.update(before)
    await github.close()
    result = await do(runner, work(tmp_path, "approve-deployment", *ARGS))
    assert "could not be asked" in result.detail


async def test_nothing_but_a_name_numbers_and_a_commit_reaches_an_address(
    runner: PlaybookRunner, tmp_path: Path
) -> None:
    for place, bad in (
        *((0, bad) for bad in ("acme", "acme/..", "acme/shop/../../x", "--input/x", "acme/shop?x=1", "@x/y z")),
        *((place, bad) for place in (1, 2, 4) for bad in ("", "0", "-1", "7/../8", "\uff11", "1" * 17)),
        *((3, bad) for bad in ("", "main", "c0ffee", "G" * 40)),
    ):
        args = (*ARGS[:place], bad, *ARGS[place + 1 :])
        assert isinstance(await runner.plan(AGENT, work(tmp_path, "approve-deployment", *args)), CannotPlan), args
    assert isinstance(await runner.plan(AGENT, work(tmp_path, "approve-deployment", *ARGS[:5])), CannotPlan)
