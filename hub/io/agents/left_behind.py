"""What an agent leaves behind in a terminal: until all of it is gone, nothing that comes from there counts.

An agent can give its parent, the person's shell, a child (`CLONE_PARENT`), and that child can do the same, also once
the agent itself has ended; each of them looks like a command of the person's. Such a chain has a living member at every
moment. So a terminal is clean again from the first moment on at which its shell has no child that began since the
agent did, and what begins after that moment was typed.
"""

import asyncio
import os
from collections.abc import Callable

from msgspec.structs import replace

from hub.contract.base import Value
from hub.io.agents.process_table import ProcessEntry, children_of, entry, ticks_now

ABOVE_MAX = 64
"""How many processes above an agent are looked at; in one session of a person's there are few."""
SESSIONS_MAX = 1_024
"""With so many, those that are over are forgotten; the others are as many as the system has terminals at most."""
LOOKS_MAX = 8
"""So often the children are listed at once, until two lists say the same."""
AGAIN_S = 1.0
"""How long after a look that could not say there is another."""


class Left(Value):
    """What agents may have left in one session: one of them, when the first began, and since when nothing is there.

    `above` are the processes of that session below which they stood, each with the moment at which it began.
    """

    agent: int
    since: int
    above: frozenset[tuple[int, int]]
    clean_at: int | None = None


class LeftBehind:
    """The sessions in which agents ran."""

    def __init__(self) -> None:
        self._left: dict[int, Left] = {}

    def note(self, agent: ProcessEntry) -> None:
        """Note an agent that runs, and look once it has ended at what it left in its session."""
        above = _above(agent) if agent.terminal else frozenset()
        if not above:
            return  # no shell of its terminal is its parent
        before = self._left.get(agent.session)
        if before is None or before.clean_at is not None:
            before = Left(agent=agent.pid, since=agent.started, above=above)
        self._make_room()
        since = min(before.since, agent.started)
        self._left[agent.session] = replace(before, since=since, above=before.above | above)
        self._look_once_it_ended(agent, agent.session)

    def holds_back(self, session: int, began: int) -> int | None:
        """Return an agent that may have left behind what began then in a session; None where none can have."""
        left = self._left.get(session)
        return left.agent if left is not None and (left.clean_at is None or began <= left.clean_at) else None

    def _look(self, session: int) -> None:
        left = self._left.get(session)
        if left is None or left.clean_at is not None:
            return
        found = _still_there(left, session)
        if found is None:
            self._left[session] = replace(left, clean_at=ticks_now())
        else:
            self._look_once_it_ended(found, session)

    def _look_once_it_ended(self, process: ProcessEntry, session: int) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # outside the hub nobody asks
            return
        try:
            handle = os.pidfd_open(process.pid)
        except (OSError, AttributeError):  # it ended just now, or the system does not tell
            loop.call_later(AGAIN_S, self._look, session)
            return

        def ended() -> None:
            loop.remove_reader(handle)
            os.close(handle)
            self._look(session)

        loop.add_reader(handle, ended)

    def _make_room(self) -> None:
        """Forget the sessions whose shells are all gone. One that has a shell is never forgotten."""
        if len(self._left) >= SESSIONS_MAX:
            self._left = {name: one for name, one in self._left.items() if any(map(_lives, one.above))}


LEFT = LeftBehind()
"""What the agents of this process's person left."""


def _above(agent: ProcessEntry) -> frozenset[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    one = entry(agent.parent)
    while one is not None and one.session == agent.session and len(found) < ABOVE_MAX:
        found.add((one.pid, one.started))
        one = entry(one.parent)
    return frozenset(found)


def _still_there(left: Left, session: int) -> ProcessEntry | None:
    """Return something that the agents may have left, or that could not be told from it; None where nothing is."""
    living = (pid for pid, started in left.above if _lives((pid, started)))
    found = (living_child(pid, session, lambda one: _may_be_left(one, left)) for pid in living)
    return next((one for one in found if one is not None), None)


def _may_be_left(one: ProcessEntry, left: Left) -> bool:
    return one.started >= left.since and (one.pid, one.started) not in left.above


def living_child(pid: int, session: int, is_meant: Callable[[ProcessEntry], bool]) -> ProcessEntry | None:
    """Return a child that lives in this session and is meant; one without a number where that cannot be said.

    What left the session has lost its terminal, and so has all that it begins.
    """
    for _ in range(LOOKS_MAX):
        listed = children_of(pid)
        for one in map(entry, listed):
            if one is not None and not one.ended and one.session == session and is_meant(one):
                return one
        if children_of(pid) == listed:  # what was over by then has begun nothing since
            return None
    return ProcessEntry(pid=0, parent=pid)


def _lives(process: tuple[int, int]) -> bool:
    now = entry(process[0])
    return now is not None and not now.ended and now.started == process[1]
