"""How many requests are under way at once: each kind has its share, and a stop always has a place.

Theory: what is bounded together starves together. Strangers (no valid credential) get a small share, so their work
costs the others nothing. What reads the whole history gets a small share too, for one thread answers it. What
stops something is never refused for want of room: it is short, and only a person or their device may ask for it.
"""

import contextlib
from collections.abc import Iterator
from typing import Final, Literal

from hub.contract.errors import BusyError

Load = Literal["plain", "heavy", "stop"]
REQUESTS_MAX: Final = 2_000
"""Requests under way, those that wait for a person included."""
STRANGERS_MAX: Final = 32
HEAVY_MAX: Final = 16


class ConcurrencyLimits:
    """What is under way."""

    def __init__(self) -> None:
        self.all = 0
        self.strangers = 0
        self.heavy = 0

    @contextlib.contextmanager
    def one_more(self, load: Load) -> Iterator[None]:
        """Count a request of somebody who is signed in, for as long as the block lasts.

        Raises:
            BusyError: its share is taken.
        """
        is_heavy = load == "heavy"
        if load != "stop" and (self.all >= REQUESTS_MAX or (is_heavy and self.heavy >= HEAVY_MAX)):
            raise BusyError
        self.all += 1
        self.heavy += is_heavy
        try:
            yield
        finally:
            self.all -= 1
            self.heavy -= is_heavy

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
