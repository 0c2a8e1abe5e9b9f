"""Records lone approvals, yeses and look-alikes by held voices: `python -m tests.bench.approvals DIR`.

`pulse bench voice DIR --json` then tells which share ends approved within two turns. Voices and texts are kept apart
from what trained the ear and chose its bars, but for the look-alikes of NAMED, which it may have heard from others.
"""

import random
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from edge.recordings import Recording
from tests.bench.bench_voice import TEXTS, write_sound
from tests.bench.ear_training.voices import Voice, espeak_voice, flite_voice, has_pico, pico_voice, say

SEED = 607
NAMED = ("improve", "approach", "a groove", "app rove", "remove", "a privilege", "uproot it", "the breeze", "perhaps")
APPROVALS, YESES, EACH = 100, 30, 2
"""So many recordings of each kind of voice; of each look-alike by espeak-ng's, and one by flite's and Pico's each."""


def said(chance: random.Random) -> Iterator[tuple[str, str, str, Voice]]:
    """Yield label, text, kind and voice."""
    none = tomllib.loads(TEXTS.read_text(encoding="utf-8"))["none"]["held"]
    pico = [pico_voice] if has_pico() else []
    for make in (espeak_voice, flite_voice, *pico):
        for label, count in (("approve", APPROVALS), ("yes", YESES)):
            for _ in range(count):
                voice = make("held", chance)
                yield label, label, voice.family, voice
    for kind, lines in (("look-alike", (*none["look-alike"], *NAMED)), ("homophone", none["homophone"])):
        for text in lines:
            for make in (*[espeak_voice] * EACH, flite_voice, *pico):
                yield "none", text, kind, make("held", chance)


def main(folder: Path) -> None:
    """Write the recordings and their labels."""
    labels = []
    for number, (label, text, kind, voice) in enumerate(said(random.Random(SEED))):  # noqa: S311  a choice of voices
        path = folder / f"{number:04}.wav"
        write_sound(path, say(text, voice))
        labels.append(
            Recording(file=path.name, label=label, text=text, kind=kind, voice=f"{voice.family} {voice.name}")
        )
    (folder / "labels.json").write_bytes(msgspec.json.encode(labels))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
