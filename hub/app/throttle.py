"""Telling the devices of one thing at most once a minute, more rarely where it goes on, and losing nothing by it."""

import asyncio
from collections.abc import Callable

TELLS_APART_S = 60.0
"""An agent that goes on and on is not to ring without a pause; what came meanwhile is told when this is over."""
TELLS_APART_S_MAX = 3_600.0
"""One that goes on for hours rings once an hour."""

Later = Callable[[float, Callable[[], None]], object]
"""Calls something after so many seconds."""


def in_this_loop(delay_s: float, then: Callable[[], None]) -> object:
    """Have the running event loop call it."""
    return asyncio.get_running_loop().call_later(delay_s, then)


class Throttle:
    """Lets one telling pass, and the next when the time is over."""

    def __init__(self, later: Later = in_this_loop) -> None:
        self._later = later
        self._is_resting, self._apart_s = False, TELLS_APART_S
        self._again: Callable[[], None] | None = None

    def passes(self, again: Callable[[], None]) -> bool:
        """Return True if it may be told now; else the last such `again` is called when it may."""
        if self._is_resting:
            self._again = again
            return False
        self._is_resting = True
        self._later(self._apart_s, self._rested)
        return True

    def _rested(self) -> None:
        again, self._again, self._is_resting = self._again, None, False
        self._apart_s = TELLS_APART_S if again is None else min(2 * self._apart_s, TELLS_APART_S_MAX)
        if again is not None:
            again()
