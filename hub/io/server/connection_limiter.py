"""Who may hold a connection, and how long: a connection's life as a table.

| stage | who | ends | and then |
|---|---|---|---|
| quiet | a stranger: accepted, or between two requests, no complete header yet | after `STRANGER_QUIET_S` | dropped |
| answered | a stranger, being answered | with the answer; unread for `UNREAD_S_MAX` | quiet; dropped |
| unsigned | a WebSocket that has not signed in | after `UNSIGNED_S` | dropped |
| judged | a stranger whose credential is being looked at | with the verdict; after `JUDGED_S` | known, or as before |
| known quiet | somebody who has shown a valid credential, between two requests | after `KEEP_ALIVE_S` | dropped |
| known | the same, while answered, and a signed-in WebSocket | with the answer; by pings | known quiet; dropped |

Theory: a stranger is whoever has not shown a valid credential on this connection. All strangers together have one
share of the slots. When it is full the one that has been quiet longest makes room, never the newcomer, nor anybody who
is being judged: whoever holds a credential gets the moment to show it, and from then on has a slot of
its own that no stranger can take.
What strangers send is taken one in a turn of the event loop, so however many there are, others do not wait for them.
Every group is in the order of its deadlines, so one timer serves all of them, and there is none while nobody is quiet.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.types import Scope

STRANGER_QUIET_S: Final = 10.0
UNSIGNED_S: Final = 10.0
"""A socket says who it is within `socket.SIGN_IN_S_MAX`; this is for those that do not even hear the goodbye."""
JUDGED_S: Final = 10.0
"""Judging takes a turn of the event loop, and a write to the store once an hour."""
KEEP_ALIVE_S: Final = 75.0
UNREAD_S_MAX: Final = 30.0
"""So long an answer may lie unread before its connection is dropped."""
STRANGERS_MAX: Final = 256
UNSIGNED_MAX: Final = 64
"""WebSockets of strangers, within the strangers' share."""
CONNECTIONS_MAX: Final = 16_384
FILES_RESERVED: Final = 256
"""File handles that are not connections: the store, logs, agents, sensors, the broker."""
STRANGERS_PART: Final = 4
CLIENT_PART: Final = 2
"""Strangers hold at most this part of all slots (a quarter), one client at most that part of the others (a half)."""
JUDGED_PART: Final = 2
"""This part of the strangers (a half) may be judged at once, so that there is always somebody to make room."""
EXTENSION: Final = "pulse.slot"

Group = dict["ConnectionSlot", float]
"""Slots in the order in which they came, each with the time."""


