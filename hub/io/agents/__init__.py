"""The agents that do the work: built-in playbooks, any program, whoever speaks ACP, and OpenClaw."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from hub.domain.execution import Job, RunResult
from hub.domain.plan import AnyPlan
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from hub.io.agents.way_back import WayBack, no_way_back
from hub.ports import AgentQuestions, AgentRunner


class RunnerOnFirstUse:
    """A runner that is loaded when something is first planned or run: an idle hub needs none of them."""

    def __init__(self, load: Callable[[], AgentRunner]) -> None:
        self._load = load
        self._runner: AgentRunner | None = None

    async def plan(self, agent: Agent, work: Work) -> AnyPlan:
        """Let the runner tell what would be started."""
        return await self._loaded().plan(agent, work)

    async def run(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        """Let the runner run it."""
        return await self._loaded().run(job, progress)

    async def close(self) -> None:
        """End whatever still runs; a runner that was never used has nothing to end."""
        if self._runner is not None:
            await self._runner.close()

    def _loaded(self) -> AgentRunner:
        if self._runner is None:
            self._runner = self._load()
        return self._runner


def runners(
    *,
    home: Path,
    environ: Mapping[str, str],
    now: Callable[[], datetime],
    random: Callable[[], float],
    questions: AgentQuestions,
    way_back: WayBack = no_way_back,
) -> dict[str, AgentRunner]:
    """Make one runner for each kind of agent.

    Args:
        home: `$PULSE_HOME`; notes and the record of test runs live below it.
        environ: Pulse's own environment; agents see only the allowed part of it.
        now: the person's local time, with its zone.
        random: draws in [0, 1), for the jitter of retries.
        questions: the way to the person for agents that ask before they act.
        way_back: hands out the hub's address and a token for a wake (hub/io/access/wake_passes.py).

    Returns:
        The runners by `Agent.kind`. Nothing is started or imported for a kind until it is used.
    """

    def playbook() -> AgentRunner:
        from hub.io.agents.playbook.runner import PlaybookRunner  # noqa: PLC0415  with the first of its kind

        return PlaybookRunner(home, environ, now)

    def command() -> AgentRunner:
        from hub.io.agents.command import CommandRunner  # noqa: PLC0415  as above

        return CommandRunner(home, environ)

    def acp() -> AgentRunner:
        from hub.io.agents.acp.runner import AcpRunner  # noqa: PLC0415  as above

        return AcpRunner(home, environ, questions)

    def openclaw() -> AgentRunner:
        from hub.io.agents.openclaw import OpenClawRunner  # noqa: PLC0415  as above

        return OpenClawRunner(home, environ, random, way_back=way_back)

    kinds = {"playbook": playbook, "command": command, "acp": acp, "openclaw": openclaw}
    return {kind: RunnerOnFirstUse(load) for kind, load in kinds.items()}
