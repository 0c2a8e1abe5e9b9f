"""The synthetic voices that train, calibrate and judge the ear, kept strictly apart.

espeak-ng's variants are divided by name; festival's `ked` and `slt` train, its `kal` calibrates. Of flite's voices
`rms` and `kal16` choose when the ear asks whether something was an approval, and `awb` and `slt` judge. Pico's only
judge, and only where it is installed (`pip install ttspico`; it needs a C compiler). A voice is chosen together with a
speed and a pitch.
"""

import importlib.util
import random
import subprocess
import tempfile
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from edge.audio.samples import convert
from edge.engines.ear import RATE

Sound = npt.NDArray[np.int16]
Part = Literal["train", "hard", "answers", "calibrate", "held"]
"""`hard` are more recordings to train on, of what is easily confused; `answers`, of the voices that calibrate and two
of flite's, choose when to ask."""
ACCENTS = {
    "train": ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-gbclan", "en-gb-x-rp", "en-us-nyc", "en-029"),
    "hard": ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-gbclan", "en-gb-x-rp", "en-us-nyc", "en-029"),
    "answers": ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-us-nyc"),
    "calibrate": ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-us-nyc"),
    "held": ("en-us", "en-gb", "en-gb-x-rp", "en-029", "en-gb-x-gbcwmd"),
}
"""The West Midlands are only ever heard when judging."""
HELD = """
m2 m5 m7 f2 f4 klatt2 Annie Andy Michael Storm belinda edward quincy steph2 john iven3 paul
"""
CALIBRATE = """
m4 f3 klatt5 Alex Mario boris linda max zac travis iven2 edward2 grandpa steph3 michel
"""
TRAIN = """
m1 m3 m6 m8 f1 f5 klatt klatt3 klatt4 klatt6 Alicia Andrea Denis Diogo Gene Gene2 Henrique Hugo Jacky Lee Marco
Mike Mr Nguyen RicishayMax RicishayMax2 RicishayMax3 Tweaky adam anika announcer antonio aunty benjamin caleb
david ed fast grandma gustave iven iven4 kaukovalta marcelo miguel norbert pablo pedro rob robert sandro shelby
steph victor UniRobot robosoft robosoft3 whisper croak
"""
VARIANTS = {
    "train": TRAIN.split(),
    "hard": TRAIN.split(),
    "answers": CALIBRATE.split(),
    "calibrate": CALIBRATE.split(),
    "held": HELD.split(),
}
FESTIVAL = {
    "train": ("ked_diphone", "cmu_us_slt_arctic_hts"),
    "hard": ("ked_diphone", "cmu_us_slt_arctic_hts"),
    "answers": ("kal_diphone",),
    "calibrate": ("kal_diphone",),
    "held": (),
}
FLITE = ("rms", "awb", "slt", "kal16")
FLITE_OF: dict[Part, tuple[str, ...]] = {
    "train": (),
    "hard": (),
    "answers": ("rms", "kal16"),
    "calibrate": (),
    "held": ("awb", "slt"),
}
FLITE_PACE = (110, 205)
PICO = ("en-US", "en-GB")
PICO_PACE, PICO_PITCH = (70, 135), (60, 140)
"""In percent of its usual ones."""
WORDS_PER_MINUTE = (110, 215)
PITCH = (15, 85)
PLAIN_SHARE = 0.2
SAY_S_MAX = 60


class Voice(NamedTuple):
    """Who speaks, and how."""

    family: str
    name: str
    pace: int = 160
    pitch: int = 50


def espeak_voice(part: Part, chance: random.Random) -> Voice:
    """Return one of a part's espeak-ng voices."""
    name = f"{chance.choice(ACCENTS[part])}+{chance.choice(VARIANTS[part])}"
    if part == "hard" and chance.random() < PLAIN_SHARE:
        name = name.partition("+")[0]
    return Voice("espeak", name, chance.randint(*WORDS_PER_MINUTE), chance.randint(*PITCH))


def flite_voice(part: Part, chance: random.Random) -> Voice:
    """Return one of a part's voices of flite's."""
    return Voice("flite", chance.choice(FLITE_OF[part]), chance.randint(*FLITE_PACE))


def has_pico() -> bool:
    """Say whether Pico is installed."""
    return importlib.util.find_spec("ttspico") is not None


def pico_voice(_part: Part, chance: random.Random) -> Voice:
    """Return one of Pico's voices."""
    return Voice("pico", chance.choice(PICO), chance.randint(*PICO_PACE), chance.randint(*PICO_PITCH))


def _say_with_pico(text: str, voice: Voice) -> Sound:
    from ttspico import TtsEngine  # type: ignore[import-not-found,import-untyped,unused-ignore]  # only who measures has it  # noqa: PLC0415

    marked = f'<speed level="{voice.pace}"><pitch level="{voice.pitch}">{text}</pitch></speed>'
    return np.frombuffer(TtsEngine(voice.name).speak(marked), "<i2").astype(np.int16)


def say(text: str, voice: Voice) -> Sound:
    """Return a text spoken by espeak-ng, flite or Pico, 16 kHz."""
    if voice.family == "pico":
        return _say_with_pico(text, voice)
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        espeak = ["espeak-ng", "-v", voice.name, "-s", str(voice.pace), "-p", str(voice.pitch), "-w", file.name, text]
        stretch = ["--setf", f"duration_stretch={160 / voice.pace:.2f}"]
        flite = ["flite", "-voice", voice.name, *stretch, "-t", text, "-o", file.name]
        subprocess.run(espeak if voice.family == "espeak" else flite, check=True, timeout=SAY_S_MAX)
        return read(Path(file.name))


def say_with_festival(name: str, lines: list[tuple[str, float]]) -> Iterator[Sound]:
    """Return each text, spoken by one of festival's voices with its stretch of time; one process for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        script = [f"(voice_{name})"]
        for number, (text, stretch) in enumerate(lines):
            plain = text.replace('"', " ").replace("\\", " ")
            script.append(f"(Parameter.set 'Duration_Stretch {stretch:.2f})")
            script.append(f'(set! said (utt.synth (Utterance Text "{plain}")))')
            script.append(f'(utt.save.wave said "{folder}/{number}.wav" \'riff)')
        path = Path(folder) / "script.scm"
        path.write_text("\n".join(script))
        subprocess.run(["festival", "-b", str(path)], check=True, timeout=SAY_S_MAX + 5 * len(lines))
        for number in range(len(lines)):
            yield read(Path(folder) / f"{number}.wav")


def read(path: Path) -> Sound:
    """Return a WAV file of one channel and 16 bits as 16 kHz."""
    with wave.open(str(path), "rb") as file:
        rate, frames = file.getframerate(), file.readframes(file.getnframes())
    return convert(np.frombuffer(frames, "<i2").astype(np.int16), rate, RATE)
