"""A broker as a supervised child on 127.0.0.1.

It is started again, with back-off, whenever it dies or does not answer any more; it ends with the hub; what a killed
hub left behind is ended at the next start. It has its own session, so that Ctrl-C in the terminal reaches the hub only,
which ends it last. Which program it is, a `Recipe` says.
"""

import asyncio
import collections
import contextlib
import logging
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, Self

from hub.io.broker import orphan
from hub.io.broker.acl import BrokerUser
from hub.io.broker.loopback import LOOPBACK, same_port
from hub.io.broker.probe import speaks_mqtt
from hub.io.broker.running import BrokerHealth, BrokerStartError, Kind
from hub.io.processes.supervision import Restarts, end, keep_alive, lines_of
from hub.kit.backoff import RetryPolicy
from hub.kit.mqtt.address import BrokerAddress
from hub.kit.tasks import end_all

INHERITED = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "TZ")
"""What a broker needs to know of our environment; there may be secrets in the rest."""
CHILD_UMASK = 0o077
"""What it writes is its owner's alone, whatever it thinks of that."""
START_TIMEOUT_S = 5.0
START_POLL_S = 0.005
START_PROBE_S = 0.25
STOP_TIMEOUT_S = 0.8
RELOAD_TIMEOUT_S = 5.0
RESTARTS = Restarts(policy=RetryPolicy(base_s=0.1, cap_s=5.0), stable_after_s=2.0, if_up_max=3)
"""One that came up and was then killed waits 0.8 s at most."""
HANGING_POLL_S = 0.1
HANGING_AFTER_S = 2.0
"""A child that leaves a greeting unanswered for so long hangs, and is ended, to be started again."""
START_ATTEMPTS_MAX = 3
"""Between finding a free port and using it somebody else may take it; then another one is tried."""
LOG_LINES_MAX = 50

log = logging.getLogger(__name__)


class Recipe(Protocol):
    """One kind of broker program: its files, its command line, and the words of its log that matter."""

    @property
    def kind(self) -> Kind:
        """Its name, which is also how a person knows it."""

    @property
    def folder(self) -> Path:
        """Its own folder, closed to others."""

    @property
    def command(self) -> tuple[str | Path, ...]:
        """The program and its arguments, nothing secret; the last one is its configuration: it proves whose it is."""

    @property
    def environment(self) -> Mapping[str, str]:
        """What it is told beside the few variables that every child gets."""

    @property
    def reloaded(self) -> str:
        """What it says when it has read its users again; empty when it says nothing and must be asked."""

    def prepare(self) -> None:
        """Make its folders.

        Raises:
            BrokerStartError: they cannot be made.
        """

    def write(self, users: Sequence[BrokerUser], port: int) -> None:
        """Write its files."""

    async def settle(self, pid: int, port: int) -> None:
        """Do what can be done only once it answers.

        Raises:
            BrokerStartError: it did not take it.
        """

    def matters(self, line: str) -> bool:
        """Return True if a line of its log may be why it ended."""


