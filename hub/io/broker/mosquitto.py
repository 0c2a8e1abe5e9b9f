"""Mosquitto as a supervised child on 127.0.0.1.

It is started again, with back-off, whenever it dies; it ends with the hub; what a killed hub left behind is ended at
the next start. It has its own session, so that Ctrl-C in the terminal reaches the hub only, which ends it last.
"""

import asyncio
import collections
import contextlib
import logging
import os
import random
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from hub.io.backoff import RetryPolicy, retry_delay_s
from hub.io.broker import orphan
from hub.io.broker.acl import BrokerUser, acl_for
from hub.io.broker.address import BrokerAddress
from hub.io.broker.conf import ChildFiles, conf_for
from hub.io.broker.files import private_folder, write_private
from hub.io.broker.loopback import LOOPBACK, free_port
from hub.io.broker.passwords import password_file_for
from hub.io.broker.probe import speaks_mqtt
from hub.io.broker.running import BrokerHealth, BrokerStartError

START_TIMEOUT_S = 5.0
START_POLL_S = 0.005
START_PROBE_S = 0.25
STOP_TIMEOUT_S = 0.8
RELOAD_TIMEOUT_S = 2.0
STABLE_AFTER_S = 30.0
"""A child that lived this long was well: the next restart is prompt again."""
RESTARTS = RetryPolicy(base_s=0.1, cap_s=10.0)
START_ATTEMPTS_MAX = 3
"""Between finding a free port and using it somebody else may take it; then another one is tried."""
LOG_LINES_MAX = 50
LOG_CHUNK_BYTES = 4096
LOG_LINE_LETTERS_MAX = 300
AS_ROOT = "should not be run as root"
"""Said at every start as root; it is not why it ended."""

log = logging.getLogger(__name__)


class MosquittoChild:
    """One mosquitto that belongs to this hub. Make it with ``start``."""

    def __init__(self, program: Path, files: ChildFiles, port: int) -> None:
        self._program = program
        self._files = files
        self._port = port
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._log: collections.deque[str] = collections.deque(maxlen=LOG_LINES_MAX)
        self._restarts = 0
        self._detail = ""

    @classmethod
    async def start(cls, program: Path, folder: Path, users: Sequence[BrokerUser], port: int | None = None) -> Self:
        """Write its files, end an orphan, start it, wait until it answers, and watch over it from then on.

        Args:
            program: the mosquitto to run.
            folder: its own folder; made if need be, closed to others.
            users: who may log in.
            port: a fixed port; None or 0 for the last one used, else any free one.

        Raises:
            BrokerStartError: it ended or did not answer in time; the text holds its last words.
        """
        files = _make_folders(folder)
        await orphan.end_orphan(files.folder, files.conf)
        for attempt in range(START_ATTEMPTS_MAX):
            last = orphan.recall(files.folder)
            child = cls(program, files, port or free_port(last.port if last is not None else 0))
            child._write_users(users)
            try:
                await child._launch()
            except BrokerStartError:
                if port or attempt == START_ATTEMPTS_MAX - 1:
                    raise
            except asyncio.CancelledError:
                await child._end_process()
                raise
            else:
                child._watch = asyncio.create_task(child._keep_alive(), name="mosquitto-watch")
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
        """Write passwords and access list and have them read; revoked users are disconnected by mosquitto."""
        self._write_users(users)
        if self._process is not None and self._running():
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGHUP)
            await speaks_mqtt(LOOPBACK, self._port, RELOAD_TIMEOUT_S)

    def health(self) -> BrokerHealth:
        """Tell whether it runs, how often it had to be started again, and what it said last if it died."""
        return BrokerHealth(kind="mosquitto", running=self._running(), detail=self._detail, restarts=self._restarts)

    async def stop(self) -> None:
        """End it within a second: politely, so that it saves its state, then by force."""
        if self._watch is not None:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch
            self._watch = None
        await self._end_process()
        orphan.remember(self._files.folder, orphan.ChildRecord(pid=0, port=self._port))
        self._detail = "The broker was stopped."

    def _running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def _write_users(self, users: Sequence[BrokerUser]) -> None:
        write_private(self._files.passwords, password_file_for(users))
        write_private(self._files.acl, acl_for(users))

    async def _launch(self) -> None:
        """Start the process and wait until it answers.

        Raises:
            BrokerStartError: it did not.
        """
        write_private(self._files.conf, conf_for(self._files, self._port, as_root=os.geteuid() == 0))
        try:
            self._process = await asyncio.create_subprocess_exec(
                self._program,
                "-c",
                self._files.conf,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise BrokerStartError(f"{self._program} could not be run: {error.strerror}.") from error
        orphan.remember(self._files.folder, orphan.ChildRecord(pid=self._process.pid, port=self._port))
        await self._until_up(self._process)
        self._detail = f"mosquitto runs on {self.address.shown}."

    async def _until_up(self, process: asyncio.subprocess.Process) -> None:
        self._reading = asyncio.create_task(self._read_log(process), name="mosquitto-log")
        deadline = asyncio.get_running_loop().time() + START_TIMEOUT_S
        while asyncio.get_running_loop().time() < deadline and process.returncode is None:
            if await speaks_mqtt(LOOPBACK, self._port, START_PROBE_S) and process.returncode is None:
                return
            await asyncio.sleep(START_POLL_S)
        await self._end_process()
        await self._reading
        raise BrokerStartError(f"mosquitto did not start: {self._last_words()}", fix="See `pulse doctor`.")

    async def _keep_alive(self) -> None:
        """Start it again whenever it ends, until cancelled."""
        loop = asyncio.get_running_loop()
        attempt = 0
        while self._process is not None:
            started = loop.time()
            code = await self._process.wait()
            attempt = 0 if loop.time() - started > STABLE_AFTER_S else attempt
            self._restarts += 1
            self._detail = f"mosquitto ended with {code} ({self._last_words()}); it is being started again."
            log.warning("%s", self._detail)
            await asyncio.sleep(retry_delay_s(attempt, RESTARTS, random.random))
            attempt += 1
            with contextlib.suppress(BrokerStartError):
                await self._launch()

    async def _end_process(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_TIMEOUT_S):
                    await process.wait()
                    return

    async def _read_log(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last lines of what it says; reading on also keeps it from ever waiting for us."""
        if process.stderr is None:
            return
        rest = ""
        while chunk := await process.stderr.read(LOG_CHUNK_BYTES):
            *lines, rest = (rest + chunk.decode(errors="replace")).split("\n")
            self._log.extend(line[:LOG_LINE_LETTERS_MAX] for line in lines if AS_ROOT not in line)
            rest = rest[-LOG_LINE_LETTERS_MAX:]

    def _last_words(self) -> str:
        return self._log[-1] if self._log else "it said nothing"


def _make_folders(folder: Path) -> ChildFiles:
    files = ChildFiles(folder=folder.absolute())
    try:
        private_folder(files.folder)
        private_folder(files.data)
    except OSError as error:
        raise BrokerStartError(f"The folder {files.folder} cannot be written: {error.strerror}.") from error
    return files
