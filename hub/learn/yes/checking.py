"""Whether a model that came from elsewhere can be used: of our form, whole, finite and not too large."""

from math import isfinite

from hub.domain.teaching import YES_MODEL_FORM, Strength, YesModel
from hub.learn.yes.fitting import LAPSES, SHIFT_MAX, SLOPE_MAX, SLOPE_MIN
from hub.learn.yes.learner import LIKE_ANSWERS_MAX, LIKES_MAX, WEIGHTS_MAX

MEAN_MAX = 1_000.0
VARIANCE_MAX = 100.0


def trouble_with(model: YesModel) -> str:
    """Say what is wrong with a model; empty where it can be used."""
    if model.form != YES_MODEL_FORM:
        return f"it is of form {model.form}, not {YES_MODEL_FORM}"
    if len(model.weights) > WEIGHTS_MAX or len(model.likes) > LIKES_MAX or model.answers < 0:
        return "it is larger than a model can be"
    if not all(map(_is_sound, model.weights.values())):
        return "it has weights that are no numbers"
    if not all(len(like) <= LIKE_ANSWERS_MAX and set(like) <= {"0", "1"} for like in model.likes.values()):
        return "its counts are no answers"
    is_right = model.lapse in LAPSES and SLOPE_MIN <= model.slope <= SLOPE_MAX and abs(model.shift) <= SHIFT_MAX
    return "" if is_right else "it corrects more than it may"


def _is_sound(strength: Strength) -> bool:
    mean, variance, day = strength
    return abs(mean) <= MEAN_MAX and 0.0 < variance <= VARIANCE_MAX and isfinite(day)
