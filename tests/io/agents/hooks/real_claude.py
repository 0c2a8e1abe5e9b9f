"""The real Claude Code, as its own wheel on PyPI brings it along, with a stub in the place of its model."""

import os
import subprocess
from pathlib import Path

from tests.fetched import fetched, program_of_wheel

PACKAGE = "claude-agent-sdk==0.2.187"
"""It holds Claude Code 2.1.330."""
MEMBER = "claude_agent_sdk/_bundled/claude"


class AgentProgram(subprocess.Popen[str]):
    """An agent's program for as long as a block lasts: a test that failed does not wait for it."""

    def __exit__(self, *raised: object) -> None:
        if self.poll() is None:
            self.kill()
        super().__exit__(None, None, None)


def claude_program() -> Path:
    """Return Claude Code's program, fetched once; the test is skipped, by name, where it cannot be had."""
    return fetched(PACKAGE, lambda folder: program_of_wheel(folder, PACKAGE, MEMBER, "claude")) / "claude"


def claude_environment(home: Path, model_url: str) -> dict[str, str]:
    """Return what Claude Code is started with: a home of its own, and nobody to talk to but the stub."""
    home.mkdir(parents=True, exist_ok=True)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": model_url,
        "ANTHROPIC_API_KEY": "sk-dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "TERM": "xterm-256color",
    }
