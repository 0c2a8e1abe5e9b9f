"""The learner: a Bayesian probit over named inputs, one answer after the other (adPredictor, Graepel et al., 2010).

    P(yes) = L + (1 - 2 L) · Phi(shift + slope · m / sqrt(N + K · s²))

`m` is the sum of the inputs' sizes times the means of their weights, `s²` the same of the variances. `L` is the
lapse: now and then anybody taps beside it, so that one odd answer says little. `K` takes back some of the variance:
weights that share their answers are not independent, and as if they were they would make the estimate too unsure.

Each answer moves the weights of its inputs in closed form (moments matched), the unsure ones more. What is old fades:
with each answer an input forgets `FORGET` of what it knew, and half of it in `HALF_LIFE_DAYS` without one. So a changed
habit is followed, and what was refused for ever is tried again some day. A clock that goes backwards fades nothing.
"""

from datetime import datetime
from math import erfc, exp, pi, sqrt

from hub.contract.base import Value
from hub.domain.likelihood import Features
from hub.domain.teaching import Strength, Taught, YesModel
from hub.kit.bounded import last_of
from hub.learn.yes.inputs import Input, inputs_of

NOISE = 0.5
SHARED = 0.5
FORGET = 0.01
HALF_LIFE_DAYS = 90.0
VARIANCE_MIN = 1e-3
MARGIN_MAX = 6.0
DAY_S = 86_400.0
WEIGHTS_MAX = 4_000
LIKES_MAX = 1_000
LIKE_ANSWERS_MAX = 10
"""So many of the latest answers to the like are counted before a person."""


class Sum(Value):
    """What the inputs say together: the mean and the variance of the score."""

    mean: float
    variance: float

    @property
    def margin(self) -> float:
        """How far the score is from undecided."""
        return self.mean / sqrt(NOISE + SHARED * self.variance)


class Learner:
    """Works on a copy of a model; `model` returns what it has become."""

    def __init__(self, model: YesModel) -> None:
        self._before = model
        self._weights = dict(model.weights)
        self._likes = dict(model.likes)
        self._answers = model.answers

    def model(self) -> YesModel:
        """Return the model as it is by now, bounded: what was used least lately is forgotten first."""
        self._weights, self._likes = last_of(self._weights, WEIGHTS_MAX), last_of(self._likes, LIKES_MAX)
        before = self._before
        return YesModel(
            form=before.form,
            lapse=before.lapse,
            name=before.name,
            weights=self._weights,
            likes=self._likes,
            answers=self._answers,
            shift=before.shift,
            slope=before.slope,
        )

    def margin(self, about: Features) -> float:
        """Return how far from undecided it is about this by now."""
        return add(weigh(self._weights, about)).margin

    def learn(self, taught: Taught) -> None:
        """Learn from one answer; one that was taken back, or weighs nothing, teaches nothing."""
        weight = min(max(taught.weight, 0.0), 1.0)
        if taught.undone or weight == 0.0:
            return
        day = day_of(taught.at)
        current = [(one, *_fade(strength_of(self._weights, one, day), one, FORGET)) for one in inputs_of(taught.about)]
        total = add(current)
        spread = sqrt(NOISE + total.variance)
        sign = 1.0 if taught.yes else -1.0
        pull, certainty = _lesson(sign * total.mean / spread, self._before.lapse)
        for one, mean, variance in current:
            share = one.size * variance / spread
            left = 1.0 - weight * one.size * share / spread * certainty
            before = self._weights.pop(one.name, None)  # put back at the end: it was used last
            last = day if before is None else max(day, before[2])
            self._weights[one.name] = (mean + weight * sign * share * pull, max(variance * left, VARIANCE_MIN), last)
        if taught.is_answer:
            self._count(taught)

    def _count(self, taught: Taught) -> None:
        self._answers += 1
        for name in like_names(taught.about):
            before = self._likes.pop(name, "")
            self._likes[name] = (before + ("1" if taught.yes else "0"))[-LIKE_ANSWERS_MAX:]


def like_names(about: Features) -> tuple[str, ...]:
    """Return under which names answers to the like are counted, the closest likeness first."""
    return (f"{about.reason}|{about.channel}", f"{about.kind}|{about.channel}")


def day_of(moment: datetime) -> float:
    """Return a moment as a number of days."""
    return moment.timestamp() / DAY_S


def weigh(weights: dict[str, Strength], about: Features) -> list[tuple[Input, float, float]]:
    """Return each input with the mean and variance of its weight now."""
    day = day_of(about.at)
    return [(one, *strength_of(weights, one, day)) for one in inputs_of(about)]


def add(weighed: list[tuple[Input, float, float]]) -> Sum:
    """Return what inputs with the mean and variance of their weights say together."""
    return Sum(
        mean=sum(one.size * mean for one, mean, _ in weighed),
        variance=sum(one.size * one.size * variance for one, _, variance in weighed),
    )


def chance(margin: float, lapse: float) -> float:
    """Return the chance of a yes at a margin, the lapse included."""
    return lapse + (1.0 - 2.0 * lapse) * phi(margin)


def phi(margin: float) -> float:
    """Return the area below the normal curve up to `margin`."""
    return 0.5 * erfc(-margin / sqrt(2.0))


def slope_at(margin: float, lapse: float) -> tuple[float, float]:
    """Return the first and second derivative of the logarithm of `chance`, the second one with its sign turned."""
    pull = (1.0 - 2.0 * lapse) * exp(-0.5 * margin * margin) / sqrt(2.0 * pi) / chance(margin, lapse)
    return pull, pull * (pull + margin)


def strength_of(weights: dict[str, Strength], one: Input, day: float) -> tuple[float, float]:
    """Return the mean and variance of an input's weight, faded by the time since it last learnt."""
    stored = weights.get(one.name)
    if stored is None:
        return one.mean, one.spread * one.spread
    mean, variance, last = stored
    return _fade((mean, variance), one, 1.0 - 0.5 ** (max(day - last, 0.0) / HALF_LIFE_DAYS))


def _fade(strength: tuple[float, float], one: Input, share: float) -> tuple[float, float]:
    """Return a weight that has forgotten a share of what it learnt."""
    mean, variance = strength
    first = 1.0 / (one.spread * one.spread)
    precision = (1.0 - share) / variance + share * first
    return ((1.0 - share) * mean / variance + share * one.mean * first) / precision, 1.0 / precision


def _lesson(margin: float, lapse: float) -> tuple[float, float]:
    """Return how far an answer pulls, and how much surer it makes; odd ones make nobody less sure."""
    pull, certainty = slope_at(min(max(margin, -MARGIN_MAX), MARGIN_MAX), lapse)
    return pull, min(max(certainty, 0.0), 1.0)
