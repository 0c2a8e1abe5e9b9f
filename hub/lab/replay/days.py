"""What is counted of one contender before one person, day by day, and the figures that follow from any days.

A figure's interval is a bootstrap over whole days (Efron 1979), because what is said on one day hangs together: as many
days are drawn as there are, with replacement, again and again, the same days for all contenders.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from hub.contract.base import Message, Value
from hub.lab.replay.dice import draws

RESAMPLES = 400
LOW, HIGH = 0.025, 0.975
BANDS = 10
SEED = 7


class Costs(Message):
    """What a needless interruption costs, and what a help that was wanted and not offered.

    `silent` is the share of the first that is charged where nothing was heard, or among others in a digest.
    """

    needless: float = 1.0
    silent: float = 0.1
    missed: float = 1.0


class DayCount(Value):
    """One day. `bands` are those of the calibration curve: expected, came and how many, in ten bands each.

    `offered` is what there was to say, `wanted` how much of it the person would have said yes to, `found` how much of
    that was said. `noes` are those to what was heard, `silent_noes` to what came silently or among others. `least` is
    the cost of who knows the habit, and cannot know the odd answers.
    """

    offered: int = 0
    wanted: int = 0
    found: int = 0
    shown: int = 0
    interruptions: int = 0
    yes: int = 0
    noes: int = 0
    silent_noes: int = 0
    least: float = 0.0
    squared: float = 0.0
    bands: tuple[tuple[float, int, int], ...] = ((0.0, 0, 0),) * BANDS


class Figure(Message):
    """A figure, and between what it lies in 95 of 100 drawings of the days; null where there was nothing to count."""

    value: float | None
    low: float | None = None
    high: float | None = None


def total(days: Sequence[DayCount]) -> DayCount:
    """Add days up."""
    return DayCount(
        offered=sum(day.offered for day in days),
        wanted=sum(day.wanted for day in days),
        found=sum(day.found for day in days),
        shown=sum(day.shown for day in days),
        interruptions=sum(day.interruptions for day in days),
        yes=sum(day.yes for day in days),
        noes=sum(day.noes for day in days),
        silent_noes=sum(day.silent_noes for day in days),
        least=sum(day.least for day in days),
        squared=sum(day.squared for day in days),
        bands=tuple(
            (sum(p for p, _, _ in band), sum(yes for _, yes, _ in band), sum(count for _, _, count in band))
            for band in zip(*(day.bands for day in days), strict=True)
        ),
    )


Measure = Callable[[DayCount, int], float | None]
"""A figure of days that were added up, and of how many they are."""


def measures(costs: Costs) -> Mapping[str, Measure]:
    """Return how each figure follows from days."""

    def cost(day: DayCount) -> float:
        noes = day.noes + costs.silent * day.silent_noes
        return costs.needless * noes + costs.missed * (day.wanted - day.found)

    return {
        "precision": lambda day, _: day.yes / day.shown if day.shown else None,
        "recall": lambda day, _: day.found / day.wanted if day.wanted else None,
        "interruptions_a_day": lambda day, days: day.interruptions / days,
        "ece": lambda day, _: calibration_error(day),
        "brier": lambda day, _: day.squared / day.shown if day.shown else None,
        "cost_a_day": lambda day, days: cost(day) / days,
        "regret_a_day": lambda day, days: (cost(day) - day.least) / days,
    }


def calibration_error(day: DayCount) -> float | None:
    """Return how far what was expected and what came are apart, over ten bands, weighted by how many (ECE)."""
    return sum(abs(p - yes) for p, yes, _ in day.bands) / day.shown if day.shown else None


def fewer(one: DayCount, other: DayCount, help_of: Callable[[DayCount], int]) -> float | None:
    """Return by which share one contender needs fewer interruptions for each help than another; None without help.

    Where what is said is left out at random, interruptions and help fall alike: so this share holds at any recall that
    both can have, whichever of them has to leave out some to come there.
    """
    if not help_of(one) or not help_of(other):
        return None
    return 1.0 - (one.interruptions / help_of(one)) / (other.interruptions / help_of(other))


def drawn(count: int) -> list[list[int]]:
    """Return the drawings of so many days."""
    numbers = draws(count, "days", SEED)
    return [list(islice(numbers, count)) for _ in range(RESAMPLES)]


def bounded(value: float | None, drawings: Sequence[float | None]) -> Figure:
    """Return a figure with the interval that its drawings give."""
    found = sorted(one for one in drawings if one is not None)
    if value is None or not found:
        return Figure(value=value)
    return Figure(value=_short(value), low=_short(_at(found, LOW)), high=_short(_at(found, HIGH)))


def _at(found: Sequence[float], share: float) -> float:
    return found[min(len(found) - 1, int(share * len(found)))]


def _short(value: float) -> float:
    return round(value, 4)
