"""How far predictions can be believed: what was said beside what came. Each prediction is a chance and an answer."""

from collections import defaultdict
from collections.abc import Sequence
from math import fsum

RANGES = 10
Prediction = tuple[float, bool]


def _mean(values: Sequence[float]) -> float:
    """Return the mean, as `statistics.fmean` does; an idle hub need not load that module."""
    return fsum(values) / len(values)


def calibration_error(predictions: Sequence[Prediction]) -> float:
    """Return the expected calibration error (ECE): how far saying and coming are apart, over ten ranges, 0 to 1."""
    apart = (abs(sum(p for p, _ in one) - sum(yes for _, yes in one)) for one in _by_range(predictions).values())
    return sum(apart) / len(predictions)


def points(predictions: Sequence[Prediction]) -> list[tuple[int, int, float, float]]:
    """Return each range that has any: its number, how many, what was said on average, and the share that came."""
    ranges = _by_range(predictions)
    return [
        (n, len(one), _mean([p for p, _ in one]), _mean([yes for _, yes in one])) for n, one in sorted(ranges.items())
    ]


def _by_range(predictions: Sequence[Prediction]) -> dict[int, list[Prediction]]:
    ranges: defaultdict[int, list[Prediction]] = defaultdict(list)
    for p, yes in predictions:
        ranges[min(int(p * RANGES), RANGES - 1)].append((p, yes))
    return ranges


def brier(predictions: Sequence[Prediction]) -> float:
    """Return the mean squared error (Brier score): 0 is perfect, 0.25 is what always saying one half gets."""
    return _mean([(p - yes) ** 2 for p, yes in predictions])


def sharpness(predictions: Sequence[Prediction]) -> float:
    """Return the variance of what was said: 0 where all is said alike, at most 0.25."""
    middle = _mean([p for p, _ in predictions])
    return _mean([(p - middle) ** 2 for p, _ in predictions])


def ranking(predictions: Sequence[Prediction]) -> float | None:
    """Return how often a yes was thought likelier than a no (AUC); None where all answers are alike."""
    ordered = sorted(predictions)
    yes = sum(answer for _, answer in ordered)
    no = len(ordered) - yes
    if not yes or not no:
        return None
    ranks, place = 0.0, 0
    while place < len(ordered):
        end = place
        while end < len(ordered) and ordered[end][0] == ordered[place][0]:
            end += 1
        ranks += sum(answer for _, answer in ordered[place:end]) * (place + end + 1) / 2
        place = end
    return (ranks - yes * (yes + 1) / 2) / (yes * no)
