"""What of a voice is measured: the shape of its spectrum (mel cepstra) and its pitch. Arithmetic on arrays alone.

Unlike for words, the mean over time is not taken out: it is much of what tells voices apart, and the microphone is the
same whenever these glasses listen. Loudness is left out (no zeroth coefficient).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from edge.audio.mel import mel_filters
from edge.engines.ear import RATE, Samples

Floats = npt.NDArray[np.float64]
WINDOW, HOP, SPECTRUM, BANDS, CEPSTRA = RATE // 40, RATE // 100, 512, 32, 19
LOWEST_HZ, HIGHEST_HZ = 80.0, 7_000.0
EMPHASIS = 0.97
SPEECH_DB = 30.0
"""Frames so far below the loudest are not taken for speech."""
FLOOR_DB = 60.0
FRAMES_MIN = 30
"""Less than 0.3 s of speech tells nothing about who speaks."""
FRAMES_MAX = 800
CLIPPED_AT, CLIPPED_SHARE_MAX = 32_700, 0.02
PITCH_WINDOW = RATE // 25
PITCH_HZ = (60.0, 400.0)
PITCH_SPECTRUM = 2_048
VOICED_MIN, VOICED_FRAMES_MIN = 0.5, 5
OCTAVE_COST = 0.05
"""Of two lags that explain a frame about as well, the shorter one is its period."""


class Unfit(NamedTuple):
    """Sound that nobody can be recognised by; `why` is `too-short`, `clipped` or `no-sound`."""

    why: str


class Measures(NamedTuple):
    """Cepstra of each frame of speech, shape (frames, CEPSTRA), and pitch: mean and spread of ln(Hz); None unvoiced."""

    cepstra: Floats
    pitch: Floats | None


def measure(samples: Samples | npt.NDArray[np.floating]) -> Measures | Unfit:
    """Measure one utterance of 16 kHz and 16-bit size. What is no sound, too short or overdriven is unfit."""
    sound = np.asarray(samples, np.float64)
    if sound.ndim != 1 or not np.isfinite(sound).all() or not sound.any():
        return Unfit("no-sound")
    if len(sound) < PITCH_WINDOW:
        return Unfit("too-short")
    if np.mean(np.abs(sound) >= CLIPPED_AT) > CLIPPED_SHARE_MAX:
        return Unfit("clipped")
    bands = _bands(sound)
    power = bands.sum(axis=1)
    speech = power > power.max() * 10 ** (-SPEECH_DB / 10)
    if speech.sum() < FRAMES_MIN:
        return Unfit("too-short")
    logs = np.log(np.maximum(bands[speech], max(float(bands.max()) * 10 ** (-FLOOR_DB / 10), 1e-3)))
    return Measures(logs[:FRAMES_MAX] @ _COSINES.T, _pitch(sound))


_FILTERS, _TAPER = mel_filters(BANDS, LOWEST_HZ, HIGHEST_HZ, SPECTRUM), np.hamming(WINDOW)
_COSINES: Floats = np.sqrt(2 / BANDS) * np.cos(
    np.pi / BANDS * np.outer(np.arange(1, CEPSTRA + 1), np.arange(BANDS) + 0.5)
)
"""The cosine transform (type 2) without its zeroth row, which would be loudness."""


def _bands(sound: Floats) -> Floats:
    risen = np.append(sound[0], sound[1:] - EMPHASIS * sound[:-1])
    frames = np.lib.stride_tricks.sliding_window_view(risen, WINDOW)[::HOP] * _TAPER
    power: Floats = np.abs(np.fft.rfft(frames, SPECTRUM)) ** 2 @ _FILTERS
    return power


def _pitch(sound: Floats) -> Floats | None:
    """Return mean and spread of the pitch by autocorrelation, corrected for the window (Boersma 1993)."""
    frames = np.lib.stride_tricks.sliding_window_view(sound, PITCH_WINDOW)[::HOP]
    power = np.mean(frames**2, axis=1)
    frames = frames[power > power.max() * 10 ** (-SPEECH_DB / 20)][:FRAMES_MAX]
    taper = np.hanning(PITCH_WINDOW)
    shortest, longest = (int(RATE / hertz) for hertz in reversed(PITCH_HZ))
    own = _correlation(taper[None, :], longest)
    alike = _correlation((frames - frames.mean(axis=1, keepdims=True)) * taper, longest) / own
    lags = np.arange(shortest, longest)
    chosen = np.argmax(alike[:, shortest:] - OCTAVE_COST * np.log2(lags / shortest), axis=1)
    voiced = alike[np.arange(len(alike)), chosen + shortest] > VOICED_MIN
    if voiced.sum() < VOICED_FRAMES_MIN:
        return None
    logs = np.log(RATE / lags[chosen[voiced]])
    low, middle, high = np.percentile(logs, [20, 50, 80])
    return np.array([middle, high - low])


def _correlation(frames: Floats, count: int) -> Floats:
    spectrum = np.abs(np.fft.rfft(frames, PITCH_SPECTRUM)) ** 2
    lagged: Floats = np.fft.irfft(spectrum)[:, :count]
    return lagged / np.maximum(lagged[:, :1], 1e-9)
