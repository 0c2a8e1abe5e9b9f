"""Runs whoever speaks the Agent Client Protocol: its program is started like every other, and then talked to."""

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec.structs import replace

from hub import __version__
from hub.domain.execution import Job
from hub.domain.plan import AnyPlan, CannotPlan, cannot
from hub.domain.policy import Agent
from hub.domain.provenance import say
from hub.domain.suggestion import Work
from hub.io.agents.acp.conversation import AcpConversation
from hub.io.agents.acp.known import environment_for, made_to_ask
from hub.io.agents.acp.session import AcpSession
from hub.io.agents.command import CommandRunner, plan_command
from hub.io.agents.containment import inside
from hub.io.agents.cost import Usage, reported_usage
from hub.io.agents.process import Ending
from hub.io.agents.supervised import Program
from hub.ports import AgentQuestions

TURN_S_MAX = 604_800.0
"""The supervisor's own limit: the talk keeps the time of the work, and waits for people beside it."""
PROMPT = "{prompt}"


class AcpRunner(CommandRunner):
    """Starts the agent's argv in the workspace, hands it the prompt, and answers for the person what it asks."""

    def __init__(self, home: Path, environ: Mapping[str, str], questions: AgentQuestions) -> None:
        super().__init__(home, environ)
        self._questions = questions

    async def plan(self, agent: Agent, work: Work) -> AnyPlan:
        """Tell what would be started; the prompt follows in the talk, so that it has no place in the argv."""
        if PROMPT in agent.argv:
            return cannot(
                say(
                    "The agent {name} is told its prompt later. Take {what} out of its argv.",
                    name=agent.name,
                    what=PROMPT,
                )
            )
        plan = await asyncio.to_thread(plan_command, agent, work, self._environ.get("PATH", os.defpath))
        if isinstance(plan, CannotPlan):
            return plan
        names = tuple(sorted({*agent.environment, *environment_for(agent.argv)}))
        return replace(plan, prompt="input", environment=names)

    def _program(self, job: Job, argv: tuple[str, ...], cwd: str, environment: dict[str, str]) -> Program:
        return Program(
            argv=argv,
            cwd=cwd,
            environment=environment,
            duration_s_max=TURN_S_MAX,
            output_bytes_max=job.bounds.output_bytes_max,
            stays=True,
        )

    async def _carry_out(
        self, program: Program, job: Job, cost_file: Path, progress: Callable[[str], None]
    ) -> tuple[Ending, Usage]:
        """Talk to the agent until it is done; what it says that it used counts where it wrote no file."""
        asked = await asyncio.to_thread(made_to_ask, job.agent.argv, Path(program.cwd), program.environment)
        for note in asked.notes:
            progress(note)
        program = replace(program, environment={**asked.environment, **program.environment})
        conversation = AcpConversation(
            folder=program.cwd,
            prompt=job.prompt,
            mode=job.agent.mode,
            version=__version__,
            resumes=job.conversation if job.resumes else "",
        )
        talk = AcpSession(job, conversation, self._questions, progress)
        left = await self._processes.converse(program, talk)
        in_vain = inside(replace(left, output=talk.errors), program)
        ending = talk.ending(replace(in_vain, output=""))
        told, news = reported_usage(cost_file, ""), conversation.news
        return ending, Usage(
            cost_microusd=news.cost_microusd if told.cost_microusd is None else told.cost_microusd,
            tokens=news.tokens if told.tokens is None else told.tokens,
            conversation=conversation.to_resume,
        )
