"""One run below its supervisor: started, heard, and ended. See supervisor.py for who watches over what."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from hub.contract.base import Value
from hub.io.agents import supervisor
from hub.io.agents.heard_sessions import HEARD
from hub.io.agents.lineage import LIVE
from hub.io.agents.orphans import end_strays

ENDED_S_MAX = supervisor.INNER_S_MAX + supervisor.SWEEP_S_MAX + 2.0
"""How long both supervisors together may take to end a run, before it is done without them."""
KILLED_S_MAX = 2.0
"""How long a killed supervisor may take to be gone."""
LINE_BYTES_MAX = 4_096
ERRORS = 2
"""The number of a program's stream of errors."""
SUPERVISOR = (sys.executable, "-I", "-S", str(Path(supervisor.__file__)))
LEFT = "Not everything it started could be stopped; use `ps` to see what runs as you."
ATTACKED = "Its supervisor was killed or stopped by something in the run. What it had started was ended."


log = logging.getLogger(__name__)


class Program(Value):
    """What to start. `argv[0]` is a bare name (looked up in the given PATH) or a full path; `quiet` drops stderr.

    `stays` keeps its input open after `stdin`, so that more can be said to it, and its errors apart from its output.
    `limits` are resource limits (setrlimit(2)) of each of its processes, by the names of Python's `resource`.
    `wrapped` says that `argv` is a container around the program: a request to end is for what is inside.
    """

    argv: tuple[str, ...]
    cwd: str
    environment: dict[str, str]
    duration_s_max: float
    output_bytes_max: int
    stdin: bytes | None = None
    quiet: bool = False
    stays: bool = False
    limits: tuple[tuple[str, int], ...] = ()
    wrapped: bool = False


