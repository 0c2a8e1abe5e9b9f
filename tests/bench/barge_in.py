"""Whether a word spoken over a prompt is heard: `python -m tests.bench.barge_in TRIES`.

The glasses' voice plays on a virtual sound card whose microphone hears it back, some 24 dB softer, through PulseAudio's
echo canceller; meanwhile other voices say a command into the same microphone. What comes out of the canceller goes
through the glasses' segmenter, ear and judge, under the rule for their own words (edge/app.py). A prompt is followed by
one that nobody speaks over: whatever is understood there is false.
"""

import argparse
import asyncio
import itertools
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
import wave
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from edge.app import OWN_WORDS_S
from edge.engines.choice import make_ear
from edge.engines.ear import RATE, Ear, Samples
from edge.engines.espeak_mouth import EspeakMouth
from edge.hearing import Hearer
from edge.phrase_files import phrasebook, sentences
from edge.settings import EdgeSettings
from edge.speech import saying
from edge.speech.own_words import own_words
from edge.speech.turn import AnyHappened, Heard
from edge.talking import SENTENCES
from tests.bench.ear_training.voices import FLITE, Voice, espeak_voice, say
from tests.edge.cards import OPEN_VERBS, prediction
from tests.edge.sound_card import SoundCard, sound_card

ASKED = (
    "Run the tests of the hub",
    "Write to the landlord about the heating in the kitchen",
    "Book a table for four people on Friday evening",
    "Update the packages on the small server",
    "Move the meeting with the auditors to Monday",
)
COMMANDS = {"skip this one": "skip", "later": "later", "repeat that": "repeat", "more details": "details"}
SEED = 23
BLOCK, BLOCK_BYTES = RATE // 10, 640
BEGIN_S_MIN, LAST_S, AFTER_S = 0.4, 2.0, 1.0
"""Nobody begins before the first, or later than the second before the last sentence; the third is recorded after."""


class Try(NamedTuple):
    """One prompt as it came out of the canceller; `said` is the meaning of what was said over it, or nothing."""

    sound: Samples
    parts: list[tuple[str, float]]
    """Its sentences, each with the second at which it ends."""
    voice: str
    said: str


class _Recorder:
    """Everything that a source brings, from its first moment: a canceller has to hear all of it to learn."""

    def __init__(self, card: SoundCard, source: str) -> None:
        program = ["parec", f"--device={source}", f"--rate={RATE}", "--channels=1", "--format=s16le"]
        self._process = subprocess.Popen([*program, "--latency-msec=20"], env=card.environment, stdout=subprocess.PIPE)
        self._parts: list[bytes] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while block := self._process.stdout.read(BLOCK_BYTES):
            self._parts.append(block)

    def since(self, count: int) -> Samples:
        """Return what came after so many blocks."""
        return np.frombuffer(b"".join(self._parts[count:]), np.int16)

    @property
    def count(self) -> int:
        return len(self._parts)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


def record(tries: int) -> Iterator[Try]:
    """Yield so many prompts that somebody speaks over, each with one that nobody does."""
    chance, mouth = random.Random(SEED), EspeakMouth("en")  # noqa: S311  a choice of voices
    commands, asked = itertools.cycle(COMMANDS), itertools.cycle(ASKED)
    with sound_card(echo=True, canceller=True) as card, tempfile.TemporaryDirectory() as name:
        recorder = _Recorder(card, "cancelled")
        room = _Room(card, recorder, mouth, Path(name), chance)
        for number in range(tries):
            voice = espeak_voice("held", chance) if number % 2 else Voice("flite", chance.choice(FLITE))
            yield _try(room, next(asked), next(commands), voice)
            yield _try(room, next(asked), "", voice)
        recorder.stop()


class _Room(NamedTuple):
    """Where the tries are held."""

    card: SoundCard
    recorder: _Recorder
    mouth: EspeakMouth
    folder: Path
    chance: random.Random


def _try(room: _Room, prompt: str, command: str, voice: Voice) -> Try:
    """Play one prompt, and what is said over it."""
    card, recorder, mouth, folder, chance = room
    text = saying.card(prediction(prompt=prompt), OPEN_VERBS, sentences("en"), "brief").text
    spoken = [(one, np.concatenate([*mouth.speak(one)])) for one in SENTENCES.split(text)]
    ends_s = np.cumsum([len(sound) / mouth.rate for _, sound in spoken])
    ours = _written(folder / "ours.wav", np.concatenate([sound for _, sound in spoken]), mouth.rate)
    theirs = _written(folder / "theirs.wav", say(command, voice), RATE) if command else None
    begin_s = chance.uniform(BEGIN_S_MIN, max(BEGIN_S_MIN, float(ends_s[-2]) - LAST_S))
    at = recorder.count
    playing = [_played(card, ours, "cancelling")]
    if theirs is not None:
        time.sleep(begin_s)
        playing.append(_played(card, theirs, "mic_feed"))
    for one in playing:
        one.wait()
    time.sleep(AFTER_S)
    parts = [(one, float(end_s)) for (one, _), end_s in zip(spoken, ends_s, strict=True)]
    return Try(recorder.since(at), parts, voice.name, COMMANDS.get(command, ""))


def _written(path: Path, sound: Samples, rate: int) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(sound.astype("<i2").tobytes())
    return path


def _played(card: SoundCard, path: Path, sink: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(["paplay", f"--device={sink}", "--latency-msec=100", str(path)], env=card.environment)


async def hear(ear: Ear, one: Try) -> list[str]:
    """Return the commands that the glasses would take from a prompt."""
    book, found, at_s = phrasebook("en"), list[str](), 0.0

    def heard(event: AnyHappened) -> None:
        if isinstance(event, Heard):
            begins_s = [0.0, *(end_s for _, end_s in one.parts)]
            audible = [
                text
                for (text, end_s), begin_s in zip(one.parts, begins_s, strict=False)
                if begin_s <= at_s and end_s >= at_s - OWN_WORDS_S
            ]
            if event.command.word not in own_words(" ".join(audible), book):
                found.append(str(event.command.word))

    hearer = Hearer(ear, book, heard)
    hearer.listen(on=True)
    for at in range(0, len(one.sound), BLOCK):
        at_s = at / RATE
        hearer.hear(one.sound[at : at + BLOCK])
        await hearer.settled()
    return found


def measure(tries: list[Try]) -> dict[str, object]:
    """Return how many commands were heard, by voice, and what was understood where nobody had spoken."""
    ear = make_ear(EdgeSettings())
    heard, asked, false = Counter[str](), Counter[str](), Counter[str]()
    for one in tries:
        found = asyncio.run(hear(ear, one))
        family = "flite" if one.voice in FLITE else "espeak"
        asked[family] += bool(one.said)
        heard[family] += one.said in found
        false.update(word for word in found if word != one.said)
    return {"tries": dict(asked), "heard": dict(heard), "false": dict(false)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tries", type=int)
    found = measure(list(record(parser.parse_args().tries)))
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
