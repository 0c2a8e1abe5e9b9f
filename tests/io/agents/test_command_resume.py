"""A command that goes on with a conversation of its own is started by other arguments."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.policy import Agent
from hub.io.agents.command import CommandRunner
from tests.io.agents.agent_work import Heard, job, python, run


@pytest.mark.slow
async def test_work_that_goes_on_with_a_conversation_is_started_by_the_arguments_for_that(
    tmp_path: Path,
) -> None:
    runner = CommandRunner(tmp_path / "home", {"PATH": os.environ["PATH"]})
    code = "import sys; print(sys.argv[1:])"
    agent = Agent(
        name="a",
        kind="command",
        argv=(*python(code), "--session-id", "{conversation}"),
        resume=(*python(code), "--resume", "{conversation}"),
        contain="none",
    )
    begun = replace(job(agent=agent), conversation="c-1")
    assert (await run(runner, begun, Heard())).output == "['--session-id', 'c-1']\n"
    assert (await run(runner, replace(begun, resumes=True), Heard())).output == "['--resume', 'c-1']\n"
    unable = replace(begun, resumes=True, agent=replace(agent, resume=()))
    assert (await run(runner, unable, Heard())).output == "['--session-id', 'c-1']\n"
