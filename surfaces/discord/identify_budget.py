"""How often a new session may begin: Discord allows 1,000 IDENTIFYs a day, and resets the bot's token beyond that.

A day has 48 half hours; with at most 20 in any of them there are at most 48 * 20 = 960. Resuming a session costs none.
"""

from collections import deque
from collections.abc import Callable

IDENTIFIES_MAX = 20
WINDOW_S = 1_800.0


class IdentifyBudget:
    """A sliding window over the IDENTIFYs that were sent; `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._at_s: deque[float] = deque(maxlen=IDENTIFIES_MAX)

    def spend(self) -> None:
        """Count an IDENTIFY that was sent."""
        self._at_s.append(self._clock())

    def wait_s(self) -> float:
        """Return how long to wait before the next IDENTIFY."""
        if len(self._at_s) < IDENTIFIES_MAX:
            return 0.0
        return max(0.0, self._at_s[0] + WINDOW_S - self._clock())
