"""How much an idea is worth (CROSSPOLL 2.5, 7.7). Every number that enters is 0 to 1; anything else counts as 0.

confidence = 0.4 twin + 0.25 pattern + 0.2 urgency + 0.15 time. Without a model's word it is how likely the person is to
say yes, once they have answered enough for that to mean something; before (phase 0 of the cold start) it is 0.4 for
every idea: always a card, never run by itself. Ideas are then ranked by the three factors that remain.
"""

from msgspec.structs import replace

from hub.domain.likelihood import Estimate
from hub.domain.mind import Tally
from hub.domain.suggestion import Candidate, Factors

TWIN_WEIGHT = 0.4
PATTERN_WEIGHT = 0.25
URGENCY_WEIGHT = 0.2
TIME_WEIGHT = 0.15

PHASE_0_CONFIDENCE = 0.4
SCORE_MIN = 0.35
"""Below this an idea without urgency is not worth a card: with three rejections and no approval a routine ends."""
DECIMALS = 4
"""Keeps a sum that is 0.8 on paper from falling below the band's border by a rounding error."""


def unit(number: float) -> float:
    """Return `number` within 0 to 1; NaN is 0."""
    return min(number, 1.0) if number > 0 else 0.0


def ramp(number: float, start: float, end: float, low: float, high: float) -> float:
    """Return `low` up to `start`, `high` from `end` on, and the straight line between; `start` < `end`."""
    return low + (high - low) * unit((number - start) / (end - start))


def pattern(tally: Tally | None) -> float:
    """Return how often this kind was approved, smoothed after Laplace: (approved + 1) / (answers + 2)."""
    if tally is None:
        return 0.5
    approved, rejected = max(tally.approved, 0), max(tally.rejected, 0)
    return (approved + 1) / (approved + rejected + 2)


def in_view_of_answers(candidate: Candidate, likely: Estimate | None, liking: float = 1.0) -> Candidate:
    """Return the idea with its pattern from the person's answers; `liking` is what "show less often" leaves of it."""
    if likely is None or not likely.is_learnt:
        return candidate
    return replace(candidate, pattern=unit(likely.p) * liking)


def score(candidate: Candidate) -> float:
    """Return the rank of an idea, 0 to 1: the formula without the model's part, scaled up to 1."""
    points = (
        PATTERN_WEIGHT * unit(candidate.pattern)
        + URGENCY_WEIGHT * unit(candidate.urgency)
        + TIME_WEIGHT * unit(candidate.time_relevance)
    )
    return round(points / (PATTERN_WEIGHT + URGENCY_WEIGHT + TIME_WEIGHT), DECIMALS)


def worthwhile(candidate: Candidate) -> bool:
    """Say whether an idea is urgent at all, or good enough without."""
    return unit(candidate.urgency) > 0 or score(candidate) >= SCORE_MIN


def factors(candidate: Candidate, twin: float | None) -> Factors:
    """Return the four parts of an idea's confidence; `twin` is None in phase 0."""
    return Factors(
        twin=None if twin is None else unit(twin),
        pattern=unit(candidate.pattern),
        urgency=unit(candidate.urgency),
        time=unit(candidate.time_relevance),
    )


def confidence(parts: Factors, likely: Estimate | None = None) -> float:
    """Return the confidence, 0 to 1."""
    if parts.twin is None:
        is_learnt = likely is not None and likely.is_learnt
        return round(unit(likely.p), DECIMALS) if likely is not None and is_learnt else PHASE_0_CONFIDENCE
    total = (
        TWIN_WEIGHT * unit(parts.twin)
        + PATTERN_WEIGHT * unit(parts.pattern)
        + URGENCY_WEIGHT * unit(parts.urgency)
        + TIME_WEIGHT * unit(parts.time)
    )
    return unit(round(total, DECIMALS))
