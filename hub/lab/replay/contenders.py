"""Plain rules for saying something or not, to be set beside Pulse. Each learns only from what it said.

All are asked about the same: what the loop says to somebody who says yes to everything. All but the first two say
what they expect to be accepted with the chance of the `show` band at least, as Pulse does.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Protocol

from hub.domain.likelihood import Features

FIXED = 0.4
"""What Pulse said of everything before it learnt (CROSSPOLL 7.7)."""
HOURS_PER_PART = 4


class Contender(Protocol):
    """Says how likely a yes is, and hears what came of what was said."""

    def chance(self, about: Features) -> float:
        """Return how likely a yes is thought to be."""

    def hear(self, about: Features, *, yes: bool) -> None:
        """Learn from an answer."""


class Fixed:
    """Thinks the same of everything."""

    def __init__(self, p: float) -> None:
        self._p = p

    def chance(self, about: Features) -> float:
        """Return the figure."""
        del about
        return self._p

    def hear(self, about: Features, *, yes: bool) -> None:
        """Learn nothing."""


class MostFrequent:
    """Expects what this kind was mostly answered with; a yes where it was never answered."""

    def __init__(self) -> None:
        self._ahead: Counter[str] = Counter()

    def chance(self, about: Features) -> float:
        """Return 1 or 0."""
        return 1.0 if self._ahead[about.kind] >= 0 else 0.0

    def hear(self, about: Features, *, yes: bool) -> None:
        """Count the yeses that are ahead of the noes."""
        self._ahead[about.kind] += 1 if yes else -1


class TimeOfDay:
    """Expects what is mostly answered in this part of the day, after Laplace: (yes + 1) / (answers + 2)."""

    def __init__(self) -> None:
        self._yes: defaultdict[int, int] = defaultdict(int)
        self._answers: defaultdict[int, int] = defaultdict(int)

    def chance(self, about: Features) -> float:
        """Return the share of yeses in this part of the day."""
        part = int(about.hour) // HOURS_PER_PART
        return (self._yes[part] + 1) / (self._answers[part] + 2)

    def hear(self, about: Features, *, yes: bool) -> None:
        """Count an answer."""
        part = int(about.hour) // HOURS_PER_PART
        self._answers[part] += 1
        self._yes[part] += yes


CONTENDERS: Mapping[str, Callable[[], Contender]] = {
    "always-ask": lambda: Fixed(1.0),
    "never-ask": lambda: Fixed(0.0),
    "fixed 0.4": lambda: Fixed(FIXED),
    "most frequent": MostFrequent,
    "time of day": TimeOfDay,
}
PULSE = "pulse"
