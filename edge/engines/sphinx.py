"""pocketsphinx with the English model from its wheel: words by a closed grammar, and phones by a free loop."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from edge.engines.ear import NoEarError, Samples
from edge.engines.pronunciation import Phones
from edge.speech.grammar import jsgf
from edge.speech.phrasebook import ASKED_KEYS, KEYS, Phrasebook

Part = tuple[str, int, int]
"""A word or phone with its first and last frame."""
BEAM, WORD_BEAM = 1e-20, 1e-15
"""Narrower ones lose commands, wider ones take three times as long and find no more."""
DECOY_WEIGHT, NEGATED_WEIGHT, WAIT_WEIGHT = 0.001, 0.02, 0.2
LEADS = ("i", "you", "we", "please")
NEGATIONS = ("don't", "do not", "never", "not", "won't", "will not", "can't", "wouldn't", "would not", "must not")
COUNTED = frozenset({"later_minutes", "later_hours"})
"""Meanings with numbers: one rule of their own, since every form with its own numbers makes the search slow."""
POLITE = "please"
"""More polite words around every command make it miss more of them; the network knows them."""
LEVEL = 6_000.0
"""The speech's own loudness is evened out to this root mean square before it is decoded."""
SILENCE = "SIL"


def model_path(name: str) -> str:
    """Return the path of a file in the wheel's model folder.

    Raises:
        NoEarError: the package is missing.
    """
    try:
        from pocketsphinx import get_model_path  # type: ignore[import-untyped]  # it has no types  # noqa: PLC0415  large: only when this engine is used
    except ImportError as error:
        raise NoEarError("The package pocketsphinx is not installed.", fix="pip install pocketsphinx") from error
    return str(get_model_path(name))


class Sphinx:
    """The decoder with its two searches."""

    def __init__(
        self, book: Phrasebook, dictionary: dict[str, list[Phones]], decoys: Iterable[str], folder: Path
    ) -> None:
        """Load the model, which takes a second or two; a small dictionary is written to `folder` meanwhile."""
        hmm, phones = model_path("en-us/en-us"), model_path("en-us/en-us-phone.lm.bin")
        from pocketsphinx import Config, Decoder  # noqa: PLC0415  as in model_path

        settings = {"beam": BEAM, "wbeam": WORD_BEAM, "pbeam": BEAM, "loglevel": "FATAL", "lm": None}
        self._decoder: Any = Decoder(Config(hmm=hmm, dict=str(_written(dictionary, folder)), **settings))
        self._decoder.add_jsgf_string("grammar", _grammar(book, [word for word in decoys if word in dictionary]))
        self._decoder.add_allphone_file("phones", phones)

    def words(self, samples: Samples) -> tuple[list[Part], float]:
        """Return what the grammar finds nearest, and the logarithm of its likelihood."""
        return self._decode("grammar", samples)

    def phones(self, samples: Samples) -> tuple[list[Part], float]:
        """Return the phones that are heard, whatever they spell, and the logarithm of their likelihood."""
        return self._decode("phones", samples)

    def _decode(self, search: str, samples: Samples) -> tuple[list[Part], float]:
        decoder = self._decoder
        decoder.activate_search(search)
        decoder.start_utt()
        decoder.process_raw(samples.tobytes(), full_utt=True)
        decoder.end_utt()
        best = decoder.hyp()
        if best is None or best.score <= 0:
            return [], 0.0
        parts = [(_bare(part.word), part.start_frame, part.end_frame) for part in decoder.seg()]
        score = float(decoder.logmath.log(best.score))
        return [part for part in parts if part[0]], score


def coverage(words: list[Part], phones: list[Part]) -> float:
    """Return the share of the speech, from its first phone to its last, that the words span."""
    if not phones:
        return 1.0
    span = sum(last - first + 1 for _, first, last in words)
    return min(1.0, span / (phones[-1][2] - phones[0][1] + 1))


def evened(samples: Samples) -> Samples:
    """Even out the loudness; clipping is left as it is."""
    sound = samples.astype(np.float32)
    level = float(np.sqrt(np.mean(sound**2)))
    gain = min(LEVEL / max(level, 1.0), 32_767.0 / max(float(np.abs(sound).max()), 1.0))
    return (sound * gain).astype(np.int16)


def negated(texts: Iterable[str]) -> list[str]:
    """Return texts that forbid what `texts` ask for."""
    heads = [f"{lead} {no}".strip() for lead in ("", *LEADS) for no in NEGATIONS]
    return [f"{head} {text}" for head in heads for text in texts]


def _written(known: dict[str, list[Phones]], folder: Path) -> Path:
    lines = []
    for word, ways in sorted(known.items()):
        lines += [f"{word}{f'({number})' if number > 1 else ''} {' '.join(way)}" for number, way in enumerate(ways, 1)]
    path = folder / "words.dict"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _grammar(book: Phrasebook, decoys: Iterable[str]) -> str:
    """Return the commands' grammar with decoys and negated commands beside them: what must not pass for a command."""
    text = (
        jsgf(book, (KEYS | ASKED_KEYS) - COUNTED)
        .replace("public <command>", "<command>")
        .replace("[<polite>]", f"[{POLITE}]")
    )
    wait = "([ask me | remind me | later] in | snooze [it] [for]) <number> (minute | minutes | hour | hours)"
    deed = "(approve [it | that | this] | go ahead | do it)"
    no = f"[{' | '.join(LEADS)}] ({' | '.join(NEGATIONS)}) [you | we | i] {deed}"
    beside = f"/{DECOY_WEIGHT}/ <decoy> [it | that | this] | /{NEGATED_WEIGHT}/ <negated>"
    rules = f"<wait> = {wait};\n<decoy> = {' | '.join(decoys)};\n<negated> = {no};\n"
    return f"{text}{rules}public <heard> = /1.0/ <command> | /{WAIT_WEIGHT}/ <wait> | {beside};\n"


def _bare(word: str) -> str:
    """Return a word without the number of its pronunciation; fillers and silence are empty."""
    if word.startswith(("<", "[", "(", "+")) or word == SILENCE:
        return ""
    return word.partition("(")[0]
