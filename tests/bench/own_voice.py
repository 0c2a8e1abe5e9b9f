"""What the ear makes of the glasses' own prompts: `python -m tests.bench.own_voice PROMPTS`.

The worst case: nothing takes our voice out of what the microphone hears, and the ear is open all the same. Each prompt
is a card read aloud, fed back at a quarter of its loudness over some noise. A command that is understood counts as
false unless it is one of the prompt's own words, by the same rule as in the running glasses (edge/app.py).
"""

import argparse
import asyncio
import json
import sys
from collections import Counter

import numpy as np

from edge.app import OWN_WORDS_S
from edge.audio.samples import convert
from edge.engines.choice import make_ear
from edge.engines.ear import RATE, Samples
from edge.engines.espeak_mouth import EspeakMouth
from edge.hearing import Hearer
from edge.phrase_files import phrasebook, sentences
from edge.settings import EdgeSettings
from edge.speech import saying
from edge.speech.own_words import own_words
from edge.speech.turn import AnyHappened, Heard
from edge.talking import SENTENCES
from hub.contract.words import Risk
from tests.bench.soak_voice import WORDS
from tests.edge.cards import OPEN_VERBS, prediction

BLOCK = RATE // 10
ECHO, NOISE = 0.25, 20.0
PROMPT_WORDS = (3, 14)
SEED = 11


async def measure(prompts: int) -> dict[str, object]:
    """Let so many prompts be heard; return what was understood of them."""
    chance, mouth, book = np.random.default_rng(SEED), EspeakMouth("en"), phrasebook("en")
    counts: Counter[str] = Counter()
    window: list[str] = []

    def heard(event: AnyHappened) -> None:
        if isinstance(event, Heard):
            own = event.command.word in own_words(" ".join(window), book)
            counts[f"{'own' if own else 'false'} {event.command.word}"] += 1

    hearer = Hearer(make_ear(EdgeSettings()), book, heard)
    for _ in range(prompts):
        hearer.listen(on=True)
        text = _text(chance)
        parts = [(one, _spoken(mouth, one, chance)) for one in SENTENCES.split(text)]
        ends = np.cumsum([len(sound) for _, sound in parts])
        whole = np.concatenate([sound for _, sound in parts])
        for at in range(0, len(whole), BLOCK):
            window[:] = [
                one
                for (one, sound), end in zip(parts, ends, strict=True)
                if end - len(sound) <= at + BLOCK and end >= at - OWN_WORDS_S * RATE
            ]
            hearer.hear(whole[at : at + BLOCK])
            await hearer.settled()
    return {"prompts": prompts, "understood": dict(counts), "false": _false(counts)}


def _false(counts: Counter[str]) -> int:
    return sum(count for key, count in counts.items() if key.startswith("false"))


def _text(chance: np.random.Generator) -> str:
    prompt = " ".join(chance.choice(WORDS, chance.integers(*PROMPT_WORDS)))
    card = prediction(prompt=prompt, risk=list(Risk)[int(chance.integers(2))])
    return saying.card(card, OPEN_VERBS, sentences("en"), "brief").text


def _spoken(mouth: EspeakMouth, sentence: str, chance: np.random.Generator) -> Samples:
    sound = convert(np.concatenate([np.zeros(0, np.int16), *mouth.speak(sentence)]), mouth.rate)
    return (sound * ECHO + chance.normal(size=len(sound)) * NOISE).astype(np.int16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompts", type=int)
    sys.stdout.write(json.dumps(asyncio.run(measure(parser.parse_args().prompts)), indent=2) + "\n")


if __name__ == "__main__":
    main()
