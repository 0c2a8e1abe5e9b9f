"""Makes the ear and the mouth that the settings name."""

import os

from edge.engines.ear import Ear, NullEar
from edge.engines.espeak_mouth import EspeakMouth
from edge.engines.mouth import Mouth
from edge.engines.piper_mouth import PiperMouth
from edge.engines.sphinx_ear import SphinxEar
from edge.engines.vosk_ear import VoskEar
from edge.phrase_files import phrasebook
from edge.settings import EdgeSettings

EARS = ("pocketsphinx", "vosk", "null")


def make_ear(settings: EdgeSettings) -> Ear:
    """Return the ear.

    Raises:
        NoEarError: a part of it is missing; says which.
    """
    book = phrasebook(settings.language)
    match settings.ear:
        case "vosk":
            return VoskEar(book, settings.vosk_model or os.environ.get("PULSE_VOSK_MODEL", ""))
        case "null":
            return NullEar()
        case _:
            return SphinxEar(book)


def make_mouth(settings: EdgeSettings) -> Mouth:
    """Return the mouth.

    Raises:
        NoMouthError: a part of it is missing; says which.
    """
    if settings.mouth == "piper":
        return PiperMouth(settings.piper_voice, words_per_minute=settings.words_per_minute)
    return EspeakMouth(settings.language, words_per_minute=settings.words_per_minute)
