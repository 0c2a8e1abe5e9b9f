"""Makes the voices that everybody is compared with: `python -m tests.bench.speaker_training.make`, about four minutes.

It needs espeak-ng, and festival with festvox-kdlpc16k, and writes edge/speaker/background.npz. Synthetic voices only.
"""

import hashlib
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import edge.speaker
from edge.speaker.embedding import Background, deviations, shares_of, unit
from edge.speaker.measures import Floats, Measures, Unfit, measure
from tests.bench.ear_training.spoil import in_a_room, loudness
from tests.bench.speaker_training.people import FESTIVAL_TRAIN, Said, espeak_people, festival_people, resized

FILE = Path(edge.speaker.__file__).parent / "background.npz"
SEED = 31
PEOPLE, GAUSSIANS, DIMENSIONS, COHORT = 165, 32, 100, 400
TEXTS = (
    "approve", "yes, approve it", "go ahead", "confirm", "approve, please", "approve that", "please confirm", "do it",
    "run the tests of the modules", "what is waiting for me", "tell me more about this", "remind me in ten minutes",
    "she said the weather is fine today", "stop everything right now", "skip this one", "it needs more details",
)  # fmt: skip
SIZES = (0.84, 0.92, 1.0, 1.09, 1.19)
OTHER_SIZES = (0.86, 0.93, 1.08, 1.16)
RESIZED_PEOPLE = 80
ROOM_SHARE, NOISE_SHARE, NOISE_DB = 0.25, 0.5, (5.0, 35.0)
ROUNDS = 15
FRAMES_MAX = 40_000
"""So many frames are enough for the Gaussians."""
FULL = 32_000.0
FLOOR_SHARE, RIDGE_SHARE = 0.01, 1e-3


def people() -> Iterator[Said]:
    """Yield what all background people say; some of them in another size of throat as well."""
    chance = random.Random(SEED)  # noqa: S311  a choice of voices
    sizes: dict[str, float] = {}
    for said in espeak_people("train", PEOPLE, TEXTS, chance):
        yield said
        if said.who in sizes or len(sizes) < RESIZED_PEOPLE:
            yield resized(said, sizes.setdefault(said.who, chance.choice(OTHER_SIZES)))
    for said in festival_people(FESTIVAL_TRAIN, TEXTS, chance):
        yield from (resized(said, size) for size in SIZES)


def spoiled(said: Said, chance: np.random.Generator) -> Floats:
    """Return an utterance in a room now and then, with noise now and then."""
    sound = said.sound.astype(np.float32)
    if chance.random() < ROOM_SHARE:
        sound = in_a_room(sound, chance)
    result = sound.astype(np.float64)
    if chance.random() < NOISE_SHARE:
        level = loudness(sound) / 10 ** (chance.uniform(*NOISE_DB) / 20)
        result += chance.normal(size=len(sound)) * level
    return np.clip(result, -FULL, FULL)


def measured(said: Iterable[Said]) -> tuple[list[str], list[Measures]]:
    """Return who spoke and what was measured, of all utterances that are fit."""
    chance, names, found = np.random.default_rng(SEED), [], []
    for one in said:
        measures = measure(spoiled(one, chance))
        if not isinstance(measures, Unfit):
            names.append(one.who)
            found.append(measures)
    return names, found


def mixture(frames: Floats, chance: np.random.Generator) -> Background:
    """Return a background with nothing but its Gaussians, fitted by expectation and maximization."""
    count, floor = GAUSSIANS, FLOOR_SHARE * frames.var(axis=0)
    nothing = np.zeros(0)
    now = Background(
        name="",
        weights=np.full(count, 1 / count),
        means=frames[chance.choice(len(frames), count, replace=False)],
        variances=np.tile(frames.var(axis=0), (count, 1)),
        pitch=nothing,
        centre=nothing,
        projection=nothing,
        cohort=nothing,
    )
    for _ in range(ROUNDS):
        shares = shares_of(frames, now)
        counts = shares.sum(axis=0) + 1e-6
        means = shares.T @ frames / counts[:, None]
        variances = np.maximum(shares.T @ frames**2 / counts[:, None] - means**2, floor)
        now = now._replace(weights=counts / counts.sum(), means=means, variances=variances)
    return now


def whitening(vectors: Floats, names: list[str]) -> Floats:
    """Return a projection on the widest directions, scaled so that one voice varies alike in all of them."""
    _, _, axes = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    projected = (vectors - vectors.mean(axis=0)) @ axes[:DIMENSIONS].T
    who = np.unique(names, return_inverse=True)[1]
    means = np.stack([projected[who == one].mean(axis=0) for one in range(who.max() + 1)])
    within = np.cov((projected - means[who]).T)
    within += RIDGE_SHARE * np.trace(within) / DIMENSIONS * np.eye(DIMENSIONS)
    scaled: Floats = axes[:DIMENSIONS].T @ np.linalg.cholesky(np.linalg.inv(within))
    return scaled


def background(names: list[str], found: list[Measures]) -> Background:
    """Return the whole background."""
    chance = np.random.default_rng(SEED)
    frames = np.concatenate([one.cepstra for one in found])
    some = chance.choice(len(frames), min(len(frames), FRAMES_MAX), replace=False)
    made = mixture(frames[some], chance)
    made = made._replace(pitch=np.mean([one.pitch for one in found if one.pitch is not None], axis=0))
    vectors = np.stack([deviations(one, made) for one in found])
    made = made._replace(centre=vectors.mean(axis=0), projection=whitening(vectors, names))
    units = np.stack([unit(one) for one in (vectors - made.centre) @ made.projection])
    return made._replace(cohort=units[chance.choice(len(units), COHORT, replace=False)])


def main() -> None:
    """Record, fit and write."""
    names, found = measured(people())
    made = background(names, found)
    parts = {name: np.asarray(part, np.float16 if part.ndim > 1 else np.float32) for name, part in _parts(made)}
    np.savez_compressed(FILE, **parts)  # type: ignore[arg-type]  # its keywords are the arrays' names
    print(f"{len(set(names))} people, {len(found)} utterances, {FILE.stat().st_size // 1_000} kB")  # noqa: T201  a program
    print(hashlib.sha256(FILE.read_bytes()).hexdigest())  # noqa: T201  a program


def _parts(made: Background) -> list[tuple[str, Floats]]:
    return [(name, part) for name, part in made._asdict().items() if name != "name"]


if __name__ == "__main__":
    main()
