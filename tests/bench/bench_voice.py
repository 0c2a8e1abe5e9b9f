"""The default ear on synthetic voices: recordings that espeak-ng and flite make from voice_texts.toml.

Voices and texts are those marked `held`: the network was not trained on them, and no bar was chosen on them; of flite's
voices two choose when to ask, and the other two judge. Nothing of flite trained the network. A folder of your own goes
through the same code with `pulse bench voice DIR --json`, and `python -m tests.bench.bench_voice DIR` only writes the
recordings.
"""

import functools
import os
import random
import sys
import tempfile
import tomllib
import wave
from collections.abc import Iterator
from pathlib import Path

import msgspec

from edge.bench import Result, measure
from edge.engines.choice import make_ear
from edge.engines.ear import RATE, Ear
from edge.phrase_files import phrasebook
from edge.recordings import NOISES, Recording, read_labels
from edge.settings import EdgeSettings
from tests.bench.confusion import section
from tests.bench.ear_training.voices import Sound, Voice, espeak_voice, flite_voice, say
from tests.bench.figures import Figure

TEXTS = Path(__file__).parent / "voice_texts.toml"
SEED = 11
GOALS = {"clean": 0.95, "20 dB": 0.92, "10 dB": 0.75}
FLITE_GOALS = {"clean": 0.9, "20 dB": 0.9, "10 dB": 0.6}
PER_COMMAND = {"espeak": 8, "flite": 4}
PER_OTHER = {"espeak": 4, "flite": 1}


def run() -> list[Figure]:
    """Return the figures of the default ear."""
    return [figure for one in _measured() if one.engine == EdgeSettings().ear for figure in _figures(one)]


def appendix() -> str:
    """Return what was understood of what, for each engine that is here: vosk where `PULSE_VOSK_MODEL` names a model."""
    return section(_measured())


@functools.cache
def _measured() -> tuple[Result, ...]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_recordings(folder)
        book, recordings = phrasebook("en"), read_labels(folder)
        return tuple(measure(ear, book, folder, recordings, noise)[0] for ear in _ears() for noise in NOISES)


def _ears() -> Iterator[Ear]:
    yield make_ear(EdgeSettings())
    if os.environ.get("PULSE_VOSK_MODEL"):
        yield make_ear(EdgeSettings(ear="vosk"))


def make_recordings(folder: Path) -> None:
    """Let held voices say the held texts: every command by twelve, everything else by five."""
    labels = []
    for number, (label, text, kind, voice) in enumerate(_said(random.Random(SEED))):  # noqa: S311  a choice of voices
        path = folder / f"{number:04}.wav"
        write_sound(path, say(text, voice))
        sort = voice.family if kind == "command" else kind
        labels.append(Recording(file=path.name, label=label, text=text, kind=sort))
    (folder / "labels.json").write_bytes(msgspec.json.encode(labels))


def _said(chance: random.Random) -> Iterator[tuple[str, str, str, Voice]]:
    texts = tomllib.loads(TEXTS.read_text(encoding="utf-8"))
    for label, lines in texts["commands"]["held"].items():
        for text in lines:
            yield from ((label, text, "command", voice) for voice in _voices(PER_COMMAND, chance))
    for kind, lines in texts["none"]["held"].items():
        for text in lines:
            yield from (("none", text, kind, voice) for voice in _voices(PER_OTHER, chance))


def _voices(count: dict[str, int], chance: random.Random) -> list[Voice]:
    espeak = [espeak_voice("held", chance) for _ in range(count["espeak"])]
    return [*espeak, *(flite_voice("held", chance) for _ in range(count["flite"]))]


def write_sound(path: Path, sound: Sound) -> None:
    """Write a recording as WAV."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(sound.astype("<i2").tobytes())


def _figures(result: Result) -> list[Figure]:
    noise = result.noise
    goals = {"espeak": GOALS[noise], "flite": FLITE_GOALS[noise]}
    shares = [
        _figure(f"{noise}: commands right, {kind}", share, "share", goals[kind], better="higher")
        for kind, share in result.accuracy_by_kind.items()
    ]
    shares += [
        _figure(f"{noise}: false approvals, {kind}", share, "share", 0.001 if kind == "sentence" else 0.005)
        for kind, share in result.false_approve_by_kind.items()
    ]
    return [
        *shares,
        _figure(f"{noise}: false approvals after confirming", result.false_after_confirming, "", 0),
        _figure(f"{noise}: decode, p95", result.decode_ms_p95, "ms", 150),
        _figure(f"{noise}: real-time factor", result.real_time_factor, "", 0.2),
        _figure(f"{noise}: memory", result.memory_mb, "MB", 200),
    ]


def _figure(what: str, value: float, unit: str, goal: float, better: str = "lower") -> Figure:
    return Figure(bench="voice", what=what, value=value, unit=unit, goal=goal, better=better)


if __name__ == "__main__":
    make_recordings(Path(sys.argv[1]))
