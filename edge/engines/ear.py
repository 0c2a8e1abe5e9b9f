"""The port of all ears, and the null ear for devices that are answered by a press."""

from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from edge.speech.decision import Bars, Hearing
from edge.speech.phrasebook import Phrasebook
from hub.contract.errors import WorldError

RATE = 16_000
"""Samples a second that every ear takes; the audio side converts."""
MISSING_NAMED_MAX = 12
SAMPLES_MIN = RATE // 10
SAMPLES_MAX = RATE * 30
Samples = npt.NDArray[np.int16]
Answers = Literal["none", "choices", "words"]


class NoEarError(WorldError):
    """A speech recogniser cannot start: a part, its model or its language is missing. The message says which."""

    code = "no-ear"
    retryable = False


class Ear(Protocol):
    """Turns one stretch of speech (16 kHz, one channel) into words with evidence. Never raises for what it hears.

    `answers` is what it can hear of an answer to a question: nothing, a choice, or a sentence as well.
    """

    name: str
    bars: Bars
    answers: Answers
    missing: tuple[str, ...]
    """Words of the book that it cannot hear."""

    def hear(self, samples: Samples, book: Phrasebook | None = None) -> Hearing:
        """Return what was said; an empty text for silence, noise, or too little sound.

        While a question is asked, `book` is what may be said; else it is what the ear was made with.
        """

    def prepare(self, book: Phrasebook) -> None:
        """Get ready for the answers to a question, which may take a second: it is still being read out."""


NEVER = Bars(
    coverage_min=2.0,
    fit_min=0.0,
    second_min=2.0,
    granting_coverage_min=2.0,
    granting_fit_min=0.0,
    granting_second_min=2.0,
)


def missing_words(words: tuple[str, ...]) -> str:
    """Return what a person is told of words that an ear cannot hear."""
    more = f" and {len(words) - MISSING_NAMED_MAX} more" if len(words) > MISSING_NAMED_MAX else ""
    return f"The ear's model does not know {', '.join(words[:MISSING_NAMED_MAX])}{more}: these are never heard."


class NullEar:
    """Hears nothing: for glasses without a microphone, answered by their button."""

    name = "null"
    bars = NEVER
    answers: Answers = "none"
    missing: tuple[str, ...] = ()

    def hear(self, samples: Samples, book: Phrasebook | None = None) -> Hearing:  # noqa: ARG002  the port's form
        """Return that nothing was said."""
        return Hearing(text="", seconds=len(samples) / RATE)

    def prepare(self, book: Phrasebook) -> None:
        """Do nothing."""


def usable(samples: Samples) -> Samples | None:
    """Return the sound cut to what an engine takes; None when it is too short or holds nothing."""
    if samples.ndim != 1 or len(samples) < SAMPLES_MIN or not samples.any():
        return None
    return samples[:SAMPLES_MAX]
