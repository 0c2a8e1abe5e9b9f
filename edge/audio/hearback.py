"""The test tone of the doctor, and whether a microphone has heard it."""

import numpy as np

from edge.audio.samples import FADE_S, Floats, from_floats
from edge.engines.ear import RATE, Samples

SECONDS, LEVEL = 0.5, 0.2
LOW_HZ, HIGH_HZ = 500.0, 3_000.0
"""A rising tone: neither hum nor a voice looks like it."""
HEARD_MIN = 0.25
"""The share of the tone that is found at its best place in what was recorded; noise alone reaches about 0.05."""


def tone() -> Samples:
    """Return the test tone at 16 kHz."""
    return from_floats(_sweep())


def is_heard(recorded: Samples) -> bool:
    """Say whether the tone is in a recording at 16 kHz."""
    wanted, sound = _sweep().astype(np.float64), recorded.astype(np.float64)
    if len(sound) < len(wanted) or not sound.any():
        return False
    size = len(sound) + len(wanted)
    found = np.fft.irfft(np.fft.rfft(sound, size) * np.conj(np.fft.rfft(wanted, size)), size)[: len(sound)]
    powers = np.concatenate([[0.0], np.cumsum(sound**2)])
    ends = np.minimum(np.arange(len(sound)) + len(wanted), len(sound))
    windows = np.sqrt(np.maximum(powers[ends] - powers[: len(sound)], 1.0))
    return bool(np.max(np.abs(found) / (windows * np.linalg.norm(wanted))) >= HEARD_MIN)


def _sweep() -> Floats:
    times = np.arange(int(SECONDS * RATE), dtype=np.float64) / RATE
    phase = 2 * np.pi * (LOW_HZ * times + (HIGH_HZ - LOW_HZ) / (2 * SECONDS) * times**2)
    fade = np.minimum(1.0, np.minimum(times, times[::-1]) / FADE_S)
    swept: Floats = (LEVEL * np.sin(phase) * fade).astype(np.float32)
    return swept
