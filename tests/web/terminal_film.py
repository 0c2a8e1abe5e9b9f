"""Films a terminal: a program in tmux, whose screen is kept at chosen moments and becomes one moving SVG.

No font, script or address from elsewhere is in it; who wants no motion sees the last picture only.
"""

import re
import subprocess
import time
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.style import Style as Ink
from rich.text import Text

from surfaces.terminal.picture import Picture, Span, Style
from tests.web.drawn_terminal import CELL_H, CELL_W, FONTS, MARGIN, rows

WAIT_S_MAX: Final = 60.0
LOOK_S: Final = 0.1
EACH_S: Final = 3.0
"""How long each picture stands."""
STYLES: Final[dict[str, Style]] = {
    "red": "bad",
    "green": "good",
    "yellow": "warn",
    "cyan": "accent",
    "bright_black": "dim",
}


class Film:
    """One program in a terminal of a fixed size."""

    def __init__(self, socket: Path, *, cells: int, rows: int) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._cells, self._rows = cells, rows
        self._kept: list[Picture] = []

    def start(self, command: list[str], *, cwd: Path, environment: dict[str, str]) -> None:
        """Run the program."""
        size = ["-x", str(self._cells), "-y", str(self._rows)]
        made = [*self._tmux, "new-session", "-d", *size, *command]
        subprocess.run(made, cwd=cwd, env={**environment, "TERM": "xterm-256color"}, check=True)

    def stop(self) -> None:
        """End it, and the tmux that holds it."""
        subprocess.run([*self._tmux, "kill-server"], check=True)

    def keys(self, *names: str) -> None:
        """Press keys, by tmux's names or as text."""
        subprocess.run([*self._tmux, "send-keys", *names], check=True)

    def keep_when(self, words: str, wait_s_max: float = WAIT_S_MAX) -> None:
        """Keep the screen as soon as it says this."""
        seen = self.wait_for(words, wait_s_max)
        lines = tuple(_spans(line) for line in seen.split("\n"))
        self._kept.append(Picture(lines=lines, drawn=frozenset()))

    def wait_for(self, words: str, wait_s_max: float = WAIT_S_MAX) -> Text:
        """Return the screen as soon as it says this."""
        until = time.monotonic() + wait_s_max
        while words not in (seen := self._screen()).plain:
            if time.monotonic() > until:
                raise TimeoutError(f"the terminal never said {words!r}:\n{seen.plain}")
            time.sleep(LOOK_S)
        return seen

    def svg(self, label: str) -> str:
        """Return what was kept as one SVG, each picture after the other, again and again."""
        wide, high = self._cells * CELL_W + 2 * MARGIN, self._rows * CELL_H + 2 * MARGIN
        share = 100 / len(self._kept)
        shown = f"@keyframes in {{ 0%, {share:.2f}% {{ opacity: 1 }} {share + 0.01:.2f}%, 100% {{ opacity: 0 }} }}"
        last = len(self._kept) - 1
        frames = [
            f'<g class="one{" last" if number == last else ""}" style="animation-delay: {number * EACH_S:.0f}s">\n'
            + "\n".join(rows(picture))
            + "\n</g>"
            for number, picture in enumerate(self._kept)
        ]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" role="img"'
            f' aria-label="{label}">\n'
            f"<style>{shown} .one {{ opacity: 0; animation: in {len(self._kept) * EACH_S:.0f}s infinite }}\n"
            "@media (prefers-reduced-motion: reduce) { .one { animation: none } .last { opacity: 1 } }</style>\n"
            f'<rect width="{wide:.0f}" height="{high}" rx="8" fill="#1b1f27"/>\n'
            f'<g font-family="{FONTS}" font-size="14">\n' + "\n".join(frames) + "\n</g>\n</svg>\n"
        )

    def _screen(self) -> Text:
        done = subprocess.run([*self._tmux, "capture-pane", "-p", "-e"], check=True, capture_output=True, text=True)
        return Text.from_ansi(re.sub(r"\x0f|\x0e", "", done.stdout))


def _spans(line: Text) -> tuple[Span, ...]:
    return tuple(Span(part.text, _style(part.style or Ink())) for part in line.render(Console(), end=""))


def _style(ink: Ink) -> Style:
    if ink.color is not None and ink.color.name in STYLES:
        return STYLES[ink.color.name]
    if ink.dim:
        return "dim"
    return "bold" if ink.bold or ink.reverse else "plain"
