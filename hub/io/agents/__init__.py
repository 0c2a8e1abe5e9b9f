"""The agents that do the work: built-in playbooks, any program, whoever speaks ACP, and OpenClaw."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from hub.io.agents.acp.runner import AcpRunner
from hub.io.agents.command import CommandRunner
from hub.io.agents.openclaw import OpenClawRunner
from hub.io.agents.playbook.runner import PlaybookRunner
from hub.ports import AgentQuestions, AgentRunner


def runners(
    *,
    home: Path,
    environ: Mapping[str, str],
    now: Callable[[], datetime],
    random: Callable[[], float],
    questions: AgentQuestions,
) -> dict[str, AgentRunner]:
    """Make one runner for each kind of agent.

    Args:
        home: `$PULSE_HOME`; notes and the record of test runs live below it.
        environ: Pulse's own environment; agents see only the allowed part of it.
        now: the person's local time, with its zone.
        random: draws in [0, 1), for the jitter of retries.
        questions: the way to the person for agents that ask before they act.

    Returns:
        The runners by `Agent.kind`. Nothing is started or imported for a kind until it is used.
    """
    return {
        "playbook": PlaybookRunner(home, environ, now),
        "command": CommandRunner(home, environ),
        "acp": AcpRunner(home, environ, questions),
        "openclaw": OpenClawRunner(home, environ, random),
    }
