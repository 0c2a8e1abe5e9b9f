"""Synthetic people for speaker verification: each keeps a voice, and says things a little differently every time.

The parts are those of the ear's voices: the background is made of espeak-ng's variants for training and of festival's
`ked` at five sizes of throat; the bar is chosen on the variants for calibration; all else only judges. Festival's `slt`
and `kal` are left out of training here, for flite has the same speakers.
"""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from tests.bench.ear_training.voices import ACCENTS, VARIANTS, Part, Sound, Voice, say, say_with_festival

PITCH, PACE = (20, 80), (130, 190)
PITCH_SWAY, PACE_SWAY = 7, 0.12
"""How far a person strays from their own pitch (espeak-ng's numbers) and pace, either way."""
AT_ONCE = 2
FESTIVAL_TRAIN, FESTIVAL_HELD = ("ked_diphone",), ("kal_diphone", "cmu_us_slt_arctic_hts")


class Said(NamedTuple):
    """One utterance and whose it is."""

    who: str
    text: str
    sound: Sound


def espeak_people(part: Part, count: int, texts: Sequence[str], chance: random.Random) -> Iterator[Said]:
    """Yield every text said by each of so many people, each with another variant while there are any."""
    jobs = []
    for number in range(count):
        name = f"{chance.choice(ACCENTS[part])}+{VARIANTS[part][number % len(VARIANTS[part])]}"
        pitch, pace = chance.randint(*PITCH), chance.randint(*PACE)
        for text in texts:
            swayed = pitch + chance.randint(-PITCH_SWAY, PITCH_SWAY)
            quick = round(pace * chance.uniform(1 - PACE_SWAY, 1 + PACE_SWAY))
            jobs.append((f"{name} {pitch}", text, Voice("espeak", name, quick, swayed)))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sounds = pool.map(lambda job: say(job[1], job[2]), jobs)
        yield from (Said(who, text, sound) for (who, text, _), sound in zip(jobs, sounds, strict=True))


def flite_people(names: Sequence[str], texts: Sequence[str], chance: random.Random) -> Iterator[Said]:
    """Yield every text said by each of flite's voices, at the paces of a person."""
    for name in names:
        for text in texts:
            pace = round(160 * chance.uniform(1 - PACE_SWAY, 1 + PACE_SWAY))
            yield Said(name, text, say(text, Voice("flite", name, pace)))


def festival_people(names: Sequence[str], texts: Sequence[str], chance: random.Random) -> Iterator[Said]:
    """Yield every text said by each of festival's voices, at the paces of a person."""
    for name in names:
        lines = [(text, chance.uniform(1 - PACE_SWAY, 1 + PACE_SWAY)) for text in texts]
        for (text, _), sound in zip(lines, say_with_festival(name, lines), strict=True):
            yield Said(name, text, sound)


def resized(said: Said, factor: float) -> Said:
    """Return what a smaller (factor above 1) or larger person would have said."""
    at = np.arange(0, len(said.sound) - 1, factor)
    sound = np.interp(at, np.arange(len(said.sound)), said.sound).astype(np.int16)
    return Said(f"{said.who} x {factor}", said.text, sound)
