"""Sound as numbers: levels, conversion of rates, mixing and earcons. Pure arithmetic on arrays; nothing waits here."""

import math

import numpy as np
import numpy.typing as npt

from edge.engines.ear import RATE, Samples

FULL_SCALE = 32_768.0
RATES = range(8_000, 96_001)
"""What microphones and speakers may be."""
FILTER_TAPS_PER_PHASE = 16
Floats = npt.NDArray[np.float32]


def level_db(samples: Samples) -> float:
    """Return the root mean square of a block in decibels below full scale; minus infinity for silence or nothing."""
    if not len(samples):
        return -math.inf
    power = float(np.mean(np.square(samples.astype(np.float64))))
    return 10 * math.log10(power / FULL_SCALE**2) if power > 0 else -math.inf


def from_floats(block: npt.NDArray[np.floating]) -> Samples:
    """Return 16-bit samples from floats of -1 to 1: clipped, with NaN and infinities as silence."""
    clean = np.nan_to_num(block.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    samples: Samples = (np.clip(clean, -1.0, 1.0) * 32_767.0).astype(np.int16)
    return samples


def one_channel(block: npt.NDArray[np.int16]) -> Samples:
    """Return a block of frames as one channel: the mean of all."""
    if block.ndim == 1:
        return block
    mixed: Samples = block.astype(np.int32).mean(axis=1).astype(np.int16)
    return mixed


def convert(samples: Samples, rate: int, to: int = RATE) -> Samples:
    """Return samples at another rate, by a windowed sinc (nothing above half of the lower rate passes).

    Raises:
        ValueError: a rate outside 8 to 96 kHz.
    """
    if rate not in RATES or to not in RATES:
        message = f"cannot convert {rate} Hz to {to} Hz"
        raise ValueError(message)
    if rate == to or not len(samples):
        return samples.astype(np.int16)
    common = math.gcd(rate, to)
    up, down = to // common, rate // common
    return _resampled(samples.astype(np.float32), up, down)


def _resampled(sound: Floats, up: int, down: int) -> Samples:
    """Take `up` phases of one low-pass filter; output k is the filter at input position k * down / up."""
    widest = max(1.0, down / up)
    half = int(FILTER_TAPS_PER_PHASE * widest)
    count = math.ceil(len(sound) * up / down)
    padded = np.concatenate([np.zeros(half, np.float32), sound, np.zeros(half + 1, np.float32)])
    at = np.arange(count, dtype=np.int64) * down
    whole, phase = at // up, at % up
    offsets = np.arange(-half, half + 1)
    result = np.empty(count, np.float32)
    for index in np.unique(phase):
        chosen = np.nonzero(phase == index)[0]
        taps = _taps(offsets - index / up, widest, half)
        windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1)
        result[chosen] = windows[whole[chosen]] @ taps
    return np.clip(np.rint(result), -32_768, 32_767).astype(np.int16)


def _taps(offsets: npt.NDArray[np.floating], widest: float, half: int) -> Floats:
    window = np.cos(np.pi * offsets / (2 * (half + 1))) ** 2
    taps = np.sinc(offsets / widest) * window
    evened: Floats = (taps / taps.sum()).astype(np.float32)
    return evened


EARCONS: dict[str, tuple[tuple[float, float], ...]] = {
    "card": ((660, 0.09), (880, 0.12)),
    "urgent": ((880, 0.08), (0, 0.04), (880, 0.08), (0, 0.04), (1_175, 0.12)),
    "listen": ((1_047, 0.06),),
    "ok": ((784, 0.07), (1_047, 0.1)),
    "no": ((392, 0.09), (330, 0.13)),
}
"""Each earcon's tones: hertz (0 is a rest) and seconds."""
EARCON_LEVEL = 0.2
FADE_S = 0.008


def earcon(name: str, rate: int) -> Samples:
    """Return the sound of an earcon; unknown names are a bug and raise KeyError."""
    tones = [_tone(hertz, seconds, rate) for hertz, seconds in EARCONS[name]]
    return from_floats(np.concatenate(tones))


def _tone(hertz: float, seconds: float, rate: int) -> Floats:
    """Return one tone with soft edges, so that it does not click."""
    count = int(seconds * rate)
    times = np.arange(count, dtype=np.float32) / rate
    fade = np.minimum(1.0, np.minimum(times, times[::-1]) / FADE_S)
    return (EARCON_LEVEL * np.sin(2 * np.pi * hertz * times) * fade).astype(np.float32)
