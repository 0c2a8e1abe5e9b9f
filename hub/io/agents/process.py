"""Programs, run inside bounds: no shell, below a supervisor of their own, limits on time and output.

What is ended is everything that descends from the program: at the time limit, on a stop, and also when the program
itself is done, so that nothing it left behind goes on. First SIGTERM, after a moment SIGKILL, until the supervisor has
no child left (see supervisor.py). A run of which something could not be ended is `lost`, and says so.
"""

import asyncio
import errno
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from hub.contract.base import Value
from hub.io.agents.output import LineCutter, OutputEnds
from hub.io.agents.supervised import ENDED_S_MAX, Program, Supervised, settle

SIGNALLED = 128
"""A container tells a signal as shells do: by its number above this."""
DRAIN_S_MAX = 0.5
"""How long output is awaited from others once the program itself has ended."""


class Ending(Value):
    """How a program ended. `exit_code` is negative for a signal, and None unless it exited by itself."""

    ended: Literal["exited", "timeout", "stopped", "failed-to-start", "lost"]
    exit_code: int | None
    output: str = ""
    truncated: bool = False
    detail: str = ""


class Talk(Protocol):
    """Whoever talks to a program while it runs."""

    def hear(self, data: bytes) -> None:
        """Take what it printed."""

    def hear_error(self, data: bytes) -> None:
        """Take what it printed as errors."""

    async def lead(self, send: Callable[[bytes], None]) -> None:
        """Talk to it, by `send`; return when that is over."""


class Processes:
    """Runs programs, and can end all that still run."""

    def __init__(self) -> None:
        self._live: set[Supervised] = set()
        self._closed = False

    async def run(self, program: Program, progress: Callable[[str], None]) -> Ending:
        """Run one program to its end; `progress` gets each line, made visible, at a bounded rate.

        Cancelling ends the whole group before `CancelledError` goes on. Whatever keeps the program from starting is
        an ending too, with a detail that says what to do.
        """
        kept = OutputEnds(program.output_bytes_max)
        lines = LineCutter(progress, asyncio.get_running_loop().time)

        def take(data: bytes) -> None:
            kept.add(data)
            lines.add(data)

        ending = await self.follow(program, take)
        lines.end()
        return msgspec.structs.replace(ending, output=kept.text(), truncated=kept.truncated)

    async def follow(self, program: Program, take: Callable[[bytes], None]) -> Ending:
        """Run one program like `run`, handing its raw output to `take`; the ending carries no output."""
        return await self._start(program, Supervised(take), None)

    async def converse(self, program: Program, talk: "Talk") -> Ending:
        """Run one program like `follow`, talked to until the talk is over; then it is `stopped`, unless it left first.

        The talk is cancelled when the program has gone, when its time is over and when this is cancelled, and may
        then still say a last word. What it raises is raised here, once the program has been ended.
        """
        return await self._start(program, Supervised(talk.hear, talk.hear_error), talk)

    async def _start(self, program: Program, run: Supervised, talk: "Talk | None") -> Ending:
        problem = "Pulse is shutting down." if self._closed else unstartable(program)
        if problem:
            return Ending(ended="failed-to-start", exit_code=None, detail=problem)
        self._live.add(run)
        try:
            await run.start(program)
        except (OSError, ValueError) as error:
            return Ending(ended="failed-to-start", exit_code=None, detail=_explain(error, program))
        else:
            return await _to_the_end(run, program, talk)
        finally:
            run.close()
            self._live.discard(run)

    async def close(self) -> None:
        """Stop every program that runs and wait for its group to end; their `run` returns `stopped`."""
        self._closed = True
        runs = tuple(self._live)
        for run in runs:
            settle(run.stop)
        if runs:
            await asyncio.wait([run.closed for run in runs], timeout=ENDED_S_MAX)


def unstartable(program: Program) -> str:
    """Say why a program cannot be started, and what to do about it; empty if nothing is seen to be wrong."""
    if not Path(program.cwd).is_dir():
        return f"The folder {program.cwd} does not exist. Check the workspace in the settings."
    return missing_program(program.argv[0] if program.argv else "", program.environment.get("PATH", os.defpath))


def missing_program(name: str, search_path: str | None) -> str:
    """Say why a program cannot be started; empty if it is there and may be."""
    if not name:
        return "The agent names no program. Give it an argv in the settings."
    if os.sep in name and not Path(name).is_absolute():
        return f"The program {name} is neither a bare name nor a full path. Give its full path in the settings."
    if shutil.which(name, path=search_path):
        return ""
    if os.sep in name and Path(name).exists():
        return f"The program {name} is not executable. Make it executable (chmod +x), or choose another."
    return f"The program {name} was not found. Install it, or give its full path in the settings."


async def _talk_through(run: Supervised, program: Program, talk: Talk) -> None:
    """Let the talk go on until it is over, or the run is."""
    talking = asyncio.ensure_future(talk.lead(run.say))
    talking.add_done_callback(lambda _: settle(run.stop))
    try:
        await run.until_over(program.duration_s_max)
    finally:
        talking.cancel()
        await asyncio.wait({talking})
    if not talking.cancelled():
        talking.result()


async def _to_the_end(run: Supervised, program: Program, talk: Talk | None) -> Ending:
    """Wait for the end, or bring it about; whatever the run started is gone when this returns or raises."""
    try:
        await (run.until_over(program.duration_s_max) if talk is None else _talk_through(run, program, talk))
        by_itself, asked = run.exited.done(), run.stop.done()
        if by_itself:
            await asyncio.wait((run.silent,), timeout=DRAIN_S_MAX)
    finally:
        left = await run.end(program.environment)
    if run.refused:
        return Ending(ended="failed-to-start", exit_code=None, detail=_explain(run.refused, program))
    if left:
        return Ending(ended="lost", exit_code=None, detail=left)
    if by_itself:
        code = run.exited.result()
        by_signal = program.wrapped and SIGNALLED < code <= SIGNALLED + signal.NSIG
        return Ending(ended="exited", exit_code=SIGNALLED - code if by_signal else code)
    if asked:
        return Ending(ended="stopped", exit_code=None)
    return Ending(ended="timeout", exit_code=None, detail=f"The limit was {program.duration_s_max:g} s")


def _explain(error: OSError | ValueError, program: Program) -> str:
    """Say why the system would not start it."""
    name = program.argv[0]
    if isinstance(error, ValueError):
        return (
            f"{name} cannot be given this prompt as an argument ({error}). Let the agent read it: `stdin = 'prompt'`."
        )
    if error.errno == errno.E2BIG:
        return f"The prompt is too long to be an argument of {name}. Let the agent read it: `stdin = 'prompt'`."
    if error.errno == errno.ENOEXEC:
        return f"{name} is not a program this machine can run. A script needs a first line such as #!/bin/sh."
    return f"{name} could not be started: {error.strerror or error}."
