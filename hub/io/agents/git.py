"""Asking git, in bounds and without side effects: no locks, no prompts, no hooks, no file-system monitor."""

from collections.abc import Mapping
from pathlib import Path

from hub.contract.base import Value
from hub.io.agents.environment import scrubbed
from hub.io.agents.process import Processes, Program

GIT_S_MAX = 10.0
GIT_BYTES_MAX = 4_194_304

ARGV = ("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


class Said(Value):
    """What git answered. `exit_code` is None when git could not be asked; `text` is then empty."""

    exit_code: int | None
    text: str

    @property
    def ok(self) -> bool:
        """Whether git did what it was asked."""
        return self.exit_code == 0

    def fields(self, separator: str = "\n") -> tuple[str, ...]:
        """Return the parts that are not empty."""
        return tuple(part for part in self.text.split(separator) if part)


class Git:
    """Git in one folder."""

    def __init__(self, processes: Processes, environ: Mapping[str, str], folder: Path) -> None:
        self._processes = processes
        self._environment = {**scrubbed(environ), **ENVIRONMENT}
        self._folder = folder

    async def ask(self, *arguments: str) -> Said:
        """Run one command and return what it printed; anything beyond `GIT_BYTES_MAX` is left out."""
        collected = bytearray()

        def take(data: bytes) -> None:
            collected.extend(data[: GIT_BYTES_MAX - len(collected)])

        program = Program(
            argv=(*ARGV, *arguments),
            cwd=str(self._folder),
            environment=self._environment,
            duration_s_max=GIT_S_MAX,
            output_bytes_max=GIT_BYTES_MAX,
            quiet=True,
        )
        ending = await self._processes.follow(program, take)
        return Said(exit_code=ending.exit_code, text=collected.decode("utf-8", "surrogateescape"))