class ConnectionSlot:
    """One connection's slot; `drop` cuts the connection off."""

    __slots__ = ("_group", "client", "drop", "is_socket", "limiter")

    def __init__(self, limiter: "ConnectionLimiter", drop: Callable[[], None]) -> None:
        self.limiter = limiter
        self.drop = drop
        self.client = ""
        self.is_socket = False
        self._group: Group | None = None

    @property
    def comes_first(self) -> bool:
        """Whether this connection has shown enough not to wait for its turn among strangers."""
        return bool(self.client) or self._group is self.limiter.judged

    def quiet(self) -> None:
        """Nothing is being answered: the next request has a deadline."""
        if self._group is not None and not self.is_socket:
            self._go(self.limiter.known_quiet if self.client else self.limiter.quiet)

    def answer(self) -> None:
        """Begin to be answered."""
        if self._group is not None and self._group is not self.limiter.judged and not self.is_socket:
            self._go(self.limiter.known if self.client else self.limiter.answered)

    def become_socket(self) -> None:
        """Go on as a WebSocket."""
        self.is_socket = True
        if self._group is not None:
            self._go(self.limiter.known if self.client else self.limiter.unsigned)
            self.limiter.make_room(self.limiter.unsigned, UNSIGNED_MAX)

    def judge(self) -> None:
        """Stay while it is found out whose this is: nobody makes room in between."""
        if not self.client and self._group is not None:
            self._go(self.limiter.judged)
            self.limiter.make_room(self.limiter.judged, max(1, self.limiter.strangers_max // JUDGED_PART))

    def turn_down(self) -> None:
        """Go on as a stranger after all."""
        if self._group is self.limiter.judged:
            self._go(self.limiter.unsigned if self.is_socket else self.limiter.quiet)

    def vouch(self, client: str) -> None:
        """Take a slot of one's own, as long as there is one; without one the connection stays a stranger's."""
        if not self.client and self._group is not None and self.limiter.has_room_for(client):
            self.client = client
            self.limiter.count(client, 1)
            self._go(self.limiter.known)

    def enter(self) -> None:
        """Come in."""
        self._go(self.limiter.quiet)
        self.limiter.make_room_for_strangers()

    def leave(self) -> None:
        """Go."""
        self.limiter.waiting.pop(self, None)
        if self._group is not None:
            self._group.pop(self, None)
            self._group = None
            if self.client:
                self.limiter.count(self.client, -1)

    def _go(self, group: Group) -> None:
        if self._group is not None:
            self._group.pop(self, None)
        self._group = group
        group[self] = self.limiter.now_s()
        self.limiter.watch()


class ConnectionLimiter:
    """All connections of one listening socket: who may hold one, and how long."""

    def __init__(self, total: int, loop: asyncio.AbstractEventLoop) -> None:
        self.strangers_max = max(1, min(STRANGERS_MAX, total // STRANGERS_PART))
        self.known_max = max(1, total - self.strangers_max)
        self.quiet: Group = {}
        self.answered: Group = {}
        self.unsigned: Group = {}
        self.judged: Group = {}
        self.known_quiet: Group = {}
        self.known: Group = {}
        self.dropped = 0
        """Strangers that had to make room, or were quiet for too long."""
        self.now_s = loop.time
        self._limits = (
            (self.quiet, STRANGER_QUIET_S),
            (self.unsigned, UNSIGNED_S),
            (self.judged, JUDGED_S),
            (self.known_quiet, KEEP_ALIVE_S),
        )
        self._by_client: dict[str, int] = {}
        self.waiting: dict[ConnectionSlot, Callable[[], None]] = {}
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    @property
    def strangers(self) -> int:
        """How many connections have not shown a credential."""
        return len(self.quiet) + len(self.answered) + len(self.unsigned) + len(self.judged)

    def enter(self, drop: Callable[[], None]) -> ConnectionSlot:
        """Give a new connection a slot; whoever was quiet longest makes room for it."""
        slot = ConnectionSlot(self, drop)
        slot.enter()
        return slot

    def has_room_for(self, client: str) -> bool:
        """Return True if this client may have one more slot."""
        taken = len(self.known) + len(self.known_quiet)
        return taken < self.known_max and self._by_client.get(client, 0) < max(1, self.known_max // CLIENT_PART)

    def count(self, client: str, step: int) -> None:
        """Count a client's slots."""
        left = self._by_client.get(client, 0) + step
        if left:
            self._by_client[client] = left
        else:
            del self._by_client[client]

    def make_room_for_strangers(self) -> None:
        """Drop the strangers that are too many: those first that have been as they are for longest."""
        while self.strangers > self.strangers_max:
            groups = [group for group in (self.quiet, self.unsigned, self.answered) if group]
            self._drop_first(min(groups, key=_oldest_s))

    def make_room(self, group: Group, most: int) -> None:
        """Drop the first of a group that is too large."""
        while len(group) > most:
            self._drop_first(group)

    def in_turn(self, slot: ConnectionSlot, begin: Callable[[], None]) -> None:
        """Take what a stranger sent when it is its turn, if the stranger is still there."""
        was_idle = not self.waiting
        self.waiting[slot] = begin
        if was_idle:
            self._loop.call_soon(self._next)

    def watch(self) -> None:
        """See to it that somebody looks when the next deadline is over."""
        if self._timer is None:
            ends = [_oldest_s(group) + limit_s for group, limit_s in self._limits if group]
            if ends:
                self._timer = self._loop.call_at(min(ends), self._look)

    def close(self) -> None:
        """Watch no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _next(self) -> None:
        """Begin one; the last that waited may have left meanwhile."""
        if not self.waiting:
            return
        begin = self.waiting.pop(next(iter(self.waiting)))
        if self.waiting:
            self._loop.call_soon(self._next)
        begin()

    def _look(self) -> None:
        self._timer = None
        now_s = self.now_s()
        for group, limit_s in self._limits:
            while group and _oldest_s(group) + limit_s <= now_s:
                self._drop_first(group)
        self.watch()

    def _drop_first(self, group: Group) -> None:
        slot = next(iter(group))
        self.dropped += not slot.client
        slot.leave()
        slot.drop()


def _oldest_s(group: Group) -> float:
    return next(iter(group.values()))


def vouch_for(scope: Scope, client: str) -> None:
    """Say that whoever sent this request has shown a valid credential."""
    found = scope.get("extensions", {}).get(EXTENSION)
    if found is not None:
        found["slot"].vouch(client)


def slots_within(files_max: int) -> int:
    """Return how many connections there may be where a process may open `files_max` files.

    Half of the files stay free where there are few: agents, sensors and the Unix socket need some too.
    """
    return max(STRANGERS_PART, min(CONNECTIONS_MAX, max(files_max // 2, files_max - FILES_RESERVED) * 4 // 5))
