"""How likely a yes is, by a model; and the model after one more answer."""

from collections import defaultdict
from collections.abc import Iterable
from math import sqrt

from hub.domain.likelihood import Estimate, Features, Voice
from hub.domain.teaching import Taught, YesModel
from hub.learn.yes.inputs import Input
from hub.learn.yes.learner import NOISE, SHARED, Learner, add, chance, like_names, weigh

LEARNT_ANSWERS_MIN = 5
"""Before so many answers of a person, an estimate says nothing of them."""
LIKE_ANSWERS_MIN = 3
"""So many answers to the very same reason are told alone; else those to the kind."""
EIGHT_OF_TEN = 1.2816
"""The normal curve between this many deviations below and above holds eight tenths."""
VOICES_MAX = 3
PULL_MIN = 0.1
DECIMALS = 4


def estimate(model: YesModel, about: Features) -> Estimate:
    """Return how likely a yes is to what `about` describes."""
    weighed = weigh(model.weights, about)
    total = add(weighed)
    margin = model.shift + model.slope * total.margin
    spread = model.slope * EIGHT_OF_TEN * sqrt(SHARED * total.variance / NOISE)
    middle = model.shift + model.slope * total.mean / sqrt(NOISE)
    p = chance(margin, model.lapse)
    yes, answers = _like(model, about)
    low, high = _counted(p, answers)
    return Estimate(
        about=about,
        p=round(p, DECIMALS),
        low=round(min(low, chance(middle - spread, model.lapse)), DECIMALS),
        high=round(max(high, chance(middle + spread, model.lapse)), DECIMALS),
        yes=yes,
        answers=answers,
        is_learnt=model.answers >= LEARNT_ANSWERS_MIN,
        spoke=_voices(weighed),
        model=f"{model.name}+{model.answers}",
    )


def learnt(model: YesModel, answers: Iterable[Taught]) -> YesModel:
    """Return the model after these answers, oldest first."""
    learner = Learner(model)
    for taught in answers:
        learner.learn(taught)
    return learner.model()


def _counted(p: float, answers: int) -> tuple[float, float]:
    """Return between what a chance lies that was seen in so many answers (Wilson's interval).

    The weights alone are too sure of themselves once many inputs share the same few answers.
    """
    if answers == 0:
        return p, p
    squared = EIGHT_OF_TEN * EIGHT_OF_TEN / answers
    middle, reach = p + squared / 2.0, sqrt(squared * (p * (1.0 - p) + squared / 4.0))
    return (middle - reach) / (1.0 + squared), (middle + reach) / (1.0 + squared)


def _like(model: YesModel, about: Features) -> tuple[int, int]:
    """Return how many of the latest answers to the like were a yes, and how many there were."""
    found = [model.likes.get(name, "") for name in like_names(about)]
    best = next((one for one in found if len(one) >= LIKE_ANSWERS_MIN), found[-1])
    return best.count("1"), len(best)


def _voices(weighed: list[tuple[Input, float, float]]) -> tuple[Voice, ...]:
    """Return what pulled most; what all estimates have in common is nobody's voice."""
    pulls: defaultdict[str, float] = defaultdict(float)
    for one, mean, _ in weighed:
        pulls[one.about] += one.size * mean
    pulls.pop("", None)
    loud = sorted((-abs(pull), about) for about, pull in pulls.items() if abs(pull) >= PULL_MIN)
    return tuple(Voice(about=about, pull=round(pulls[about], 2)) for _, about in loud[:VOICES_MAX])
