"""Fits how far the ear believes its evidence: `python -m tests.bench.ear_training.calibrate CLIPS`.

Only voices and texts kept for calibration are used. It writes edge/engines/belief_en.toml and prints what each bar
costs; the bars themselves are chosen by a person, in edge/engines/sphinx_ear.py. When to ask "Approve?" has weights of
its own, which `… .questions CLIPS` fits on other clips.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from edge.engines import belief
from edge.engines.belief import Evidence, Weights
from edge.engines.ear import usable
from edge.engines.sphinx_ear import REPLY, SphinxEar
from edge.hearing import stretches
from edge.phrase_files import phrasebook
from edge.recordings import NOISES, Noise, with_noise
from edge.speech.commands import GRANTING, Command
from edge.speech.grammar import understand

WEIGHTS = Path(belief.__file__).parent / "belief_en.toml"
SEED = 5
EDGE_SAMPLES = (1_600, 2_400)
STRANGER_WEIGHT = 3.0
"""A clip of a synthesizer that the network does not know counts so much more."""
STEPS, DECAY = 40, 0.5
BARS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99)


Row = tuple[tuple[float, ...], bool, float]
"""The numbers of one evidence, whether its text was said, and how much it counts."""


class Heard(NamedTuple):
    """One stretch of speech, what was really said, and what it may have been."""

    family: str
    text: str
    noise: str
    found: dict[str, Evidence]


def gather(ear: SphinxEar, path: Path, noises: Sequence[Noise] = NOISES) -> Iterator[Heard]:
    """Yield the evidence of every clip at every level of noise."""
    chance = np.random.default_rng(SEED)
    with np.load(path) as file:
        clips, texts = np.split(file["sound"], file["ends"][:-1]), [str(text) for text in file["texts"]]
        families = [str(family) for family in file["families"]]
    for clip, text, family in zip(clips, texts, families, strict=True):
        for noise in noises:
            for stretch in stretches(with_noise(np.pad(clip, EDGE_SAMPLES), noise, chance)):
                sound = usable(stretch)
                if sound is not None:
                    yield Heard(family, text, noise, ear.weigh(sound))


def fit(heard: Iterable[Heard], before: Weights) -> Weights:
    """Return the weights of both kinds of commands, beside those for asking that there were `before`."""
    book = phrasebook("en")
    rows: dict[bool, list[Row]] = {True: [], False: []}
    for one in heard:
        said = understand(one.text, book)
        weight = 1.0 if one.family.startswith("espe") else STRANGER_WEIGHT
        for text, evidence in one.found.items():
            meaning = understand(text, book)
            if isinstance(meaning, Command) and meaning != REPLY:
                rows[meaning.word in GRANTING].append((belief.numbers(evidence), meaning == said, weight))
    return replace(before, granting=regression(rows[True]), other=regression(rows[False]))


def regression(rows: list[Row]) -> list[float]:
    """Return a logistic regression's weights, by Newton's method with a little decay."""
    inputs = np.array([row[0] for row in rows])
    right, counts = np.array([row[1] for row in rows], float), np.array([row[2] for row in rows])
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(inputs @ weights, -60, 60)))
        slope = inputs.T @ (counts * (likely - right)) + DECAY * weights
        curve = (inputs * (counts * likely * (1 - likely))[:, None]).T @ inputs + DECAY * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return [round(float(weight), 4) for weight in weights]


def costs(heard: Iterable[Heard], weights: Weights) -> Iterator[str]:
    """Yield what each bar costs: the commands that are lost and the others that are taken for one."""
    book = phrasebook("en")
    for granting in (True, False):
        beliefs: dict[str, list[tuple[bool, float]]] = {"right": [], "wrong": [], "lost": []}
        for one in heard:
            said, best = understand(one.text, book), _best(one, weights)
            wanted = isinstance(said, Command) and (said.word in GRANTING) is granting
            meaning = understand(best[0], book)
            taken = isinstance(meaning, Command) and (meaning.word in GRANTING) is granting
            kind = "right" if wanted and meaning == said else "wrong" if taken else "lost" if wanted else ""
            if kind:
                beliefs[kind].append((wanted, best[1]))
        wanted_count = len(beliefs["right"]) + len(beliefs["lost"]) + sum(mark for mark, _ in beliefs["wrong"])
        for bar in BARS:
            right = sum(much >= bar for _, much in beliefs["right"])
            wrong = sum(much >= bar for _, much in beliefs["wrong"])
            yield f"granting={granting} bar {bar}: {right}/{wanted_count} understood, {wrong} falsely"


def _best(one: Heard, weights: Weights) -> tuple[str, float]:
    book, best = phrasebook("en"), ("", 0.0)
    for text, evidence in one.found.items():
        meaning = understand(text, book)
        granting = isinstance(meaning, Command) and meaning.word in GRANTING
        much = weights.believe(evidence, granting=granting)
        best = max(best, (text, much), key=lambda pair: pair[1])
    return best


def write(weights: Weights) -> None:
    """Write belief_en.toml."""
    lines = [f"{name} = {getattr(weights, name)}\n" for name in ("granting", "other", "asking", "agreeing")]
    WEIGHTS.write_text("".join(lines), encoding="utf-8")


def main(path: Path) -> None:
    """Fit, write and show."""
    heard = list(gather(SphinxEar(phrasebook("en")), path))
    before = msgspec.toml.decode(WEIGHTS.read_bytes(), type=Weights)
    weights = fit(heard, before)
    write(weights)
    for line in costs(heard, weights):
        print(line)  # noqa: T201  a program


if __name__ == "__main__":
    main(Path(sys.argv[1]))
