"""How many requests are under way at once: each kind has its share, and a stop always has a place.

Theory: what is bounded together starves together. Strangers (no valid credential) get a small share, so their work
costs the others nothing. One client gets a part of all, agents' hooks have places of their own, and so has the person,
so no program keeps either out. What reads the whole history gets a small share too, for one thread answers it. What
stops something is never refused for want of room: it is short, and only a person or their device may ask for it.
A request takes its place once its body is there, so a slow one takes none. Bodies that are on their way cost memory
alone: where one client has too many, the one that has taken longest makes room, never the newcomer.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Final, Literal

from hub.contract.errors import BusyError

Load = Literal["plain", "heavy", "hook", "stop"]
REQUESTS_MAX: Final = 2_000
"""Requests under way, those that wait for a person included."""
CLIENT_MAX: Final = 500
"""Of these, one client's that is not the person."""
IN_PERSON_RESERVED: Final = 500
"""Places beyond these for the person's own pages, devices and terminal."""
HOOKS_MAX: Final = 2_000
"""Hooks under way, beyond all of these; more than may wait for a person (`waiting.WAITING_MAX`)."""
STRANGERS_MAX: Final = 32
HEAVY_MAX: Final = 16
BODIES_MAX: Final = 256
"""Bodies of one client that are on their way."""
BODY_S_MAX: Final = 10.0


class ConcurrencyLimits:
    """What is under way."""

    def __init__(self) -> None:
        self.all = 0
        self.strangers = 0
        self.heavy = 0
        self.hooks = 0
        self._by_client: Counter[str] = Counter()
        self._bodies: dict[str, dict[asyncio.Timeout, None]] = {}

    @contextlib.contextmanager
    def one_more(self, load: Load, client: str, *, in_person: bool) -> Iterator[None]:
        """Count a request of somebody who is signed in, for as long as the block lasts.

        Raises:
            BusyError: its share is taken.
        """
        is_heavy, is_hook = load == "heavy", load == "hook"
        if not self._has_room(load, client, in_person=in_person):
            raise BusyError
        self.all += not is_hook
        self.hooks += is_hook
        self.heavy += is_heavy
        self._by_client[client] += not is_hook
        try:
            yield
        finally:
            self.all -= not is_hook
            self.hooks -= is_hook
            self.heavy -= is_heavy
            self._by_client[client] -= not is_hook
            if not self._by_client[client]:
                del self._by_client[client]

    @contextlib.asynccontextmanager
    async def one_more_body(self, client: str) -> AsyncIterator[None]:
        """Count a body that is on its way, for as long as the block lasts.

        Raises:
            TimeoutError: it took too long, or longest of this client's where one more came than may be on their way.
        """
        async with asyncio.timeout(BODY_S_MAX) as limit:
            bodies = self._bodies.setdefault(client, {})
            if len(bodies) >= BODIES_MAX:
                oldest = next(iter(bodies))
                del bodies[oldest]
                if not oldest.expired():
                    oldest.reschedule(asyncio.get_running_loop().time())
            bodies[limit] = None
            try:
                yield
            finally:
                bodies.pop(limit, None)
                if not bodies and self._bodies.get(client) is bodies:
                    del self._bodies[client]

    def _has_room(self, load: Load, client: str, *, in_person: bool) -> bool:
        match load:
            case "stop":
                return True
            case "hook":
                return self.hooks < HOOKS_MAX
            case "heavy" if self.heavy >= HEAVY_MAX:
                return False
        if in_person:
            return self.all < REQUESTS_MAX + IN_PERSON_RESERVED
        return self.all < REQUESTS_MAX and self._by_client[client] < CLIENT_MAX

    @contextlib.contextmanager
    def one_more_stranger(self) -> Iterator[None]:
        """Count a stranger's request.

        Raises:
            BusyError: their share is taken.
        """
        if self.strangers >= STRANGERS_MAX:
            raise BusyError
        self.strangers += 1
        try:
            yield
        finally:
            self.strangers -= 1
