"""The surface processes beside the hub: started when they are needed, started again when they die, ended with the hub.

A surface that crashes takes nothing along, and one that nobody uses costs nothing. Each child holds the other end of a
pipe as its standard input: when the hub is gone, however it went, the child reads its end and leaves. Over that pipe
it is first handed its secrets, in one line of JSON: every program of the same user can read its environment.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta

import msgspec

from hub.contract.api import HealthPart
from hub.contract.base import Value
from hub.io.processes.supervision import Restarts, end, keep_alive, lines_of
from hub.kit.backoff import RetryPolicy
from hub.kit.process import FIX_APART, LIMITS, TOLD_BYTES_MAX, TROUBLE
from hub.kit.tasks import end_all

RESTARTS = Restarts(policy=RetryPolicy(base_s=0.5, cap_s=30.0), stable_after_s=30.0)
STOP_S_MAX = 1.0
PROVEN_AFTER = timedelta(seconds=5)
"""A child that was started again counts as well only then: till then its last words are what a person should read."""
log = logging.getLogger(__name__)


class Told(Value):
    """What a process is told: its environment, which is no secret, and what it is handed over its pipe."""

    environment: dict[str, str]
    secrets: dict[str, str]

    def __repr__(self) -> str:
        return "Told(…)"


class SurfaceProgram(Value):
    """How one process is started: its module and arguments, and what it is told.

    One process may serve several surfaces; `name` tells processes apart. `kind` is what it is called besides: some are
    attached to a person's agent.
    """

    name: str
    arguments: tuple[str, ...]
    told: Callable[[], Awaitable[Told]]
    kind: str = "surface"

    @property
    def title(self) -> str:
        """What health and the log call it."""
        return f"{self.kind} {self.name}"


class Child:
    """One supervised process."""

    def __init__(self, program: SurfaceProgram) -> None:
        self._program = program
        self._process: asyncio.subprocess.Process | None = None
        self._detail = "starting"
        self._trouble = self._fix = self._last_words = ""
        self._limits = self._limits_fix = ""
        self._since = datetime.now(UTC)
        self._task = asyncio.create_task(keep_alive(self._live, RESTARTS, self._ended))

    def health(self) -> HealthPart:
        """Return how it is: whether it runs and can do its work, and what it last said if it cannot."""
        alive = self._process is not None and self._process.returncode is None
        wrong = self._trouble
        if alive and self._last_words and datetime.now(UTC) - self._since < PROVEN_AFTER:
            wrong = f"ended: {self._last_words}; just started again"
        if alive and not wrong:
            detail, fix = self._limits or self._detail, self._limits_fix
            return HealthPart(name=self._program.title, status="ok", detail=detail, since=self._since, fix=fix)
        return HealthPart(
            name=self._program.title,
            status="degraded",
            detail=wrong if alive else self._detail,
            since=self._since,
            fix=self._fix if alive and wrong == self._trouble else "",
        )

    async def close(self) -> None:
        """End it."""
        await end_all((self._task,))
        await end(self._process, STOP_S_MAX)

    async def _live(self) -> bool:
        self._last_words = await self._run()
        self._trouble = self._fix = self._limits = self._limits_fix = ""
        return True

    def _ended(self, delay_s: float) -> None:
        self._note(f"ended: {self._last_words}; again in {delay_s:.0f} s")
        log.warning("%s ended: %s", self._program.title, self._last_words)

    async def _run(self) -> str:
        """Run it once; return its last words."""
        told = await self._program.told()
        handed = msgspec.json.encode(told.secrets) + b"\n"
        if len(handed) > TOLD_BYTES_MAX:
            return f"could not be started: its secrets are longer than {TOLD_BYTES_MAX} bytes"
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *(["-I"] if sys.flags.isolated else []),
                "-m",
                *self._program.arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env=told.environment,
                start_new_session=True,  # Ctrl-C reaches the hub only, which ends its children last
            )
        except OSError as error:
            return f"could not be started: {error}"
        self._process = process
        if process.stdin is not None:
            process.stdin.write(handed)  # one that ends before it has read it says why by itself
        self._note("running")
        last = await self._listen(process)
        return last or f"ended with status {await process.wait()}"

    async def _listen(self, process: asyncio.subprocess.Process) -> str:
        """Put what it says into the log; return the last line."""
        last = ""
        async for line in lines_of(process.stderr):
            log.info("%s: %s", self._program.title, line)
            if line.startswith(TROUBLE):
                self._trouble, _, self._fix = line.removeprefix(TROUBLE).strip().partition(FIX_APART)
            elif line.startswith(LIMITS):
                self._limits, _, self._limits_fix = line.removeprefix(LIMITS).strip().partition(FIX_APART)
            else:
                last = line or last
        await process.wait()
        return last

    def _note(self, detail: str) -> None:
        self._detail = detail
        self._since = datetime.now(UTC)


class SurfaceProcesses:
    """The `Surfaces` port over real processes; `programs` are by surface, `look` finds one as it is set up now."""

    def __init__(
        self, programs: Mapping[str, SurfaceProgram], look: Callable[[str], SurfaceProgram | None] = lambda _: None
    ) -> None:
        self._programs = dict(programs)
        self._look = look
        self._children: dict[str, Child] = {}

    def need(self, surface: str) -> None:
        """Start this surface's process, unless it runs or has none of its own."""
        program = self._programs.get(surface)
        if program is not None and program.name not in self._children:
            self._children[program.name] = Child(program)

    async def release(self, surface: str) -> None:
        """End this surface's process, and start it no more."""
        program = self._programs.get(surface)
        child = None if program is None else self._children.pop(program.name, None)
        if child is not None:
            await child.close()

    async def renew(self, surface: str) -> None:
        """End this surface's process, and start it as it is set up now, if it is."""
        program = self._look(surface)
        await self.release(surface)
        if program is None:
            self._programs.pop(surface, None)
            return
        self._programs[surface] = program
        self.need(surface)

    def health(self) -> tuple[HealthPart, ...]:
        """Say how each is."""
        return tuple(child.health() for child in self._children.values())

    async def close(self) -> None:
        """End all of them."""
        children, self._children = tuple(self._children.values()), {}
        await asyncio.gather(*(child.close() for child in children))