class Supervised(asyncio.SubprocessProtocol):
    """One run. Its moments can be waited for; `exited` has the program's exit code, negative for a signal."""

    def __init__(self, take: Callable[[bytes], None], take_error: Callable[[bytes], None] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._take = take
        self._take_error = take_error or take
        self._control: socket.socket | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._said = b""
        self._folder = ""
        self._ended = False
        self._gone: asyncio.Future[None] = self._loop.create_future()
        self._quiet: asyncio.Future[None] = self._loop.create_future()
        self.refused: OSError | None = None
        self.exited: asyncio.Future[int] = self._loop.create_future()
        self.silent: asyncio.Future[None] = self._loop.create_future()
        self.closed: asyncio.Future[None] = self._loop.create_future()
        self.stop: asyncio.Future[None] = self._loop.create_future()

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Take output; asyncio gives bytes, whatever its signature allows."""
        take = self._take_error if fd == ERRORS else self._take
        take(cast("bytes", data))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002  asyncio's signature
        """Note that no more output will come."""
        if fd == 1:
            settle(self.silent)

    def process_exited(self) -> None:
        """Note that the outer supervisor is over."""
        settle(self._gone)

    async def start(self, program: Program) -> None:
        """Start the supervisor, which starts the program, and hand that its input.

        Raises:
            OSError: the system would not start it.
            ValueError: an argument cannot be one.
        """
        ours, theirs = socket.socketpair()
        self._control = ours
        ours.setblocking(False)  # noqa: FBT003  the socket's own form
        limits = ",".join((*(f"{name}={most}" for name, most in program.limits), *(["wrapped"] * program.wrapped)))
        with theirs:
            transport, _ = await self._loop.subprocess_exec(
                lambda: self,
                *SUPERVISOR,
                str(theirs.fileno()),
                limits,
                *program.argv,
                stdin=PIPE if program.stays or program.stdin is not None else DEVNULL,
                stdout=PIPE,
                stderr=PIPE if program.stays else DEVNULL if program.quiet else STDOUT,
                cwd=program.cwd,
                env=program.environment,
                start_new_session=True,
                pass_fds=(theirs.fileno(),),
            )
        self._transport = transport
        LIVE.enter(transport.get_pid())
        self._folder = program.cwd
        HEARD.run_begins(self._folder)
        self._loop.add_reader(ours, self._hear, ours)
        self.say(program.stdin or b"")
        stdin = transport.get_pipe_transport(0)
        if isinstance(stdin, asyncio.WriteTransport) and not program.stays:
            stdin.write_eof()

    def say(self, data: bytes) -> None:
        """Write to the program's input; one that does not listen any more hears nothing."""
        stdin = None if self._transport is None else self._transport.get_pipe_transport(0)
        if isinstance(stdin, asyncio.WriteTransport) and not stdin.is_closing():
            stdin.write(data)

    async def until_over(self, limit_s: float) -> None:
        """Wait until the program has exited or could not start, a stop is asked for, the limit passes, or all fails."""
        moments = (self.exited, self.stop, self._gone, self._quiet)
        await asyncio.wait(moments, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)

    async def end(self, environment: Mapping[str, str]) -> str:
        """End whatever the run started, and return what went wrong with that; empty if all is gone.

        Cancelling kills what was being asked to end; `CancelledError` goes on when it is gone.
        """
        try:
            self._order(supervisor.END)
            await self._until_ended()
        except asyncio.CancelledError:
            self._order(supervisor.KILL)
            await self._until_ended()
            raise
        finally:
            trouble = await self._without_supervisors(environment)
            if trouble:
                log.error("%s", trouble)  # whoever cancelled hears no ending
        return trouble

    def close(self) -> None:
        """Let go of everything."""
        if self._transport is not None:
            LIVE.leave(self._transport.get_pid())
            HEARD.run_ends(self._folder)
            self._transport.close()
        if self._control is not None:
            self._loop.remove_reader(self._control)
            self._control.close()
        settle(self.closed)

    def _hear(self, control: socket.socket) -> None:
        """Take what the supervisors say."""
        try:
            said = control.recv(LINE_BYTES_MAX)
        except (BlockingIOError, ConnectionError):
            return
        if not said:
            self._loop.remove_reader(control)
            settle(self._quiet)
            return
        *lines, self._said = (self._said + said).split(b"\n")
        for line in lines:
            self._heard(*line.decode().split(" "))

    def _heard(self, word: str, number: str = "0") -> None:
        if word == "refused":
            self.refused = OSError(int(number), os.strerror(int(number)))
            settle(self.stop)
        elif word == "exited" and not self.exited.done():
            self.exited.set_result(os.waitstatus_to_exitcode(int(number)))
        elif word == "ended":
            self._ended = True

    def _order(self, order: bytes) -> None:
        if self._control is not None:
            with contextlib.suppress(OSError):  # nobody is there to hear it any more, which is looked at next
                self._control.send(order)
        self._signal(signal.SIGCONT)  # it may have been stopped, which would keep it from hearing

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the outer supervisor; asyncio's own way would collect its exit code before asyncio does."""
        if self._transport is None or self._gone.done():
            return
        with contextlib.suppress(OSError):
            os.kill(self._transport.get_pid(), number)

    async def _until_ended(self) -> None:
        """Wait until both supervisors are gone: the outer one by its exit, the inner one by its silence."""
        await asyncio.wait((self._gone, self._quiet), timeout=ENDED_S_MAX)

    async def _without_supervisors(self, environment: Mapping[str, str]) -> str:
        """Say how the supervisors fared, and end what can be found where they could not."""
        transport = self._transport
        if transport is None:
            return ""
        code = transport.get_returncode()
        if code in {supervisor.ENDED, supervisor.TAKEN_OVER} or (code is not None and self._ended):
            return "" if code == supervisor.ENDED else ATTACKED
        if code is None:
            self._signal(signal.SIGKILL)  # it is stuck; the inner one hears that its pipe is closed, and ends the run
            await asyncio.wait((self._gone, self._quiet), timeout=supervisor.INNER_S_MAX + KILLED_S_MAX)
        await end_strays(environment)
        return ATTACKED if self._ended else LEFT


def settle(moment: asyncio.Future[None]) -> None:
    """Let those who wait for it go on."""
    if not moment.done():
        moment.set_result(None)
