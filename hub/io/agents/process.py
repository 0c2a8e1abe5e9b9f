"""Programs, run inside bounds: no shell, a process group of their own, limits on time and output.

The group is the unit that is ended: at the time limit, on a stop, and also when the program itself is done, so that
nothing it left behind goes on. First SIGTERM, after `GRACE_S` SIGKILL. A process that made a session of its own
(`setsid`, a daemon) has left the group; it is found by the mark of its run instead, see orphans.py.
"""

import asyncio
import errno
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Callable
from pathlib import Path
from typing import Literal, cast

import msgspec

from hub.contract.base import Value
from hub.io.agents.group import alive, send
from hub.io.agents.lineage import LIVE
from hub.io.agents.orphans import end_strays
from hub.io.agents.output import Kept, Lines

GRACE_S = 0.5
"""From SIGTERM to SIGKILL."""

KILLED_S_MAX = 2.0
"""How long a killed process may take to be gone; only one that is stuck in the kernel takes longer."""

DRAIN_S_MAX = 0.5
"""How long output is awaited from others in the group once the program itself has ended."""

POLL_S = 0.02


class Program(Value):
    """What to start. `argv[0]` is a bare name (looked up in the given PATH) or a full path; `quiet` drops stderr."""

    argv: tuple[str, ...]
    cwd: str
    environment: dict[str, str]
    duration_s_max: float
    output_bytes_max: int
    stdin: bytes | None = None
    quiet: bool = False


class Ending(Value):
    """How a program ended. `exit_code` is negative for a signal, and None unless it exited by itself."""

    ended: Literal["exited", "timeout", "stopped", "failed-to-start", "lost"]
    exit_code: int | None
    output: str = ""
    truncated: bool = False
    detail: str = ""


