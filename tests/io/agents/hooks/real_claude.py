"""The real Claude Code, as its own wheel on PyPI brings it along, with a stub in the place of its model."""

import os
import subprocess
from pathlib import Path
from typing import Any

from tests.cli.real_hub import RealHub
from tests.cli.told import Told
from tests.fetched import fetched, program_of_wheel
from tests.io.agents.hooks.claude_terminal import claude_terminal
from tests.io.agents.hooks.stub_model import StubModel

PACKAGE = "claude-agent-sdk==0.2.187"
"""It holds Claude Code 2.1.330."""
S_MAX = 60
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


class Desk:
    """A hub that runs, Claude connected to it, the stub model, and what the hub tells as it happens."""

    def __init__(self, hub: RealHub, model: StubModel, program: Path) -> None:
        self.hub = hub
        self.model = model
        self.program = program
        self.project = hub.repository
        self.environment = claude_environment(Path(hub.environment["HOME"]), model.url)
        self._told = Told(hub)
        self._new: set[str] = set()

    def close(self) -> None:
        self._told.close()

    def build(self) -> Path:
        """Put something there that is worth asking about."""
        folder = self.project / "build"
        folder.mkdir(exist_ok=True)
        return folder

    def told(self, event: str) -> dict[str, Any]:
        """Wait until the hub tells this of a question of an agent; return the card.

        A question that was left to the agent's own dialog first is told as new once more, when nobody answers there.
        """
        while True:
            found = self._told.next(S_MAX)
            card = found.get("prediction", {})
            is_again = event == "new" and card.get("id") in self._new
            is_asked = (card.get("permission") or {}).get("agent") == "claude-code"  # a notice is Pulse's own
            if found["type"] == f"prediction.{event}" and is_asked and not is_again:
                self._new.add(card["id"])
                return dict(card)

    def unattended(self, *arguments: str) -> AgentProgram:
        words = [str(self.program), *arguments, "-p", "go"]
        return AgentProgram(
            words, cwd=self.project, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )

    def terminal(self, *arguments: str) -> Any:  # noqa: ANN401  a context manager of a terminal
        return claude_terminal(self.program, self.project, self.environment, *arguments)
