"""A pseudo-terminal with a program in it, and just enough of a terminal to know what is on its screen."""

import contextlib
import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Self

_CODE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b.|[\x07\x0d\x0a]|[^\x1b\x07\x0d\x0a]+", re.DOTALL)
WAIT_S_MAX = 40.0
PRESSES_MAX = 8


class SmallTerminal:
    """Runs a program on a terminal of its own; use it in a `with`."""

    def __init__(
        self, program: Sequence[str], environment: Mapping[str, str], columns: int = 90, rows: int = 26
    ) -> None:
        self._ours, theirs = os.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self._ours)
        self.rows: dict[int, str] = {}
        self.alternate = False
        self.raw = ""
        self._at = (1, 1)
        self.program = subprocess.Popen(
            program, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=dict(environment), start_new_session=True
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.communicate()
        os.close(self._ours)

    @property
    def text(self) -> str:
        return "\n".join(self.rows.get(row, "").rstrip() for row in range(1, max(self.rows, default=0) + 1))

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, words: str) -> str:
        """Read until these words are on the screen, and return the screen."""
        return self._until(lambda: words in self.text, words)

    def until_gone(self, words: str) -> str:
        """Read until these words are no longer on the screen."""
        return self._until(lambda: words not in self.text, f"{words} go")

    def press_until(self, key: str, words: str) -> str:
        """Press a key, again after a second, until these words are on the screen."""
        for _ in range(PRESSES_MAX):
            if words in self.text:
                break
            self.press(key)
            with contextlib.suppress(AssertionError):
                return self._until(lambda: words in self.text, words, 1.0)
        return self.until(words)

    def until_left(self) -> int:
        """Read until the program has given the terminal back and ended."""
        self._until(lambda: not self.alternate, "the end")
        return self.program.wait(WAIT_S_MAX)

    def _until(self, done: Callable[[], bool], what: str, wait_s: float = WAIT_S_MAX) -> str:
        ends = time.monotonic() + wait_s
        while not done():
            ready, _, _ = select.select([self._ours], [], [], max(0.0, ends - time.monotonic()))
            if not ready:
                raise AssertionError(f"never saw {what!r}; the screen was:\n{self.text}")
            try:
                self._take(os.read(self._ours, 65_536).decode("utf-8", errors="replace"))
            except OSError as error:
                said = self.program.stderr.read().decode() if self.program.stderr else ""
                raise AssertionError(f"ended before {what!r}: {said}\n{self.text}") from error
        return self.text

    def _take(self, data: str) -> None:
        self.raw += data
        for match in _CODE.finditer(data):
            arguments, code = match[1], match[2]
            if code is None:
                self._write(match[0])
            elif code == "H":
                row, _, column = (arguments or "1;1").partition(";")
                self._at = (int(row), int(column or 1))
            elif code == "K":
                self.rows[self._at[0]] = self.rows.get(self._at[0], "")[: self._at[1] - 1]
            elif code == "J":
                self.rows = {}
            elif arguments == "?1049":
                self.alternate = code == "h"

    def _write(self, text: str) -> None:
        if text[0] in "\x1b\x07\r\n":
            return
        row, column = self._at
        line = self.rows.get(row, "").ljust(column - 1)
        self.rows[row] = line[: column - 1] + text + line[column - 1 + len(text) :]
        self._at = (row, column + len(text))
