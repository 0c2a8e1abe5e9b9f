"""Which agents of the person's are connected, and whether any ever was.

From the first on a terminal has to be let in to count as theirs; one of them that no longer asks is told of. Both are
kept in a file, and what connecting leaves behind says the first, too. The running hub goes by what it knows in memory,
and puts the file back where it is missing or says something else (`hub/app/own_files.py`).
"""

import contextlib
import re
import time
from collections.abc import Callable
from pathlib import Path

from hub.io.home.folder import Home
from hub.io.home.kept_file import KeptFile

HOOKS = "hooks"
"""The folder with the programs that agents' hooks start."""
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
FILE_BYTES_MAX = 4_096
LEAVING_S = 60.0
"""So long an agent that is being disconnected may still be seen connected: its settings are written after that."""


class AgentsConnected:
    """That one ever was becomes so once, and stays. `agents` were seen to ask, and were not disconnected since."""

    def __init__(self, home: Path | None, *, seconds: Callable[[], float] = time.monotonic) -> None:
        self.file = (
            None if home is None else KeptFile(Home(home).agents_connected, lasting=True, bytes_max=FILE_BYTES_MAX)
        )
        """It stays as it was written last while the hub runs."""
        self._seconds = seconds
        self._leaving: dict[str, float] = {}
        self._since_s: dict[str, float] = {}
        self.agents = frozenset(NAME.findall(_content(self.file).decode("ascii", "replace")))
        hooks = None if home is None else home / HOOKS
        self._began_s = time.time()
        self.on_first: Callable[[], object] = lambda: None
        """Called when the first is."""
        self.ever = (self.file is not None and self.file.path.exists()) or (hooks is not None and _holds_any(hooks))

    def note(self) -> None:
        """Take note that one is."""
        if not self.ever:
            self.ever = True
            self.on_first()
        self.keep()

    def seen(self, agent: str) -> None:
        """Take note that an agent asks, by its settings."""
        if agent in self.agents or self._seconds() < self._leaving.get(agent, 0.0):
            return
        self.agents |= {agent}
        self._since_s[agent] = time.time()
        self.note()

    def comes(self, agent: str) -> None:
        """Take note that the person is connecting an agent."""
        self._leaving.pop(agent, None)
        self._since_s[agent] = time.time()

    def leaves(self, agent: str | None) -> None:
        """Take note that the person is disconnecting an agent, or all of them."""
        left = self.agents if agent is None else frozenset({agent})
        self._leaving.update(dict.fromkeys(left, self._seconds() + LEAVING_S))
        self.agents -= left
        self.keep()

    def since_s(self) -> dict[str, float]:
        """Return since when each connected agent is known to be, by the clock: from the hub's start on, or later."""
        return {agent: self._since_s.get(agent, self._began_s) for agent in self.agents}

    def keep(self) -> None:
        """Write what is known, so that the next start knows it too."""
        said = "".join(f"{agent}\n" for agent in sorted(self.agents))
        if self.ever and self.file is not None and self.file.content != said.encode():
            with contextlib.suppress(OSError):  # a full disk: it holds in memory, and the hooks' programs say it too
                self.file.write(said)


def _content(file: KeptFile | None) -> bytes:
    """Return what the file says; nothing where it is missing or no file of ours."""
    if file is None:
        return b""
    try:
        return file.read() or b""
    except OSError:
        return b""


def _holds_any(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except OSError:
        return False
