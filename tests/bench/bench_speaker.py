"""The speaker lock on voices that its background was not made of, and on which its bar was not chosen.

`python -m tests.bench.bench_speaker DIR` measures recordings of people instead: a folder for each, with WAV files of
which the first eight (or all but the last, where there are fewer) enrol. `--bars` shows what other bars would cost, on
the voices for calibration; that is how the bar was chosen.
"""

import random
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from edge.engines.ear import Samples
from edge.phrase_files import phrasebook
from edge.recordings import NOISES, Noise, read_sound, with_noise
from edge.speaker.measures import Floats
from edge.speaker.template import SPREADS_BELOW, Template, enrol
from edge.speaker.verification import SpeakerLock
from edge.speaker_files import background
from edge.speech.enrolment import enrolment_lines
from tests.bench.ear_training.voices import FLITE
from tests.bench.figures import Figure
from tests.bench.speaker_training.people import FESTIVAL_HELD, Said, espeak_people, festival_people, flite_people

SEED = 17
ESPEAK_PEOPLE = 34
SPOKEN = ("approve", "approve it", "yes approve", "go ahead", "confirm", "confirm it", "yes do it", "approve please")
BARS = (1.0, 1.5, 2.0)
ENROLLING = 8
FALSE_ACCEPT_MAX, FALSE_REJECT_MAX = 0.05, 0.1
UNFIT = -2.0
"""Further below every bar than anything that can be judged."""


class Person(NamedTuple):
    """What somebody says to enrol, and afterwards."""

    enrolling: list[Samples]
    later: list[Samples]


class Scores(NamedTuple):
    """How far beyond the wearer's bar: the wearers' own utterances, and everybody else's against each wearer."""

    own: Floats
    others: Floats
    enrolled: int

    def false_reject(self, bar: float = 0.0) -> float:
        """Return the share of the wearers' own utterances that are vetoed."""
        return float(np.mean(self.own < bar))

    def false_accept(self, bar: float = 0.0) -> float:
        """Return the share of others' utterances that pass."""
        return float(np.mean(self.others >= bar))

    def equal_error(self) -> float:
        """Return the error where both are alike, all bars being moved together."""
        bars = np.unique([*self.own, *self.others])
        rejected = np.searchsorted(np.sort(self.own), bars) / len(self.own)
        accepted = 1 - np.searchsorted(np.sort(self.others), bars) / len(self.others)
        at = int(np.argmin(np.abs(rejected - accepted)))
        return float(rejected[at] + accepted[at]) / 2


def run() -> list[Figure]:
    """Return the figures of synthetic voices."""
    kinds = {"espeak-ng": espeak("held", ESPEAK_PEOPLE), "flite": flite()}
    if shutil.which("festival"):
        kinds["festival"] = festival()
    else:
        sys.stderr.write("festival is not here: its voices are left out\n")
    return [figure for kind, people in kinds.items() for figure in measured(kind, people)]


def espeak(part: str, count: int) -> dict[str, Person]:
    """Return people of espeak-ng's variants of a part."""
    chance = random.Random(SEED)  # noqa: S311  a choice of voices
    return _people(espeak_people(part, count, (*_lines(), *SPOKEN), chance))  # type: ignore[arg-type]  # a part's name


def flite() -> dict[str, Person]:
    """Return flite's voices as people."""
    return _people(flite_people(FLITE, (*_lines(), *SPOKEN, *SPOKEN), random.Random(SEED)))  # noqa: S311  a choice of paces


def festival() -> dict[str, Person]:
    """Return those of festival's voices that nothing was made of."""
    chance = random.Random(SEED)  # noqa: S311  a choice of paces
    return _people(festival_people(FESTIVAL_HELD, (*_lines(), *SPOKEN, *SPOKEN), chance))


def recorded(folder: Path) -> dict[str, Person]:
    """Return recorded people."""
    found = {}
    for inner in sorted(one for one in folder.iterdir() if one.is_dir()):
        sounds = [read_sound(path) for path in sorted(inner.glob("*.wav"))]
        count = min(ENROLLING, len(sounds) - 1)
        found[inner.name] = Person(sounds[:count], sounds[count:])
    return found


def _lines() -> Sequence[str]:
    return enrolment_lines(phrasebook("en"))


def _people(said: Iterable[Said]) -> dict[str, Person]:
    count, found = len(_lines()), dict[str, list[Samples]]()
    for one in said:
        found.setdefault(one.who, []).append(one.sound)
    return {who: Person(sounds[:count], sounds[count:]) for who, sounds in found.items()}


def scores(people: Mapping[str, Person], noise: Noise, *, spreads_below: float = SPREADS_BELOW) -> Scores:
    """Return how far everybody's later utterances reach beyond every wearer's bar. Enrolment has no noise added.

    A wearer whose sentences are refused is nobody's figure; how many were taken is the third part.
    """
    chance = np.random.default_rng(SEED)
    own: list[float] = []
    others: list[float] = []
    found = {who: enrol(person.enrolling, background(), spreads_below=spreads_below) for who, person in people.items()}
    templates = {who: template for who, template in found.items() if isinstance(template, Template)}
    locks = {who: SpeakerLock(template, background()) for who, template in templates.items()}
    for who, person in people.items():
        for sound in person.later:
            noised = with_noise(sound, noise, chance)
            for wearer, lock in locks.items():
                reached = lock.reached(noised)
                beyond = UNFIT if reached is None else reached - templates[wearer].bar
                (own if who == wearer else others).append(beyond)
    return Scores(np.array(own), np.array(others), len(locks))


def measured(kind: str, people: Mapping[str, Person]) -> Iterator[Figure]:
    """Yield the figures of one kind of people."""
    for noise in NOISES:
        found = scores(people, noise)
        count = f"{found.enrolled} of {len(people)} {kind} voices, {noise}"
        yield _figure(f"{count}: equal error rate", found.equal_error(), None)
        yield _figure(f"{count}: others taken for the wearer", found.false_accept(), FALSE_ACCEPT_MAX)
        yield _figure(f"{count}: wearers not recognised", found.false_reject(), FALSE_REJECT_MAX)


def _figure(what: str, value: float, goal: float | None) -> Figure:
    return Figure(bench="speaker", what=what, value=value, unit="share", goal=goal, better="lower")


def bars(people: Mapping[str, Person]) -> Iterator[str]:
    """Yield what each bar would cost."""
    for spreads_below in BARS:
        for noise in NOISES:
            found = scores(people, noise, spreads_below=spreads_below)
            accepted, rejected = found.false_accept(), found.false_reject()
            yield f"{spreads_below} below, {noise}: others {accepted:.1%}, wearers {rejected:.1%}"


def main() -> None:
    """Measure recordings, or show bars."""
    if sys.argv[1] == "--bars":
        people = recorded(Path(sys.argv[2])) if sys.argv[2:] else espeak("calibrate", ESPEAK_PEOPLE)
        lines = bars(people)
    else:
        lines = (f"{one.what}: {one.value:.1%}" for one in measured("recorded", recorded(Path(sys.argv[1]))))
    for line in lines:
        print(line)  # noqa: T201  a program


if __name__ == "__main__":
    main()
