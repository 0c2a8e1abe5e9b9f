"""Tries an agent out: it is started, greeted and asked for a session, and told nothing to do."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from hub import __version__
from hub.domain.policy import Agent
from hub.io.agents.acp.conversation import AcpConversation, AcpPhase
from hub.io.agents.acp.known import environment_for
from hub.io.agents.acp.lines import LineSplitter, LineTooLongError
from hub.io.agents.acp.moves import SessionOver, ToAgent
from hub.io.agents.environment import scrubbed
from hub.io.agents.process import Ending, Processes
from hub.io.agents.supervised import Program
from hub.kit.text import one_line

GREETED_S_MAX = 90.0
"""How long an agent may take to open a session; some look for news of their own at each start."""
ERRORS_BYTES_MAX = 4_096
SHOWN_CHARS_MAX = 200


class Greeting:
    """Talks until there is a session, or there will be none; `problem` says why."""

    def __init__(self, folder: str, mode: str) -> None:
        self.problem = "It did not answer."
        self._conversation = AcpConversation(folder=folder, prompt="", mode=mode, version=__version__)
        self._splitter = LineSplitter()
        self._errors = b""
        self._done = asyncio.Event()
        self._say: Callable[[bytes], None] = lambda _: None

    def hear(self, data: bytes) -> None:
        """Take what it printed."""
        try:
            for line in self._splitter.feed(data):
                self._heard(line)
        except LineTooLongError:
            self._over("It sent a message that is too long.")

    def hear_error(self, data: bytes) -> None:
        """Keep the end of what it printed as errors."""
        self._errors = (self._errors + data)[-ERRORS_BYTES_MAX:]

    async def lead(self, send: Callable[[bytes], None]) -> None:
        """Greet it and wait for its session."""
        self._say = send
        send(self._conversation.begin())
        await self._done.wait()

    def found(self, ending: Ending) -> str:
        """Return why it cannot be used, with how its program ended; empty if it can."""
        if ending.ended == "stopped" or not self.problem:
            return self.problem
        lines = self._errors.decode("utf-8", "replace").splitlines()
        last = next((one_line(line, SHOWN_CHARS_MAX) for line in reversed(lines) if line.strip()), "")
        if ending.ended == "exited":
            return f"Its program ended before it answered. {last}".strip()
        return ending.detail or self.problem

    def _heard(self, line: bytes) -> None:
        for move in self._conversation.hear(line):
            if isinstance(move, SessionOver):
                self._over(move.detail)
            elif self._conversation.phase in {AcpPhase.MODE, AcpPhase.WORKING}:
                self._over("")
            elif isinstance(move, ToAgent):
                self._say(move.data)

    def _over(self, problem: str) -> None:
        if not self._done.is_set():
            self.problem = problem
        self._done.set()


async def greet(agent: Agent, folder: Path, environ: Mapping[str, str]) -> str:
    """Start an agent in a folder and return why Pulse cannot use it; empty if it can. It is ended in any case."""
    greeting = Greeting(str(folder), agent.mode)
    program = Program(
        argv=agent.argv,
        cwd=str(folder),
        environment={**environment_for(agent.argv), **scrubbed(environ, agent.environment)},
        duration_s_max=GREETED_S_MAX,
        output_bytes_max=ERRORS_BYTES_MAX,
        stays=True,
    )
    return greeting.found(await Processes().converse(program, greeting))
