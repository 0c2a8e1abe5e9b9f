"""What a program prints: kept within a limit, and handed on line by line at a bounded rate.

Both take bytes as they come from a pipe: in any pieces, of any length, in any encoding.
"""

import codecs
from collections.abc import Callable

from hub.do import clip_line

LINES_PER_S_MAX = 50.0
BURST_LINES_MAX = 100.0
LINE_BYTES_MAX = 4_096
"""The most that is remembered of a line that has not ended yet."""


class OutputEnds:
    """The first and the last part of the output, together at most `bytes_max`."""

    def __init__(self, bytes_max: int) -> None:
        self._head_max = bytes_max // 2
        self._tail_max = bytes_max - self._head_max
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    @property
    def truncated(self) -> bool:
        """Whether something in the middle was left out."""
        return self._dropped > 0

    def add(self, data: bytes) -> None:
        """Take the next piece; the oldest bytes of the tail make room for it."""
        room = self._head_max - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        excess = len(self._tail) - self._tail_max
        if excess > 0:
            del self._tail[:excess]
            self._dropped += excess

    def text(self) -> str:
        """Return it as text: what is no UTF-8 is replaced, NUL is made visible, and a gap is named."""
        if not self._dropped:
            return _visible(bytes(self._head + self._tail))
        head = _visible(bytes(self._head)).rstrip("\ufffd")
        tail = _visible(bytes(self._tail)).lstrip("\ufffd")
        return f"{head}\n… {self._dropped} bytes left out …\n{tail}"


def _visible(data: bytes) -> str:
    """Decode; stores and JSON readers stumble over NUL, so it becomes its picture."""
    return data.decode("utf-8", "replace").replace("\x00", "␀").replace("\r\n", "\n")


class LineCutter:
    """Cuts output into lines and hands them on, never faster than a person's screen can use.

    Lines above the rate are counted, not kept; the count is told with the next line, and at the end.
    """

    def __init__(self, progress: Callable[[str], None], now_s: Callable[[], float]) -> None:
        self._progress = progress
        self._now_s = now_s
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._open = ""
        self._credit = BURST_LINES_MAX
        self._credit_at_s = now_s()
        self._skipped = 0

    def add(self, data: bytes) -> None:
        """Take the next piece; a line is handed on when it ends."""
        first, *rest = self._decoder.decode(data).replace("\r", "\n").split("\n")
        self._open = (self._open + first[:LINE_BYTES_MAX])[:LINE_BYTES_MAX]
        for line in rest:
            self._hand_on(self._open)
            self._open = line[:LINE_BYTES_MAX]

    def end(self) -> None:
        """Hand on a last line without an end, and say how many were skipped."""
        self._hand_on(self._open)
        self._open = ""
        self._tell_skipped()

    def _hand_on(self, line: str) -> None:
        """Hand on one line if it says something and the rate allows it."""
        if not line.strip():
            return
        now_s = self._now_s()
        earned = (now_s - self._credit_at_s) * LINES_PER_S_MAX
        self._credit = min(BURST_LINES_MAX, self._credit + earned)
        self._credit_at_s = now_s
        if self._credit < 1.0:
            self._skipped += 1
            return
        self._credit -= 1.0
        self._tell_skipped()
        self._progress(clip_line(line))

    def _tell_skipped(self) -> None:
        """Say that lines are missing here."""
        if self._skipped:
            self._progress(f"({self._skipped} lines not shown)")
            self._skipped = 0
