"""Which agents of the person's are connected and with what, and whether any ever was.

From the first on a terminal has to be let in to count as theirs; one of them that no longer asks is told of. Both are
kept in a file, and what connecting leaves behind says the first, too. The running hub goes by what it knows in memory,
and puts the file back where it is missing or says something else (`hub/app/own_files.py`).
"""

import contextlib
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from hub.contract.base import Value
from hub.io.home.folder import Home
from hub.io.home.kept_file import KeptFile

HOOKS = "hooks"
"""The folder with the programs that agents' hooks start."""
LINE = re.compile(r"([a-z][a-z0-9-]{0,39})(?: wait=([0-9]{1,6})( closed)?)?(?: beside=([0-9a-f,]*))?")
"""One agent, with what it was connected, and beside which hooks; an earlier Pulse kept its name alone."""
BESIDE_MAX = 128
"""So many hooks of others are kept of one agent."""
TERMS_MAX = 4
"""So many that were never seen in its settings are kept of one agent."""
FILE_BYTES_MAX = 16_384
LEAVING_S = 60.0
"""So long an agent that is being disconnected may still be seen connected: its settings are written after that."""


class HookTerms(Value):
    """What the person connected an agent with: how long it waits for them, and whether it is refused without Pulse."""

    wait_s: int
    closed: bool = False


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
        self.agents: frozenset[str] = frozenset()
        self._terms: dict[str, tuple[HookTerms, ...]] = {}
        self._beside: dict[str, frozenset[str]] = {}
        for agent, terms, beside in _kept_in(_content(self.file).decode("ascii", "replace")):
            self.agents |= {agent}
            self._terms[agent] = (*self.terms(agent), *terms)
            if beside is not None:
                self._beside[agent] = beside
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

    def seen(self, agent: str, terms: HookTerms | None = None) -> None:
        """Take note that an agent asks by its settings, and with what; of what nobody knows, that counts from now on.

        What the person connected it with last may not stand there yet: until it does, both count.
        """
        if self._seconds() < self._leaving.get(agent, 0.0) and agent not in self.agents:
            return
        is_new, known = agent not in self.agents, self.terms(agent)
        if terms is not None and known[-1:] in {(), (terms,)}:
            self._terms[agent] = (terms,)
        if is_new:
            self.agents |= {agent}
            self._since_s[agent] = time.time()
        if is_new or known != self.terms(agent):
            self.note()

    def terms(self, agent: str) -> tuple[HookTerms, ...]:
        """Return what an agent may have been connected with, the last behind; nothing where nobody knows."""
        return self._terms.get(agent, ())

    def came_beside(self, agent: str, hooks: frozenset[str]) -> frozenset[str]:
        """Return which of these hooks of others, by name, came since the person connected an agent.

        Those that are found first thereafter count as there.
        """
        if agent not in self._beside:
            self._beside[agent] = frozenset(sorted(hooks)[:BESIDE_MAX])
            self.keep()
        return hooks - self._beside[agent]

    def comes(self, agent: str, terms: HookTerms | None = None) -> None:
        """Take note that the person is connecting an agent; without `terms` those stay, as for one project alone."""
        self._leaving.pop(agent, None)
        self._since_s[agent] = time.time()
        if terms is not None:
            self._beside.pop(agent, None)
            first, *others = (*(one for one in self.terms(agent) if one != terms), terms)
            self._terms[agent] = (first, *others[-TERMS_MAX + 1 :])
            self.keep()

    def leaves(self, agent: str | None) -> None:
        """Take note that the person is disconnecting an agent, or all of them."""
        left = self.agents if agent is None else frozenset({agent})
        self._leaving.update(dict.fromkeys(left, self._seconds() + LEAVING_S))
        self.agents -= left
        for one in left:
            self._terms.pop(one, None)
            self._beside.pop(one, None)
        self.keep()

    def since_s(self) -> dict[str, float]:
        """Return since when each connected agent is known to be, by the clock: from the hub's start on, or later."""
        return {agent: self._since_s.get(agent, self._began_s) for agent in self.agents}

    def _kept(self, agent: str) -> tuple[HookTerms | None, ...]:
        return self.terms(agent) or (None,)

    def keep(self) -> None:
        """Write what is known, so that the next start knows it too."""
        lines = (
            _line(agent, terms, self._beside.get(agent)) for agent in sorted(self.agents) for terms in self._kept(agent)
        )
        said = "".join(lines)
        if self.ever and self.file is not None and self.file.content != said.encode():
            with contextlib.suppress(OSError):  # a full disk: it holds in memory, and the hooks' programs say it too
                self.file.write(said)


def _kept_in(text: str) -> Iterator[tuple[str, tuple[HookTerms, ...], frozenset[str] | None]]:
    for line in text.splitlines():
        if found := LINE.fullmatch(line):
            agent, wait_s, closed, beside = found.groups()
            terms = () if wait_s is None else (HookTerms(wait_s=int(wait_s), closed=closed is not None),)
            yield agent, terms, None if beside is None else frozenset(filter(None, beside.split(",")))


def _line(agent: str, terms: HookTerms | None, beside: frozenset[str] | None) -> str:
    by = "" if terms is None else f" wait={terms.wait_s}{' closed' if terms.closed else ''}"
    there = "" if beside is None else f" beside={','.join(sorted(beside))}"
    return f"{agent}{by}{there}\n"


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
