"""Reads recordings (WAV, FLAC, OGG), a folder of them with labels or one file, and puts noise over them."""

from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from edge.audio.samples import RATES, convert, one_channel
from edge.engines.ear import Samples
from hub.contract.errors import UserError

LABELS = ("approve", "skip", "later", "repeat", "details", "stop", "none")
NONE, YES = "none", "yes"
LOUD_SHARE = 0.05
"""What is louder than this share of the peak counts as speech when noise is measured against it."""
RECORDING_S_MAX = 600
FULL_SCALE = 32_768
FORMATS = frozenset({"WAV", "WAVEX", "RF64", "FLAC", "OGG"})
Noise = Literal["clean", "20 dB", "10 dB", "5 dB", "0 dB"]
NOISES: tuple[Noise, ...] = ("clean", "20 dB", "10 dB")


class BadRecordingsError(UserError):
    """A folder of recordings cannot be read. The message says which file."""

    code = "bad-recordings"


class Recording(msgspec.Struct, frozen=True):
    """One line of labels.json; further keys are let go. `voice` says who speaks, where that is known."""

    file: str
    label: str
    text: str = ""
    kind: str = "command"
    voice: str = ""


def read_labels(folder: Path) -> list[Recording]:
    """Read labels.json.

    Raises:
        BadRecordingsError: it is missing or wrong.
    """
    try:
        recordings = msgspec.json.decode((folder / "labels.json").read_bytes(), type=list[Recording])
    except (OSError, msgspec.DecodeError) as error:
        raise BadRecordingsError(f"{folder / 'labels.json'}: {error}") from error
    strange = [one.label for one in recordings if one.label not in {*LABELS, YES}]
    if strange:
        raise BadRecordingsError(f"labels.json: {strange[0]!r} is none of {', '.join((*LABELS, YES))}.")
    return recordings


def read_sound(path: Path) -> Samples:
    """Return a recording as 16 kHz, one channel.

    Raises:
        BadRecordingsError: it cannot be read, or is longer than ten minutes.
    """
    import soundfile  # type: ignore[import-untyped]  # it has no types  # noqa: PLC0415  loads a C library: only where recordings are read

    try:
        with soundfile.SoundFile(path) as file:
            sound = _frames(path, file)
            return convert(one_channel(sound), file.samplerate)
    except (OSError, soundfile.SoundFileError) as error:
        raise BadRecordingsError(_advice(path, str(error))) from error


def _frames(path: Path, file: Any) -> npt.NDArray[np.int16]:  # noqa: ANN401  soundfile has no types
    """Return the frames of an open file as 16 bits, one column for each channel."""
    if file.format not in FORMATS:
        raise BadRecordingsError(_advice(path, f"{file.format} is not read"))
    if file.samplerate not in RATES or file.frames > RECORDING_S_MAX * file.samplerate:
        raise BadRecordingsError(f"{path}: {file.samplerate} Hz, {file.frames / max(file.samplerate, 1):.0f} s.")
    sound = np.nan_to_num(file.read(RECORDING_S_MAX * file.samplerate, dtype="float32", always_2d=True))
    scaled = np.minimum(np.rint(np.clip(sound, -1, 1) * FULL_SCALE), FULL_SCALE - 1)
    frames: npt.NDArray[np.int16] = scaled.astype(np.int16)
    return frames


def _advice(path: Path, why: str) -> str:
    making = f"`ffmpeg -i {path.name} {path.stem}-new.flac` makes one that can be read"
    return f"{path}: {why.rstrip('.')}. WAV, FLAC and OGG are read; {making}."


def with_noise(sound: Samples, noise: Noise, chance: np.random.Generator) -> Samples:
    """Return a recording with white noise so far below its speech."""
    if noise == "clean" or not len(sound):
        return sound
    floats = sound.astype(np.float64)
    loud = floats[np.abs(floats) >= LOUD_SHARE * max(1.0, float(np.abs(floats).max()))]
    power = float(np.sqrt(np.mean(loud**2))) if len(loud) else 0.0
    level = power / 10 ** (float(noise.split()[0]) / 20)
    return np.clip(floats + chance.normal(size=len(floats)) * level, -32_768, 32_767).astype(np.int16)
