"""The ear that understands most: vosk with a model that a person has fetched (any language that vosk has).

Its grammar is the words of all forms, words that sound like them, and `[unk]` for everything else. The second opinion
is vosk's own confidence of its least certain word; an approval that it is half sure of is asked about.
"""

from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from edge.engines.ear import RATE, NoEarError, Samples, usable
from edge.speech.decision import Bars, Hearing
from edge.speech.grammar import words_in
from edge.speech.phrasebook import Phrasebook

UNKNOWN = "[unk]"
BARS = Bars(
    coverage_min=0.5,
    fit_min=-1.0,
    second_min=0.6,
    granting_coverage_min=0.7,
    granting_fit_min=-1.0,
    granting_second_min=0.9,
    asking_min=0.6,
)
"""Careful guesses: no model could be had to calibrate them."""


class _Word(msgspec.Struct):
    word: str
    start: float = 0.0
    end: float = 0.0
    conf: float = 0.0


class _Result(msgspec.Struct):
    text: str = ""
    result: list[_Word] = []


class VoskEar:
    """vosk with a grammar."""

    name = "vosk"
    bars = BARS

    def __init__(self, book: Phrasebook, model: str) -> None:
        """Load a model folder.

        Raises:
            NoEarError: no folder was named, it is not there, or vosk is missing or refuses it.
        """
        if not model or not Path(model).is_dir():
            raise NoEarError(
                f"There is no vosk model at {model or '(nowhere)'!r}.", fix="`pulse edge setup` fetches one."
            )
        try:
            import vosk  # type: ignore[import-untyped]  # it has no types  # noqa: PLC0415  loads a C library: only when this ear is used
        except (ImportError, OSError) as error:
            raise NoEarError("The package vosk is not installed.", fix="pip install vosk") from error
        vosk.SetLogLevel(-1)
        try:
            loaded = vosk.Model(model)
        except Exception as error:
            raise NoEarError(f"vosk cannot read the model at {model}: {error}.") from error
        self._recognizer: Any = vosk.KaldiRecognizer(loaded, RATE, grammar(book))
        self._recognizer.SetWords(True)  # noqa: FBT003  vosk's only form

    def hear(self, samples: Samples) -> Hearing:
        """Return what was said."""
        seconds = len(samples) / RATE
        usable_samples = usable(samples)
        if usable_samples is None:
            return Hearing(text="", seconds=seconds)
        self._recognizer.Reset()
        self._recognizer.AcceptWaveform(usable_samples.tobytes())
        return as_hearing(self._recognizer.FinalResult(), seconds)


def as_hearing(document: str, seconds: float) -> Hearing:
    """Return vosk's result as evidence; `[unk]` stays in the text, and so makes it no command."""
    result = msgspec.json.decode(document, type=_Result)
    if not result.result:
        return Hearing(text="", seconds=seconds)
    span = sum(word.end - word.start for word in result.result)
    whole = max(result.result[-1].end - result.result[0].start, 0.01)
    sure = min(word.conf for word in result.result)
    return Hearing(
        text=result.text,
        coverage=min(1.0, span / whole),
        second=sure,
        seconds=seconds,
        maybe=result.text,
        maybe_second=sure,
    )


def grammar(book: Phrasebook) -> str:
    """Return the words that vosk shall choose from, as it wants them: those of a book, decoys, and UNKNOWN.

    What is heard as a decoy is no form, and so no command. A decoy that a model does not know is left out by vosk.
    """
    decoys = (resources.files("edge.engines") / f"decoys_{book.language}.txt").read_text(encoding="utf-8").split()
    return msgspec.json.encode([*dict.fromkeys((*words_in(book), *decoys)), UNKNOWN]).decode()
