"""Sound as numbers: levels, conversion of rates, mixing and earcons. Pure arithmetic on arrays; nothing waits here."""

import functools
import math

import numpy as np
import numpy.typing as npt

from edge.engines.ear import RATE, Samples

FULL_SCALE = 32_768.0
RATES = range(8_000, 96_001)
"""What microphones and speakers may be."""
FILTER_TAPS_PER_PHASE = 16
FILTERS_KEPT_MAX = 8
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


class Converter:
    """Brings a stream of sound to another rate, block by block, without a seam between two blocks.

    By a windowed sinc: nothing above half of the lower rate passes. What comes out is FILTER_TAPS_PER_PHASE samples of
    the lower rate late, 1 ms at 16 kHz: so much is kept for the next block.
    """

    def __init__(self, rate: int, to: int) -> None:
        """Begin a stream.

        Raises:
            ValueError: a rate outside 8 to 96 kHz.
        """
        if rate not in RATES or to not in RATES:
            message = f"cannot convert {rate} Hz to {to} Hz"
            raise ValueError(message)
        common = math.gcd(rate, to)
        self._up, self._down = to // common, rate // common
        self._half = int(FILTER_TAPS_PER_PHASE * max(1.0, self._down / self._up))
        self._held = np.zeros(self._half, np.float32)
        self._at = 0
        """Where the next sample out lies behind the first of `_held` with all its neighbours, in 1/up samples."""

    def take(self, samples: Samples) -> Samples:
        """Return what comes out for a block of any length, also of none."""
        if self._up == self._down:
            return samples.astype(np.int16)
        held = np.concatenate([self._held, samples.astype(np.float32)])
        ready = max(0, len(held) - 2 * self._half)
        count = max(0, -(-(ready * self._up - self._at) // self._down))
        at = self._at + np.arange(count, dtype=np.int64) * self._down
        self._at += count * self._down - ready * self._up
        self._held = held[ready:]
        return self._filtered(held, at)

    def rest(self) -> Samples:
        """Return what was kept, as if silence followed."""
        return self.take(np.zeros(self._half, np.int16))

    def _filtered(self, held: Floats, at: npt.NDArray[np.int64]) -> Samples:
        """Return the filter's value at each place; there are `up` phases of it."""
        if not len(at):
            return np.zeros(0, np.int16)
        taps = _taps(self._up, self._down, self._half)
        windows = np.lib.stride_tricks.sliding_window_view(held, 2 * self._half + 1)
        found = np.einsum("ij,ij->i", windows[at // self._up], taps[at % self._up])
        samples: Samples = np.clip(np.rint(found), -32_768, 32_767).astype(np.int16)
        return samples


def convert(samples: Samples, rate: int, to: int = RATE) -> Samples:
    """Return a whole sound at another rate.

    Raises:
        ValueError: a rate outside 8 to 96 kHz.
    """
    converter = Converter(rate, to)
    if rate == to or not len(samples):
        return samples.astype(np.int16)
    return np.concatenate([converter.take(samples), converter.rest()])


@functools.lru_cache(maxsize=FILTERS_KEPT_MAX)
def _taps(up: int, down: int, half: int) -> Floats:
    """Return the filter, a row for each phase."""
    offsets = np.arange(-half, half + 1) - np.arange(up)[:, None] / up
    window = np.cos(np.pi * offsets / (2 * (half + 1))) ** 2
    taps = np.sinc(offsets / max(1.0, down / up)) * window
    evened: Floats = (taps / taps.sum(axis=1, keepdims=True)).astype(np.float32)
    return evened


EARCONS: dict[str, tuple[tuple[float, float], ...]] = {
    "card": ((660, 0.09), (880, 0.12), (0, 0.05)),
    "urgent": ((880, 0.08), (0, 0.04), (880, 0.08), (0, 0.04), (1_175, 0.12), (0, 0.05)),
    "help": ((587, 0.1), (0, 0.05), (587, 0.1), (440, 0.14), (0, 0.05)),
    "verified": ((1_047, 0.05), (1_319, 0.05), (1_568, 0.09)),
    "listen": ((1_047, 0.06),),
    "ok": ((784, 0.07), (1_047, 0.1), (0, 0.05)),
    "no": ((392, 0.09), (330, 0.13), (0, 0.05)),
}
"""Each earcon's tones: hertz (0 is a rest) and seconds. What is followed by speech ends with a rest."""
EARCON_LEVEL = 0.12
"""As loud to the ear (A-weighted) as espeak-ng's speech, which was 5 dB below earcons of 0.2."""
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
