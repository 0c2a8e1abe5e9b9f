"""The terminal itself: raw mode, alternate screen, painting only the lines that changed. It always puts things back."""

import contextlib
import os
import shutil
import sys
import termios
from collections.abc import Iterator
from typing import Any

from surfaces.terminal.picture import Line, Picture, Style

ENTER = "\x1b[?1049h\x1b[?2004h\x1b[?7l\x1b[?25l\x1b[2J"
"""Alternate screen, bracketed paste, no wrapping at the edge, no cursor, clean."""
LEAVE = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l"
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
"""Synchronised output: terminals that know it show a change at once, others ignore it."""
COLOURS: dict[Style, str] = {
    "plain": "",
    "dim": "2",
    "bold": "1",
    "good": "32",
    "bad": "1;31",
    "warn": "33",
    "accent": "36",
    "reverse": "7",
}
WITHOUT_COLOUR: dict[Style, str] = {"bold": "1", "bad": "1", "reverse": "7"}


class Screen:
    """A terminal in raw mode; use it in a `with`."""

    def __init__(self, *, colour: bool) -> None:
        self._codes = COLOURS if colour else WITHOUT_COLOUR
        self._painted: tuple[str, ...] = ()
        self._input = sys.stdin.fileno()

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Take the terminal over, and give it back however this ends."""
        before, raw = termios.tcgetattr(self._input), _raw(termios.tcgetattr(self._input))
        self._write(ENTER)
        try:
            termios.tcsetattr(self._input, termios.TCSADRAIN, raw)
            yield
        finally:
            termios.tcsetattr(self._input, termios.TCSADRAIN, before)
            self._write(LEAVE)

    def size(self) -> tuple[int, int]:
        """Return columns and rows."""
        size = shutil.get_terminal_size()
        with contextlib.suppress(OSError):
            size = os.get_terminal_size(sys.stdout.fileno())
        return max(1, size.columns), max(1, size.lines)

    def forget(self) -> None:
        """Paint everything anew the next time, as after a change of size."""
        self._painted = ()
        self._write("\x1b[2J")

    def ring(self) -> None:
        """Sound the bell."""
        self._write("\a")

    def paint(self, picture: Picture) -> None:
        """Paint the lines that differ from what is there."""
        lines = tuple(self._drawn(one) for one in picture.lines)
        before = self._painted
        changed = [
            f"\x1b[{row + 1};1H\x1b[K{text}"
            for row, text in enumerate(lines)
            if row >= len(before) or before[row] != text
        ]
        surplus = [f"\x1b[{row + 1};1H\x1b[K" for row in range(len(lines), len(before))]
        self._painted = lines
        at = f"\x1b[{picture.cursor[0] + 1};{picture.cursor[1] + 1}H\x1b[?25h" if picture.cursor else "\x1b[?25l"
        self._write(f"{BEGIN}{''.join(changed)}{''.join(surplus)}{at}{END}")

    def _drawn(self, spans: Line) -> str:
        return "".join(self._coloured(span.text, span.style) for span in spans)

    def _coloured(self, text: str, style: Style) -> str:
        code = self._codes.get(style, "")
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def wants_colour() -> bool:
    """Obey NO_COLOR (any value but an empty one) and terminals that know no colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _raw(mode: list[Any]) -> list[Any]:
    """No echo, no line editing, no signals from keys; output stays as it is."""
    mode[0] &= ~(termios.IXON | termios.ICRNL)
    mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
    return mode
