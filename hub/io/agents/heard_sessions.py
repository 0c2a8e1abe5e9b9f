"""Which sessions of agents were heard by a hook, and where Pulse itself runs agents: in memory, for one hub.

A session that works and was never heard does not ask (`unasked.py`). One that Pulse runs is asked about otherwise, so
nothing is said of sessions in a folder in which it runs one, or did until a moment ago.
"""

import os
import re
import time
from collections.abc import Callable

from hub.kit.bounded import BoundedMap, BoundedSet

NAMED = re.compile(rb'"session_id": ?"([0-9a-f-]{36})"')
SESSIONS_MAX = 4_096
FOLDERS_MAX = 256
RAN_FOR_S = 600.0
"""So long after a run has ended its transcript may still count as one that was just written."""


class HeardSessions:
    """The sessions that asked, and the folders of Pulse's own runs."""

    def __init__(self, *, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._heard: BoundedSet[tuple[str, str]] = BoundedSet(SESSIONS_MAX)
        self._ended: BoundedMap[str, float] = BoundedMap(FOLDERS_MAX)
        self._running: dict[str, int] = {}

    def hear(self, agent: str, session: str) -> None:
        """Take note that a hook of a session was heard."""
        if session:
            self._heard.discard((agent, session))
            self._heard.add((agent, session))

    def hear_unread(self, agent: str, raw: bytes) -> None:
        """Take note of a hook that could not be read, where it names its session all the same."""
        named = NAMED.search(raw)
        self.hear(agent, named[1].decode() if named else "")

    def is_heard(self, agent: str, session: str) -> bool:
        """Return True if a hook of this session was heard since the hub started."""
        return (agent, session) in self._heard

    def run_begins(self, folder: str) -> None:
        """Take note that Pulse runs something in a folder."""
        real = os.path.realpath(folder)
        self._running[real] = self._running.get(real, 0) + 1

    def run_ends(self, folder: str) -> None:
        """Take note that this is over."""
        real = os.path.realpath(folder)
        self._ended[real] = self._seconds()
        left = self._running.pop(real, 0) - 1
        if left > 0:
            self._running[real] = left

    def is_ours(self, folder: str) -> bool:
        """Return True if a session in a folder may be one that Pulse runs; it may be asked in a thread."""
        since = self._seconds() - RAN_FOR_S
        ours = {*tuple(self._running), *(one for one, at in tuple(self._ended.items()) if at > since)}
        real = os.path.realpath(folder)
        return any(real == one or real.startswith(f"{one}/") for one in ours)


HEARD = HeardSessions()
"""One for the process."""
