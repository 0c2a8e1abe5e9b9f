"""How long to wait before trying again: exponential back-off, spread by chance. Pure; the draw is an input.

Full jitter (a uniform draw between nothing and the cap of this attempt) spreads clients that lost the same
broker at the same moment, so that they do not come back at the same moment. Where coming back at once would be rude, a
smaller `spread` keeps the rest of the wait certain.
"""

from collections.abc import Callable

from hub.contract.base import Value

DOUBLINGS_MAX = 30
"""Beyond this many doublings every cap is reached; it keeps the power small."""


class RetryPolicy(Value):
    """The bounds of a back-off: the first cap and the last one in seconds, and which share of a wait is chance."""

    base_s: float = 0.1
    cap_s: float = 30.0
    spread: float = 1.0

    def ceiling_s(self, attempt: int) -> float:
        """Give the longest wait before attempt number ``attempt`` (0 is the first retry)."""
        return min(self.cap_s, self.base_s * 2.0 ** min(attempt, DOUBLINGS_MAX))


def retry_delay_s(attempt: int, policy: RetryPolicy, draw: Callable[[], float]) -> float:
    """Give the seconds to wait before attempt number ``attempt`` (0 is the first retry).

    Args:
        attempt: how many attempts failed before this one, from 0.
        policy: the bounds.
        draw: a source of numbers in [0, 1), such as ``random.random``.

    Returns:
        A number of seconds in [(1 - spread) * ceiling, ceiling), the ceiling being min(cap, base * 2**attempt).
    """
    return policy.ceiling_s(attempt) * (1.0 - policy.spread + policy.spread * draw())
