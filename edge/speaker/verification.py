"""The lock itself: whether an utterance is the wearer's. It can only veto; nothing it says lets anything happen."""

from typing import Literal

import numpy as np

from edge.engines.ear import Samples
from edge.speaker.embedding import Background, embed
from edge.speaker.measures import Unfit, measure
from edge.speaker.template import Template, fits
from edge.speech.commands import GRANTING, Word

CHECKED = GRANTING | {Word.EDIT, Word.YES}
"""Words after which something may run. All others are anybody's: to skip or to stop needs no voice in particular."""
Verdict = Literal["wearer", "stranger", "unfit", "not-ready"]


class SpeakerLock:
    """Knows one voice. Without a template that fits it knows nobody, and vetoes everything."""

    def __init__(self, template: Template | None, background: Background) -> None:
        self._template = template if template is not None and fits(template, background) else None
        self._background = background

    def verdict(self, samples: Samples) -> Verdict:
        """Return whose voice this is; `unfit` for what is too short, overdriven or no sound. Never raises for sound."""
        if self._template is None:
            return "not-ready"
        reached = self.reached(samples)
        if reached is None:
            return "unfit"
        return "wearer" if reached >= self._template.bar else "stranger"

    def reached(self, samples: Samples) -> float | None:
        """Return how far an utterance reaches along the wearer's direction, -1 to 1; None where it cannot be judged."""
        measures = measure(samples)
        if self._template is None or isinstance(measures, Unfit):
            return None
        return float(embed(measures, self._background) @ np.array(self._template.direction))
