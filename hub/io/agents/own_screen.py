"""The terminal in which the hub runs, as a place for what only the person may see.

What a program of the same user can read out is no such place: a pane of tmux or screen, a recorded session, a file or
a pipe instead of a terminal, a service's journal. So it is the controlling terminal itself that is written to, never
standard output, and only where nothing above the hub is known to keep what terminals show.
"""

import os
from typing import Protocol

from hub.io.agents.process_table import CHAIN_MAX, called, entry

TERMINAL = "/dev/tty"
KEEPERS = (
    "abduco", "asciinema", "byobu", "code", "cursor", "dtach", "dvtm", "emacs", "expect", "gotty", "konsole",
    "mosh-server", "nvim", "screen", "script", "shpool", "tmate", "tmux", "ttyd", "ttyrec", "upterm", "vim", "wezterm",
    "yakuake", "zellij",
)  # fmt: skip
"""Programs that keep what a terminal shows, where other programs of the same user can ask for it."""
SIGNS = (
    "ASCIINEMA_REC", "INSIDE_EMACS", "INVOCATION_ID", "KITTY_LISTEN_ON", "KONSOLE_DBUS_SESSION", "NVIM", "STY", "TMUX",
    "VIM_TERMINAL", "VSCODE_INJECTION", "WEZTERM_PANE", "ZELLIJ",
)  # fmt: skip
"""What they leave in the environment; INVOCATION_ID is systemd's, for a service."""
EDITORS = ("TERM_PROGRAM", "vscode")
"""What VS Code and its likes say of their terminals, which their extensions read."""


class Screen(Protocol):
    """Where something may be shown to the person alone."""

    def trouble(self) -> str:
        """Return why nothing can be shown there; empty if it can."""

    def show(self, line: str) -> str:
        """Show a line; return why that could not be done, or nothing."""


class OwnScreen:
    """The hub's own terminal."""

    def trouble(self) -> str:
        """Return why nothing can be shown there; empty if it can."""
        here = entry(os.getpid())
        if here is None or not here.terminal:
            return "Pulse was not started in a terminal."
        if here.group != here.foreground:
            return "Pulse runs in the background."
        if any(map(os.environ.get, SIGNS)) or os.environ.get(EDITORS[0]) == EDITORS[1] or _is_kept():
            return "Pulse runs in a terminal that other programs can read (tmux, screen or a recorder)."
        return ""

    def show(self, line: str) -> str:
        """Show a line; return why that could not be done, or nothing."""
        try:
            opened = os.open(TERMINAL, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            return f"Its terminal cannot be written to: {error.strerror}."
        try:
            os.write(opened, f"\r\n{line}\r\n".encode())
        except OSError as error:
            return f"Its terminal cannot be written to: {error.strerror}."
        finally:
            os.close(opened)
        return ""


class NoScreen:
    """No place at all, where a page or a phone is there to show it."""

    def trouble(self) -> str:
        """Return why nothing can be shown there."""
        return "Pulse was restarted with agents connected, and your page or phone is signed in."

    def show(self, line: str) -> str:
        """Show nothing."""
        del line
        return self.trouble()


def _is_kept() -> bool:
    pid = os.getpid()
    for _ in range(CHAIN_MAX):
        found = entry(pid)
        if found is None or found.parent <= 1:
            return False
        pid = found.parent
        if called(pid).lower().startswith(KEEPERS):
            return True
    return True
