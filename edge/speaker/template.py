"""What is kept of the wearer's voice: a direction and a bar, numbers only. No sound can be made of them again.

The direction is Fisher's (1936): it tells the wearer best from a cohort of background voices and from the wearer's own
sentences as a smaller or larger person would have said them, which come through the same microphone and room. The bar
is the wearer's own: what their sentences reach when each is compared with a direction made of the others.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from edge.engines.ear import Samples
from edge.speaker.embedding import Background, embed, unit
from edge.speaker.measures import Floats, Unfit, measure
from hub.contract.base import Value

VERSION = 1
SENTENCES_MIN = 4
SPEECH_SHARE = 0.05
"""What is louder than this share of the peak counts as speech when noise is measured against it."""
NOISES_DB = (20.0, 10.0)
"""Each sentence is also taken with so much noise, for the wearer will not only approve in quiet rooms."""
SIZES = (0.82, 0.88, 0.94, 1.06, 1.13, 1.2)
FULL = 32_000.0
RIDGE = 0.01
SPREADS_BELOW = 1.5
"""The bar is so many standard deviations below what the wearer reaches; chosen on background voices, docs/voice.md."""
COHORT_SHARE_MAX = 0.05
"""Where more of the cohort would pass, the sentences tell too little. It does not find out whose they are."""
LENGTH_OFF_MAX = 1e-3
SEED = 20_260_301


class Template(Value, forbid_unknown_fields=True):
    """The wearer's voice: `direction` has length 1; what reaches `bar` along it is the wearer."""

    version: int
    background: str
    direction: tuple[float, ...]
    bar: float


def enrol(
    sentences: Sequence[Samples], background: Background, *, spreads_below: float = SPREADS_BELOW
) -> Template | Unfit:
    """Return the template of whoever spoke these sentences (16 kHz).

    Unfit where a sentence is, or with `why` `too-few` or `unclear`: too much of the cohort sounds like them.
    """
    if len(sentences) < SENTENCES_MIN:
        return Unfit("too-few")
    unfit = next((one for one in map(measure, sentences) if isinstance(one, Unfit)), None)
    if unfit is not None:
        return unfit
    chance = np.random.default_rng(SEED)
    own = [_vectors(one.astype(np.float64), background, chance) for one in sentences]
    others = list(chain(*(_vectors(_resized(one, size), background, chance) for one in sentences for size in SIZES)))
    found = _direction(list(chain(*own)), others, background)
    reached = _reached(own, others, background)
    bar = float(np.mean(reached) - spreads_below * np.std(reached))
    if np.mean(background.cohort @ found >= bar) > COHORT_SHARE_MAX:
        return Unfit("unclear")
    return Template(version=VERSION, background=background.name, direction=tuple(map(float, found)), bar=bar)


def fits(template: Template, background: Background) -> bool:
    """Say whether a template is of this version and background, and its numbers are such as `enrol` makes."""
    direction = np.asarray(template.direction, np.float64)
    return (
        (template.version, template.background) == (VERSION, background.name)
        and direction.shape == (background.projection.shape[1],)
        and bool(abs(np.linalg.norm(direction) - 1.0) < LENGTH_OFF_MAX)  # false for NaN
        and -1.0 < template.bar < 1.0
    )


def noisy(sound: Floats, noise_db: float, chance: np.random.Generator) -> Floats:
    """Return sound with white noise so far below its speech."""
    loud = sound[np.abs(sound) >= SPEECH_SHARE * np.abs(sound).max(initial=1.0)]
    power = float(np.sqrt(np.mean(loud**2))) if len(loud) else 0.0
    spoiled: Floats = np.clip(sound + chance.normal(size=len(sound)) * power / 10 ** (noise_db / 20), -FULL, FULL)
    return spoiled


def _vectors(sound: Floats, background: Background, chance: np.random.Generator) -> list[Floats]:
    """Return the vectors of a sentence as it is and with noise."""
    measured = map(measure, (sound, *(noisy(sound, noise_db, chance) for noise_db in NOISES_DB)))
    return [embed(one, background) for one in measured if not isinstance(one, Unfit)]


def _resized(sound: Samples, factor: float) -> Floats:
    """Return what a smaller (factor above 1) or larger person would have said."""
    at = np.arange(0, len(sound) - 1, factor)
    resized: Floats = np.interp(at, np.arange(len(sound)), sound.astype(np.float64))
    return resized


def _direction(own: Sequence[Floats], others: Sequence[Floats], background: Background) -> Floats:
    spread = (np.cov(np.stack(own).T) + np.cov(np.stack(others).T)) / 2 + RIDGE * np.eye(len(own[0]))
    apart = np.mean(own, axis=0) - np.concatenate([others, background.cohort]).mean(axis=0)
    return unit(np.linalg.solve(spread, apart))


def _reached(own: Sequence[list[Floats]], others: Sequence[Floats], background: Background) -> list[float]:
    """Return how far each sentence reaches along a direction made without it."""
    reached = []
    for at, sentence in enumerate(own):
        rest = list(chain(*own[:at], *own[at + 1 :]))
        found = _direction(rest, others, background)
        reached += [float(vector @ found) for vector in sentence]
    return reached
