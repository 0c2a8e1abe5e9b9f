"""What every benchmark returns: figures with their goal and, where there is one, a reference of the same run."""

import statistics
from collections.abc import Sequence

from hub.contract.base import Value


class MissingError(Exception):
    """What a benchmark needs is not on this machine; the text says what to do."""


class Figure(Value):
    """One measured number. `better` says which way is good; a ratio above 1 is better than the reference."""

    bench: str
    what: str
    value: float
    unit: str
    better: str = "lower"
    goal: float | None = None
    reference: str = ""
    reference_value: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        if self.goal is None:
            return None
        return self.value <= self.goal if self.better == "lower" else self.value >= self.goal

    @property
    def ratio(self) -> float | None:
        """How many times better than the reference."""
        if not self.reference_value or not self.value:
            return None
        return self.reference_value / self.value if self.better == "lower" else self.value / self.reference_value


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` (0 to 1) of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(values: Sequence[float]) -> float:
    """Return the middle value."""
    return statistics.median(values)