class BrokerChild:
    """One broker that belongs to this hub. Make it with ``start``."""

    def __init__(self, recipe: Recipe, users: Sequence[BrokerUser], port: int) -> None:
        self._recipe = recipe
        self._users = tuple(users)
        self._port = port
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._log: collections.deque[str] = collections.deque(maxlen=LOG_LINES_MAX)
        self._reloads = asyncio.Condition()
        self._reloads_seen = 0
        self._restarts = 0
        self._looking: asyncio.Task[None] | None = None
        self._detail = ""
        self._is_up = False

    @classmethod
    async def start(cls, recipe: Recipe, users: Sequence[BrokerUser], port: int | None = None) -> Self:
        """Write its files, end an orphan, start it, wait until it answers, and watch over it from then on.

        Args:
            recipe: the program to run.
            users: who may log in.
            port: a fixed port; None or 0 for the last one used, else any free one.

        Raises:
            BrokerStartError: it ended or did not answer in time; the text holds its last words.
        """
        recipe.prepare()
        await orphan.end_orphan(recipe.folder)
        for attempt in range(START_ATTEMPTS_MAX):
            last = orphan.recall(recipe.folder)
            child = cls(recipe, users, port or await same_port(last.port if last is not None else 0))
            try:
                await child._launch()
            except BrokerStartError:
                if port or attempt == START_ATTEMPTS_MAX - 1:
                    raise
            except asyncio.CancelledError:
                await end(child._process, STOP_TIMEOUT_S)
                raise
            else:
                child._watch = asyncio.create_task(keep_alive(child._live, RESTARTS, child._ended), name="broker-watch")
                return child
        raise BrokerStartError  # not reached: the last attempt raises by itself

    @property
    def address(self) -> BrokerAddress:
        """Where clients connect; the same for its whole life."""
        return BrokerAddress(host=LOOPBACK, port=self._port)

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._running() and self._process else None

    async def admit(self, users: Sequence[BrokerUser]) -> None:
        """Write who may log in and have it read; revoked users are disconnected by the broker."""
        self._users = tuple(users)
        self._recipe.write(self._users, self._port)
        if self._process is None or not self._running():
            return
        seen = self._reloads_seen
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGHUP)
        if self._recipe.reloaded:
            await self._until_reloaded(seen)
        else:
            await speaks_mqtt(LOOPBACK, self._port, RELOAD_TIMEOUT_S)

    def suspect(self) -> None:
        """Look whether it still answers: a client of it has lost it. One that hangs is ended, and started again."""
        if self._is_up and self._process is not None and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._end_if_hanging(self._process), name="broker-suspected")

    async def suspected(self) -> None:
        """Wait until the look that a suspicion began is over."""
        if self._looking is not None:
            await asyncio.wait([self._looking])

    def health(self) -> BrokerHealth:
        """Return whether it runs, how often it had to be started again, and what it said last if it died."""
        kind = self._recipe.kind
        return BrokerHealth(kind=kind, running=self._running(), detail=self._detail, restarts=self._restarts)

    async def stop(self) -> None:
        """End it within a second: politely, so that it saves its state, then by force."""
        tasks = [task for task in (self._watch, self._looking) if task is not None]
        self._watch = self._looking = None
        await end_all(tasks)
        await end(self._process, STOP_TIMEOUT_S)
        orphan.remember(self._recipe.folder, orphan.ChildRecord(pid=0, port=self._port))
        self._detail = "The broker was stopped."

    def _running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def _until_reloaded(self, seen: int) -> None:
        """Wait until it says that it has read its users again.

        One that does not is ended: the next one begins with the new users, so that nobody who was revoked stays.
        """
        try:
            async with asyncio.timeout(RELOAD_TIMEOUT_S), self._reloads:
                await self._reloads.wait_for(lambda: self._reloads_seen > seen or not self._running())
        except TimeoutError:
            self._kill("did not read its users again")

    async def _end_if_hanging(self, process: asyncio.subprocess.Process) -> None:
        """End `process` if it leaves every greeting unanswered for a while."""
        deadline = asyncio.get_running_loop().time() + HANGING_AFTER_S
        while asyncio.get_running_loop().time() < deadline and process.returncode is None:
            if await speaks_mqtt(LOOPBACK, self._port, HANGING_AFTER_S):
                return
            await asyncio.sleep(HANGING_POLL_S)
        if self._process is process:
            self._kill("stopped answering")

    def _kill(self, why: str) -> None:
        """End it at once; the watch starts it again."""
        if self._process is None or not self._running():
            return
        self._detail = f"{self._recipe.kind} {why}; it is being restarted."
        log.warning("%s", self._detail)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)  # its own kill() would take its end from the watch

    async def _launch(self) -> None:
        """Start the process and wait until it answers.

        Raises:
            BrokerStartError: it did not.
        """
        self._recipe.write(self._users, self._port)
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._recipe.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
                umask=CHILD_UMASK,
                env={**inherited, **self._recipe.environment},
            )
        except OSError as error:
            raise BrokerStartError(f"{self._recipe.command[0]} could not be run: {error.strerror}.") from error
        conf = str(self._recipe.command[-1])
        record = orphan.ChildRecord(pid=self._process.pid, port=self._port, conf=conf)
        orphan.remember(self._recipe.folder, record)
        await self._until_up(self._process)
        try:
            await self._recipe.settle(self._process.pid, self._port)
        except BrokerStartError:
            await end(self._process, STOP_TIMEOUT_S)
            raise
        self._is_up = True
        self._detail = f"{self._recipe.kind} runs on {self.address.shown}."

    async def _until_up(self, process: asyncio.subprocess.Process) -> None:
        self._reading = asyncio.create_task(self._read_log(process), name="broker-log")
        deadline = asyncio.get_running_loop().time() + START_TIMEOUT_S
        while asyncio.get_running_loop().time() < deadline and process.returncode is None:
            if await speaks_mqtt(LOOPBACK, self._port, START_PROBE_S) and process.returncode is None:
                return
            await asyncio.sleep(START_POLL_S)
        await end(self._process, STOP_TIMEOUT_S)
        await self._reading
        raise BrokerStartError(f"{self._recipe.kind} did not start: {self._last_words()}", fix="See `pulse doctor`.")

    async def _live(self) -> bool:
        """See one life of it to its end, and begin that unless it has begun; say whether it had come up."""
        if not self._running():
            with contextlib.suppress(BrokerStartError):  # its last words tell why
                await self._launch()
        if self._process is not None:
            await self._process.wait()
        was_up, self._is_up = self._is_up, False
        return was_up

    def _ended(self, _delay_s: float) -> None:
        self._restarts += 1
        code = None if self._process is None else self._process.returncode
        self._detail = f"{self._recipe.kind} ended with {code} ({self._last_words()}); it is being restarted."
        log.warning("%s", self._detail)

    async def _read_log(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last lines of what it says."""
        async for line in lines_of(process.stderr):
            if self._recipe.matters(line):
                self._log.append(line)
            if self._recipe.reloaded and self._recipe.reloaded in line:
                async with self._reloads:
                    self._reloads_seen += 1
                    self._reloads.notify_all()

    def _last_words(self) -> str:
        return self._log[-1] if self._log else "it printed nothing"