class _Watch(asyncio.SubprocessProtocol):
    """Turns the callbacks of one process into moments to wait for."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self._take = take
        self.exited: asyncio.Future[None] = loop.create_future()
        self.silent: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self.stop: asyncio.Future[None] = loop.create_future()

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:  # noqa: ARG002  asyncio's signature
        """Take output; asyncio gives bytes, whatever its signature allows."""
        self._take(cast("bytes", data))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002  asyncio's signature
        """Note that no more output will come."""
        if fd == 1:
            _settle(self.silent)

    def process_exited(self) -> None:
        """Note that the program itself is over."""
        _settle(self.exited)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  asyncio's signature
        """Note that asyncio has let go of everything."""
        _settle(self.closed)


class Processes:
    """Runs programs, and can end all that still run."""

    def __init__(self) -> None:
        self._live: set[_Watch] = set()
        self._closed = False

    async def run(self, program: Program, progress: Callable[[str], None]) -> Ending:
        """Run one program to its end; `progress` gets each line, made visible, at a bounded rate.

        Cancelling ends the whole group before `CancelledError` goes on. Whatever keeps the program from starting is
        an ending too, with a detail that says what to do.
        """
        kept = Kept(program.output_bytes_max)
        lines = Lines(progress, asyncio.get_running_loop().time)

        def take(data: bytes) -> None:
            kept.add(data)
            lines.add(data)

        ending = await self.follow(program, take)
        lines.end()
        return msgspec.structs.replace(ending, output=kept.text(), truncated=kept.truncated)

    async def follow(self, program: Program, take: Callable[[bytes], None]) -> Ending:
        """Run one program like `run`, handing its raw output to `take`; the ending carries no output."""
        problem = "Pulse is shutting down." if self._closed else unstartable(program)
        if problem:
            return Ending(ended="failed-to-start", exit_code=None, detail=problem)
        watch = _Watch(take)
        self._live.add(watch)
        try:
            transport = await _start(program, watch)
        except (OSError, ValueError) as error:
            _settle(watch.closed)
            return Ending(ended="failed-to-start", exit_code=None, detail=_explain(error, program))
        else:
            return await _to_the_end(transport, watch, program)
        finally:
            self._live.discard(watch)

    async def close(self) -> None:
        """Stop every program that runs and wait for its group to end; their `run` returns `stopped`."""
        self._closed = True
        watches = tuple(self._live)
        for watch in watches:
            _settle(watch.stop)
        if watches:
            await asyncio.wait([watch.closed for watch in watches], timeout=GRACE_S + KILLED_S_MAX)


def unstartable(program: Program) -> str:
    """Say why a program cannot be started, and what to do about it; empty if nothing is seen to be wrong."""
    if not Path(program.cwd).is_dir():
        return f"The folder {program.cwd} is not there. Check the workspace in the settings."
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
        return f"The program {name} may not be executed. Make it executable (chmod +x), or choose another."
    return f"The program {name} was not found. Install it, or give its full path in the settings."


async def _start(program: Program, watch: _Watch) -> asyncio.SubprocessTransport:
    """Start it in a session and group of its own, and hand it its input."""
    transport, _ = await asyncio.get_running_loop().subprocess_exec(
        lambda: watch,
        *program.argv,
        stdin=DEVNULL if program.stdin is None else PIPE,
        stdout=PIPE,
        stderr=DEVNULL if program.quiet else STDOUT,
        cwd=program.cwd,
        env=program.environment,
        start_new_session=True,
    )
    LIVE.enter(transport.get_pid())
    stdin = transport.get_pipe_transport(0)
    if isinstance(stdin, asyncio.WriteTransport):
        stdin.write(program.stdin or b"")
        stdin.write_eof()
    return transport


async def _to_the_end(transport: asyncio.SubprocessTransport, watch: _Watch, program: Program) -> Ending:
    """Wait for the end, or bring it about; the group, and what left it, is gone when this returns or raises."""
    try:
        await asyncio.wait(
            (watch.exited, watch.stop), timeout=program.duration_s_max, return_when=asyncio.FIRST_COMPLETED
        )
        by_itself, asked = watch.exited.done(), watch.stop.done()
        if by_itself:
            await asyncio.wait((watch.silent,), timeout=DRAIN_S_MAX)
    finally:
        try:
            await _end_group(transport.get_pid(), watch)
            await end_strays(program.environment)
        finally:
            LIVE.leave(transport.get_pid())
            transport.close()
    await asyncio.wait((watch.closed,), timeout=KILLED_S_MAX)
    if not watch.exited.done():
        return Ending(ended="lost", exit_code=None, detail="It did not end even when it was killed")
    if by_itself:
        return Ending(ended="exited", exit_code=transport.get_returncode())
    if asked:
        return Ending(ended="stopped", exit_code=None)
    return Ending(ended="timeout", exit_code=None, detail=f"The limit was {program.duration_s_max:g} s")


async def _end_group(group: int, watch: _Watch) -> None:
    """Ask the group to end, kill what is left after `GRACE_S` (at once if cancelled), and see the program gone."""
    try:
        await _ask_to_end(group, watch)
    finally:
        if send(group, signal.SIGKILL):
            await _until_empty(group, watch, KILLED_S_MAX)


async def _ask_to_end(group: int, watch: _Watch) -> None:
    """Send SIGTERM, and return when the group is empty or has had its `GRACE_S`."""
    if send(group, signal.SIGTERM):
        await _until_empty(group, watch, GRACE_S)


async def _until_empty(group: int, watch: _Watch, limit_s: float) -> None:
    """Wait until the program has exited and nobody else in its group is alive, or the limit has passed."""
    loop = asyncio.get_running_loop()
    deadline_s = loop.time() + limit_s
    await asyncio.wait((watch.exited,), timeout=limit_s)
    while loop.time() < deadline_s and alive(group):  # noqa: ASYNC110  grandchildren end without telling us
        await asyncio.sleep(POLL_S)


def _settle(moment: asyncio.Future[None]) -> None:
    """Let those who wait for it go on."""
    if not moment.done():
        moment.set_result(None)


def _explain(error: OSError | ValueError, program: Program) -> str:
    """Say why the system would not start it."""
    name = program.argv[0]
    if isinstance(error, ValueError):
        return f"{name} cannot be given this prompt as an argument ({error}). Let the agent read it from stdin."
    if error.errno == errno.E2BIG:
        return f"The prompt is too long to be an argument of {name}. Let the agent read it from stdin."
    if error.errno == errno.ENOEXEC:
        return f"{name} is not a program this machine can run. A script needs a first line such as #!/bin/sh."
    return f"{name} could not be started: {error.strerror or error}."
