"""A terminal with an interactive shell in it, as a person has one, for tests that type commands."""

import contextlib
import os
import re
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.house.source import ROOT

SHELL = shutil.which("bash") or "/bin/bash"
PULSE = f"{sys.executable} -m hub"
WAIT_S = 60.0
READ_BYTES = 65_536


class Terminal:
    """A pseudo-terminal whose first process is an interactive shell; what it shows is kept in `shown`."""

    def __init__(self, environment: Mapping[str, str], folder: Path = ROOT, *, program: tuple[str, ...] = ()) -> None:
        self.shown = ""
        self._read_to = 0
        words = program or (SHELL, "--norc", "--noprofile", "-i")
        pid, master = os.forkpty()
        if pid == 0:  # the shell's own process from here on
            try:
                os.chdir(folder)
                os.execve(words[0], list(words), {**environment, "PS1": "$ ", "HISTFILE": ""})  # noqa: S606  no shell between
            finally:
                os._exit(127)
        self.pid = pid
        self._master = master
        if not program:
            self.run("set +o histexpand; bind 'set enable-bracketed-paste off'")

    def type(self, text: str) -> None:
        """Type something, as from the keyboard."""
        os.write(self._master, text.encode())

    def until(self, pattern: str, wait_s: float = WAIT_S) -> re.Match[str]:
        """Wait until this is shown, after all that was waited for before; return it."""
        deadline_s = time.monotonic() + wait_s
        while (found := re.compile(pattern).search(self.shown, self._read_to)) is None:
            left_s = deadline_s - time.monotonic()
            if left_s <= 0 or not select.select([self._master], [], [], left_s)[0]:
                raise AssertionError(f"{pattern!r} was not shown: {self.shown[self._read_to :]!r}")
            try:
                self.shown += os.read(self._master, READ_BYTES).decode(errors="replace").replace("\r", "")
            except OSError as error:
                raise AssertionError(f"it ended: {self.shown[self._read_to :]!r}") from error
        self._read_to = found.end()
        return found

    def run(self, command: str, wait_s: float = WAIT_S) -> tuple[str, int]:
        """Type a command and wait for its end; return what it printed, and its exit status."""
        begin = self._read_to
        self.type(f"{command}\n")
        self.type("echo $'\\n'end:$?:\n")
        ended = self.until(r"\nend:(\d+):\n", wait_s)
        return self.shown[begin : ended.start()], int(ended[1])

    def close(self) -> None:
        """Hang up."""
        os.close(self._master)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGHUP)
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


@contextlib.contextmanager
def terminal(
    environment: Mapping[str, str], folder: Path = ROOT, *, program: tuple[str, ...] = ()
) -> Iterator[Terminal]:
    """Open a terminal for as long as the block lasts."""
    opened = Terminal(environment, folder, program=program)
    try:
        yield opened
    finally:
        opened.close()
