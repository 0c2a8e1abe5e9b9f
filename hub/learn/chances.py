"""How far the chances of a yes can be believed, for a person: nothing is said before there are answers enough."""

from collections.abc import Sequence

from hub.contract.insight import ChancePoint, ChancesJudged
from hub.domain.reports import SaidChance
from hub.learn.yes.believable import RANGES, brier, calibration_error, points, sharpness

JUDGED_FROM_ANSWERS = 30


def judged(said: Sequence[SaidChance]) -> ChancesJudged:
    """Return how what was said and what came go together."""
    found = [(one.p, one.yes) for one in said]
    more = max(JUDGED_FROM_ANSWERS - len(found), 0)
    if more:
        return ChancesJudged(answers=len(found), more=more)
    return ChancesJudged(
        answers=len(found),
        more=0,
        apart=calibration_error(found),
        brier=brier(found),
        sharpness=sharpness(found),
        points=tuple(
            ChancePoint(low=number / RANGES, high=(number + 1) / RANGES, answers=count, said=mean, came=share)
            for number, count, mean, share in points(found)
        ),
    )
