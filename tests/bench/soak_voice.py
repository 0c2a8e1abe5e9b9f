"""Soak of the glasses' ear: `python -m tests.bench.soak_voice MINUTES`: random babble, false approvals and memory.

People talk around somebody whom the glasses ask one question after the other, of low and of medium risk in turn, and
nobody answers. What is said is made of random words, one to three synthetic voices at once, over noise of changing
loudness; commands' own words occur, never alone. Every approval is a false one. Minutes are minutes of sound.
"""

import argparse
import asyncio
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil

from edge.app import manner_of
from edge.engines.choice import make_ear
from edge.engines.ear import RATE, Ear, Samples
from edge.hearing import Hearer
from edge.phrase_files import phrasebook
from edge.recordings import read_sound
from edge.settings import EdgeSettings
from edge.speech.turn import Answer, AnyHappened, CardCame, Judged, Listen, Speak, Spoken, Turn
from edge.speech.turns import step
from hub.contract.words import Risk
from tests.edge.cards import delivery

WORDS = Path(__file__).with_name("babble_words.txt").read_text().split()
ESPEAK = ("en-us", "en-gb", "en-gb-scotland", "en-us+m3", "en-us+f2", "en-gb+m7", "en-gb+f4", "en-gb-x-rp+f1")
FLITE = ("rms", "slt", "awb", "kal16")
POOL, SENTENCE_WORDS = 240, (3, 9)
BLOCK = RATE // 10
SPEECH_LEVEL, NOISE_LEVELS = 3_000.0, (5.0, 40.0, 150.0)
SEED = 7
MB = 1_048_576


class Listener:
    """A conversation in which somebody is always being asked."""

    def __init__(self, ear: Ear | None = None) -> None:
        self._manner = manner_of(EdgeSettings())
        self._risks = itertools.cycle((Risk.LOW, Risk.MEDIUM))
        self.turn = Turn()
        self.hearer = Hearer(ear or make_ear(EdgeSettings()), phrasebook("en"), self.tell)
        self.answers: Counter[str] = Counter()
        self.heard: Counter[str] = Counter()
        self.asked = 0

    def ask(self) -> None:
        """Ask the next question when nothing is being asked."""
        while self.turn.phase == "idle":
            self.asked += 1
            self.tell(CardCame(delivery=delivery(f"card{self.asked}", risk=next(self._risks))))

    def tell(self, event: AnyHappened) -> None:
        """Let one thing happen; what is said is heard at once, and the hub takes every answer."""
        self.heard[type(event).__name__] += 1
        risk = self._risk()
        self.turn, acts = step(self.turn, self._manner, event)
        for act in acts:
            match act:
                case Listen():
                    self.hearer.listen(on=act.on)
                case Speak():
                    self.tell(Spoken(number=act.number))
                case Answer():
                    self.answers[f"{act.verb} at {risk} risk"] += 1
                    self.tell(Judged(decision=act.number, accepted=True, text="Running."))

    def _risk(self) -> str:
        event = None if self.turn.card is None else self.turn.card.event
        prediction = getattr(event, "prediction", None)
        return "no" if prediction is None else str(prediction.risk)


def pool(folder: Path, chance: np.random.Generator, count: int = POOL) -> list[Samples]:
    """Let every voice say some random sentences."""
    said = []
    for number in range(count):
        words = " ".join(chance.choice(WORDS, chance.integers(*SENTENCE_WORDS)))
        path = folder / f"{number}.wav"
        if number % 3:
            voice, speed = chance.choice(ESPEAK), str(chance.integers(120, 220))
            program = [
                "espeak-ng",
                "-v",
                voice,
                "-s",
                speed,
                "-p",
                str(chance.integers(20, 80)),
                "-w",
                str(path),
                words,
            ]
        else:
            program = ["flite", "-voice", chance.choice(FLITE), "-t", words, "-o", str(path)]
        subprocess.run(program, check=True, timeout=60)
        said.append(read_sound(path))
        path.unlink()
    return said


def babble(said: list[Samples], chance: np.random.Generator) -> Iterator[Samples]:
    """Yield stretches of sound without end: some voices at once, over noise, then a pause."""
    while True:
        voices = [said[at] for at in chance.integers(len(said), size=chance.integers(1, 4))]
        pause = int(chance.uniform(0.2, 2.0) * RATE)
        mixed = np.zeros(max(map(len, voices)) + RATE // 2 + pause)
        for voice in voices:
            at = int(chance.integers(RATE // 2))
            loud = max(1.0, float(np.sqrt(np.mean(voice.astype(np.float64) ** 2))))
            mixed[at : at + len(voice)] += voice * (SPEECH_LEVEL * chance.uniform(0.2, 1.5) / loud)
        mixed += chance.normal(size=len(mixed)) * chance.choice(NOISE_LEVELS)
        yield np.clip(mixed, -32_768, 32_767).astype(np.int16)


async def soak(minutes: float) -> dict[str, object]:
    """Feed so many minutes of sound; return what came of it."""
    chance, listener = np.random.default_rng(SEED), Listener()
    with tempfile.TemporaryDirectory() as folder:
        said = await asyncio.to_thread(pool, Path(folder), chance)
    fed, next_mark, memory_mb, began = 0, 60 * RATE, [], time.process_time()
    for stretch in babble(said, chance):
        for at in range(0, len(stretch), BLOCK):
            listener.ask()
            listener.hearer.hear(stretch[at : at + BLOCK])
            await listener.hearer.settled()
        fed += len(stretch)
        if fed >= next_mark:
            next_mark += 60 * RATE
            memory_mb.append(round(psutil.Process().memory_info().rss / MB, 1))
            sys.stderr.write(f"{fed / RATE / 60:.0f} min, {memory_mb[-1]} MB, {dict(listener.answers)}\n")
        if fed >= minutes * 60 * RATE:
            break
    return {
        "minutes": round(fed / RATE / 60, 1),
        "asked": listener.asked,
        "heard": dict(listener.heard),
        "answers": dict(listener.answers),
        "falseApprovals": sum(count for key, count in listener.answers.items() if key.startswith(("approve", "edit"))),
        "memoryMb": memory_mb,
        "growthMbPerHour": growth(memory_mb),
        "realTimeFactor": round((time.process_time() - began) / (fed / RATE), 3),
    }


def growth(memory_mb: list[float]) -> float | None:
    """Return how much memory grows in an hour, by the second half of the marks: the first half fills its stores."""
    half = memory_mb[len(memory_mb) // 2 :]
    return round(float(np.polyfit(range(len(half)), half, 1)[0]) * 60, 1) if len(half) > 1 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    found = asyncio.run(soak(parser.parse_args().minutes))
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
