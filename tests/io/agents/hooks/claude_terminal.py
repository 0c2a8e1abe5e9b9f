"""Claude Code at a terminal: what it shows, and keys for it."""

import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import struct
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

ROWS, COLUMNS = 45, 110
SHOWN_S_MAX = 40
AGAIN_S = 0.5
ESCAPES = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?>=<]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>78]")
TO_THE_RIGHT = re.compile(r"\x1b\[(\d*)C")
ASKS_WHAT_IT_IS, ANSWERS_SO = b"\x1b[c", b"\x1b[?1;2c"


class ClaudeTerminal:
    """A terminal with the program in it; what it writes is read by a thread, which wakes whoever waits for a text."""

    def __init__(self, pid: int, descriptor: int) -> None:
        self.pid = pid
        self._descriptor = descriptor
        self._written = b""
        self._more = threading.Condition()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def keys(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    @contextlib.contextmanager
    def pressing(self, text: str) -> Iterator[None]:
        """Press a key until what is waited for inside has come.

        A dialog takes no key in its first moments, lest one that was meant for what stood there before answers it.
        """
        over = threading.Event()

        def press() -> None:
            self.keys(text)
            while not over.wait(AGAIN_S):
                self.keys(text)

        finger = threading.Thread(target=press)
        finger.start()
        try:
            yield
        finally:
            over.set()
            finger.join()

    @property
    def shown(self) -> str:
        """What was written so far, without what moves and colours it, and without its spaces."""
        text = TO_THE_RIGHT.sub(" ", self._written.decode("utf-8", "replace"))
        return re.sub(r"\s+", "", ESCAPES.sub("", text))

    def until(self, *texts: str, after: int = 0) -> int:
        """Wait until one of these texts was written, after so many characters; return where what follows begins."""
        wanted = [re.sub(r"\s+", "", text) for text in texts]
        with self._more:
            found = self._more.wait_for(lambda: self._ended or self._where(wanted, after), SHOWN_S_MAX)
        assert found, f"{texts} was not shown:\n{self.shown[-3000:]}"
        where = self._where(wanted, after)
        assert where, f"it ended before {texts}:\n{self.shown[-3000:]}"
        return where

    def _where(self, wanted: list[str], after: int) -> int:
        shown = self.shown
        places = [(place + len(text)) for text in wanted if (place := shown.find(text, after)) >= 0]
        return min(places, default=0)

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._descriptor, 65_536)
            except OSError:
                piece = b""
            if ASKS_WHAT_IT_IS in piece:
                os.write(self._descriptor, ANSWERS_SO)
            with self._more:
                self._written += piece
                self._ended = not piece
                self._more.notify_all()
            if not piece:
                return


def trust(folder: Path, environment: dict[str, str]) -> None:
    """Have Claude Code know its person and the project, past everything that it asks a newcomer."""
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [environment["ANTHROPIC_API_KEY"][-20:]], "rejected": []},
        "projects": {str(folder): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }
    (Path(environment["HOME"]) / ".claude.json").write_text(json.dumps(known))


@contextlib.contextmanager
def claude_terminal(
    program: Path, folder: Path, environment: dict[str, str], *arguments: str
) -> Iterator[ClaudeTerminal]:
    """Start it in a project that was trusted before."""
    trust(folder, environment)
    pid, descriptor = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execve(program, [str(program), *arguments], environment)  # noqa: S606  the program is what is tested
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        yield ClaudeTerminal(pid, descriptor)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(descriptor)
