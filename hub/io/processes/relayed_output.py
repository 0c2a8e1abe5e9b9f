"""Handing on what a process of another user prints, so that it never holds the terminal itself.

A process that holds a terminal can type into it (TIOCSTI) and read what is typed there, and so can every other process
of its user (pidfd_getfd, ptrace). So it gets a terminal of its own, of which we hold the other end. Nothing is ever
typed into that, and of what it prints only text, colours and the erasing of a line reach the person's: other sequences
can make a terminal answer as if somebody had typed.
"""

import codecs
import os
import re
import struct
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl

CHUNK_BYTES = 65_536
DRAINED_CHUNKS_MAX = 16
"""After the end so much is still read: another process may hold the other end, and print for ever."""
SEQUENCE_PARAMETERS_MAX = 32
SHOWN = re.compile(rf"\x1b\[[0-9;]{{0,{SEQUENCE_PARAMETERS_MAX}}}[mK]|[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
BEGUN = re.compile(rf"\x1b(?:\[[0-9;]{{0,{SEQUENCE_PARAMETERS_MAX}}})?\Z")
OUTPUTS = (1, 2)


class TerminalText:
    """Takes output as it comes, and lets through what may be shown at a terminal."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def __call__(self, output: bytes) -> bytes:
        """Return what of it may be shown; the beginning of a sequence waits for its end."""
        text = self._held + self._decoder.decode(output)
        begun = BEGUN.search(text)
        self._held = begun[0] if begun else ""
        return "".join(SHOWN.findall(text.removesuffix(self._held) if begun else text)).encode()


def _unchanged(output: bytes) -> bytes:
    return output


class RelayedOutput:
    """Our ends of a process's outputs: a pseudo-terminal for what is a terminal here, a pipe for all else."""

    def __init__(self) -> None:
        """Open them; what stays of the person's terminal is held by this process alone."""
        self.terminal: int | None = None
        """The other process's terminal, to become its controlling one; None where we have none either."""
        self.outputs: tuple[int, int] = (-1, -1)
        """Its standard output and its standard error."""
        self._relays: dict[int, tuple[int, Callable[[bytes], bytes]]] = {}
        self._theirs: set[int] = set()
        self._shown_on = _terminal()
        self._master = -1
        if self._shown_on is not None:
            self._master, self.terminal = os.openpty()
            tty.setraw(self.terminal)  # what is printed comes as it is, and nothing is echoed
            self._relays[self._master] = (self._shown_on, TerminalText())
            self._theirs.add(self.terminal)
            self.resize()
        out, errors = (self._open(number) for number in OUTPUTS)
        self.outputs = (out, errors)

    def _open(self, number: int) -> int:
        if self.terminal is not None and os.isatty(number):
            return self.terminal
        reader, writer = os.pipe()
        self._relays[reader] = (number, _unchanged)
        self._theirs.add(writer)
        return writer

    def sources(self) -> tuple[int, ...]:
        """Return what has to be read."""
        return tuple(self._relays)

    def started(self) -> None:
        """Close the ends that are the other process's now."""
        while self._theirs:
            os.close(self._theirs.pop())

    def pass_on(self, source: int) -> bool:
        """Hand on what has come, and return True if more may come.

        Where nobody takes it any more, its end is closed: the other process is told, as if it had printed there itself.
        """
        target, shown = self._relays[source]
        try:
            output = os.read(source, CHUNK_BYTES)
            _write(target, shown(output))
        except BlockingIOError:
            return False
        except OSError:  # a pseudo-terminal ends like this; or the person's terminal, or the reader of a pipe, is gone
            output = b""
        if not output:
            self._close(source)
        return bool(output)

    def finish(self) -> None:
        """Hand on what is left after the end of the process, and close all."""
        for source in self.sources():
            os.set_blocking(source, False)
            for _ in range(DRAINED_CHUNKS_MAX):
                if not self.pass_on(source):
                    break
        self.started()
        for source in self.sources():
            self._close(source)

    def _close(self, source: int) -> None:
        os.close(source)
        del self._relays[source]

    def resize(self) -> None:
        """Give the other process's terminal the size of the person's."""
        if self._shown_on is None or self._master not in self._relays:
            return
        with suppress(OSError):  # a terminal that is going away has no size, and needs none
            size = os.get_terminal_size(self._shown_on)
            ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", size.lines, size.columns, 0, 0))


def _terminal() -> int | None:
    for number in OUTPUTS:
        if os.isatty(number):
            return number
    try:
        return os.open(os.ctermid(), os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:  # a service or a job: there is none
        return None


def _write(target: int, output: bytes) -> None:
    while output:
        output = output[os.write(target, output) :]
