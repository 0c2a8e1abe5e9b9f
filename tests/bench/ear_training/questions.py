"""Fits when "Approve?" is worth asking, and what counts as a yes to it: `… .questions CLIPS`, of the part `answers`.

It changes the weights for asking alone, in edge/engines/belief_en.toml, and prints what each bar costs; the bars
themselves are chosen by a person, in edge/engines/sphinx_ear.py.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from edge.engines import belief
from edge.engines.belief import Weights
from edge.engines.sphinx_ear import APPROVAL, REPLY, SphinxEar
from edge.phrase_files import phrasebook
from edge.recordings import Noise
from edge.speech.commands import Command
from edge.speech.grammar import understand
from tests.bench.ear_training.calibrate import WEIGHTS, Heard, gather, regression, write

LEVELS: tuple[Noise, ...] = ("clean", "10 dB")
BARS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def fit(heard: Iterable[Heard], meant: Command) -> list[float]:
    """Return the weights by which a meaning is told from all that may be taken for it."""
    book = phrasebook("en")
    return regression(
        [
            (belief.numbers(evidence), meant == understand(one.text, book), 1.0)
            for one in heard
            for text, evidence in one.found.items()
            if understand(text, book) == meant
        ]
    )


def costs(heard: Iterable[Heard], weights: Weights) -> Iterator[str]:
    """Yield what each bar of the question, and of a yes, costs: who is not heard, and what else is."""
    book = phrasebook("en")
    for word, meant, weigh in (("Approve?", APPROVAL, weights.suspect), ("yes", REPLY, weights.agree)):
        for noise in LEVELS:
            marks: dict[bool, list[float]] = {True: [], False: []}
            for one in heard:
                if one.noise == noise:
                    found = (weigh(known) for text, known in one.found.items() if understand(text, book) == meant)
                    marks[understand(one.text, book) == meant].append(max(found, default=0.0))
            for bar in BARS:
                right, wrong = (sum(much >= bar for much in marks[mark]) for mark in (True, False))
                yield f"{word} {noise} bar {bar}: {right}/{len(marks[True])} heard, {wrong}/{len(marks[False])} falsely"


def main(path: Path) -> None:
    """Fit, write and show."""
    heard = list(gather(SphinxEar(phrasebook("en")), path, LEVELS))
    before = msgspec.toml.decode(WEIGHTS.read_bytes(), type=Weights)
    weights = replace(before, asking=fit(heard, APPROVAL), agreeing=fit(heard, REPLY))
    write(weights)
    for line in costs(heard, weights):
        print(line)  # noqa: T201  a program


if __name__ == "__main__":
    main(Path(sys.argv[1]))
