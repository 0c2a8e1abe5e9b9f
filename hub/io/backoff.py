"""How long to wait before trying again: exponential back-off with full jitter.

Full jitter (a uniform draw between nothing and the cap of this attempt) spreads clients that lost the same
broker at the same moment, so that they do not come back at the same moment.
"""

from collections.abc import Callable

from hub.contract.base import Value

DOUBLINGS_MAX = 30
"""Beyond this many doublings every cap is reached; it keeps the power small."""


class RetryPolicy(Value):
    """The bounds of a back-off: the first cap and the last one, both in seconds."""

    base_s: float = 0.1
    cap_s: float = 30.0


def retry_delay_s(attempt: int, policy: RetryPolicy, draw: Callable[[], float]) -> float:
    """Give the seconds to wait before attempt number ``attempt`` (0 is the first retry).

    Args:
        attempt: how many attempts failed before this one, from 0.
        policy: the bounds.
        draw: a source of numbers in [0, 1), such as ``random.random``.

    Returns:
        A number of seconds in [0, min(cap, base * 2**attempt)).
    """
    ceiling = min(policy.cap_s, policy.base_s * 2.0 ** min(attempt, DOUBLINGS_MAX))
    return ceiling * draw()
