"""Lets the voices of one part say texts, into one file: `python -m tests.bench.ear_training.record PART COUNT FILE`."""

import random
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from pocketsphinx import get_model_path  # type: ignore[import-untyped]  # it has no types

from tests.bench.ear_training.texts import SHARES, SHARES_OF, Texts, read_pronunciations
from tests.bench.ear_training.voices import (
    FESTIVAL,
    FLITE_OF,
    Part,
    Sound,
    espeak_voice,
    flite_voice,
    say,
    say_with_festival,
)

HELD_TEXTS = Path(__file__).parents[1] / "voice_texts.toml"
SEEDS: dict[Part, int] = {"train": 1, "calibrate": 2, "held": 3, "hard": 4, "answers": 5}
FESTIVAL_SHARE, FLITE_SHARE = 0.2, 0.45
AT_ONCE = 2
STRETCH = (0.8, 1.3)


def held_texts() -> frozenset[str]:
    """Return the texts of more than one word that are only for judging, as the ear spells them."""
    texts = tomllib.loads(HELD_TEXTS.read_text(encoding="utf-8"))
    lines = [line for group in ("commands", "none") for held in texts[group]["held"].values() for line in held]
    plain = [" ".join(line.lower().replace(",", " ").split()) for line in lines]
    commands = {word for lines in texts["commands"]["tune"].values() for line in lines for word in line.lower().split()}
    return frozenset(line for line in plain if " " in line or line not in commands)


def record(part: Part, count: int) -> Iterator[tuple[str, str, Sound]]:
    """Yield `(family, text, sound)`."""
    chance = random.Random(SEEDS[part])  # noqa: S311  a choice of voices
    texts = Texts(
        read_pronunciations(Path(get_model_path("en-us/cmudict-en-us.dict"))),
        held_texts(),
        SEEDS[part],
        SHARES_OF.get(part, SHARES),
    )
    names = FESTIVAL[part]
    by_festival = int(count * FESTIVAL_SHARE) if names else 0
    lines = [texts.draw() for _ in range(count - by_festival)]
    by_flite = int(len(lines) * FLITE_SHARE) if FLITE_OF[part] else 0
    voices = [(flite_voice if at < by_flite else espeak_voice)(part, chance) for at in range(len(lines))]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for text, voice, sound in zip(lines, voices, pool.map(say, lines, voices), strict=True):
            yield voice.family, text, sound
    for name in names:
        spoken = [(texts.draw(), chance.uniform(*STRETCH)) for _ in range(by_festival // len(names))]
        for (text, _), sound in zip(spoken, say_with_festival(name, spoken), strict=True):
            yield name, text, sound


def main(part: Part, count: int, path: Path) -> None:
    """Write the sounds end to end, with where each one starts."""
    families, texts, sounds = zip(*record(part, count), strict=True)
    ends = np.cumsum([len(sound) for sound in sounds])
    np.savez(path, families=families, texts=texts, ends=ends, sound=np.concatenate(sounds))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))  # type: ignore[arg-type]  # a person's word for a part
