"""A new model from a whole history, and whether it was too sure or too unsure.

Theory: each answer is predicted by what was learnt from those before it, and only then learnt. How far these honest
predictions were off is put right by a shift and a slope, but only where that helps: they are fitted to three quarters
of the history and tried on the fourth, for each quarter in turn. Where the sum is not clearly better, nothing is
changed: the early predictions of a history are less sure than the later ones are, so a correction that fits all of it
hardly better makes the next ones worse. For the same reason the usual lapse is left only for a clearly likelier one.
"""

import hashlib
from collections.abc import Sequence
from math import log

from msgspec.structs import replace

from hub.domain.teaching import Taught, YesModel
from hub.learn.yes.learner import MARGIN_MAX, Learner, chance, slope_at

LAPSES = (0.06, 0.03, 0.01, 0.1)
"""How often answers may be at odds with the rest; the first, unless another surprises less by `LAPSE_GAIN_MIN`."""
LAPSE_GAIN_MIN = 1.5
"""In nats, over all that is judged."""
TRIED_MAX = 1_000
"""So many of the latest answers choose the lapse, and say whether anything is to be put right."""
WARM_UP = 30
"""The first answers are learnt from, and not judged."""
JUDGED_MIN = 60
"""So many predictions are needed before anything is put right."""
QUARTERS = 4
GAIN_MIN = 3.0
"""By so much (in nats, over all) the tried predictions must be better."""
CAUTION = 4.0
"""As much as so many answers say that nothing needs putting right."""
STEPS_MAX = 25
SLOPE_MIN, SLOPE_MAX = 0.3, 2.0
SHIFT_MAX = 1.0

Judged = tuple[float, bool]
"""The margin of a prediction, and what the answer was."""


def fit(history: Sequence[Taught]) -> YesModel:
    """Return the model of a history, oldest first; the same history gives the same model."""
    tries = [_learnt(history[-TRIED_MAX:], lapse) for lapse in LAPSES]
    model, judged = _likeliest(tries)
    if len(history) > TRIED_MAX:
        model, judged = _learnt(history, model.lapse)
    judged = judged[-TRIED_MAX:]
    shift, slope = put_right(judged, model.lapse)
    return replace(model, name=_name(history), shift=shift, slope=slope)


def _likeliest(tries: Sequence[tuple[YesModel, list[Judged]]]) -> tuple[YesModel, list[Judged]]:
    """Return the try with the usual lapse, unless another was clearly less surprised."""
    losses = [_loss(judged, 0.0, 1.0, model.lapse) for model, judged in tries]
    best = min(range(len(tries)), key=losses.__getitem__)
    return tries[best] if losses[0] - losses[best] > LAPSE_GAIN_MIN else tries[0]


def _learnt(history: Sequence[Taught], lapse: float) -> tuple[YesModel, list[Judged]]:
    """Learn everything once, with the predictions that were made on the way."""
    learner = Learner(YesModel(lapse=lapse))
    judged: list[Judged] = []
    for taught in history:
        if taught.is_answer and not taught.undone:
            judged.append((learner.margin(taught.about), taught.yes))
        learner.learn(taught)
    return learner.model(), judged[WARM_UP:]


def put_right(judged: Sequence[Judged], lapse: float) -> tuple[float, float]:
    """Return the shift and slope that make predictions better which were not used to find them; else 0 and 1."""
    if len(judged) < JUDGED_MIN:
        return 0.0, 1.0
    gain = 0.0
    for quarter in range(QUARTERS):
        first, last = (len(judged) * place // QUARTERS for place in (quarter, quarter + 1))
        tried, rest = judged[first:last], [*judged[:first], *judged[last:]]
        gain += _loss(tried, 0.0, 1.0, lapse) - _loss(tried, *_best(rest, lapse), lapse)
    return _best(judged, lapse) if gain > GAIN_MIN else (0.0, 1.0)


def _best(judged: Sequence[Judged], lapse: float) -> tuple[float, float]:
    """Return the most likely shift and slope, by Newton's steps from "nothing to put right"."""
    shift, slope = 0.0, 1.0
    for _ in range(STEPS_MAX):
        pull = [-CAUTION * shift, -CAUTION * (slope - 1.0)]
        curve = [CAUTION, 0.0, CAUTION]
        for margin, yes in judged:
            sign = 1.0 if yes else -1.0
            first, second = slope_at(sign * _bounded(shift + slope * margin), lapse)
            second = max(second, 0.0)
            pull[0] += sign * first
            pull[1] += sign * first * margin
            curve[0] += second
            curve[1] += second * margin
            curve[2] += second * margin * margin
        whole = curve[0] * curve[2] - curve[1] * curve[1]
        steps = ((pull[0] * curve[2] - pull[1] * curve[1]) / whole, (pull[1] * curve[0] - pull[0] * curve[1]) / whole)
        shift = min(max(shift + steps[0], -SHIFT_MAX), SHIFT_MAX)
        slope = min(max(slope + steps[1], SLOPE_MIN), SLOPE_MAX)
        if abs(steps[0]) + abs(steps[1]) < 1e-6:  # noqa: PLR2004  far below what a card shows
            break
    return shift, slope


def _loss(judged: Sequence[Judged], shift: float, slope: float, lapse: float) -> float:
    """Return how surprising the answers were, in nats."""
    margins = ((1.0 if yes else -1.0) * _bounded(shift + slope * margin) for margin, yes in judged)
    return -sum(log(chance(margin, lapse)) for margin in margins)


def _bounded(margin: float) -> float:
    return min(max(margin, -MARGIN_MAX), MARGIN_MAX)


def _name(history: Sequence[Taught]) -> str:
    """Return a name that only this history has."""
    digest = hashlib.sha256()
    for taught in history:
        digest.update(f"{taught.card_id} {taught.yes} {taught.weight} {taught.undone}\n".encode())
    return f"yes-{digest.hexdigest()[:10]}"
