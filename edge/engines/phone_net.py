"""A small network of our own that hears phones: log-mel features and a few convolutions, in numpy alone.

It was trained on synthetic voices only (`tests/bench/ear_training`), with noise, echo and other speeds; its weights lie
beside this file. For every 30 ms it says how likely each phone is, and `nothing` for the frames between them, as
connectionist temporal classification does (Graves et al. 2006).
"""

import io
import zipfile
import zlib
from importlib import resources

import numpy as np
import numpy.typing as npt

from edge.audio.mel import mel_filters
from edge.engines.ear import RATE, Samples

Floats = npt.NDArray[np.float32]
_NAMES = "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH"
PHONES = tuple(_NAMES.split())
"""In the order of the network's outputs, after `nothing`, which is 0."""
WINDOW, HOP, SPECTRUM, BANDS = RATE // 40, RATE // 100, 512, 40
LOWEST_HZ, HIGHEST_HZ = 60.0, 7_600.0
STRIDE = 3
FRAME_S = STRIDE * HOP / RATE
DYNAMIC_DB = 70.0
"""What is so far below the loudest band counts as silence."""
SPREAD = 3.0
"""Features are divided by this, so that most lie between -1 and 1."""
PROBABILITY_MIN = 1e-6
WEIGHTS = "phone_net.npz"
DAMAGED = f"{WEIGHTS} holds no network"
TRIED = np.sin(np.arange(RATE // 2) ** 1.5).astype(np.float32)
"""A short sound that goes through all of a network."""


FILTERS = mel_filters(BANDS, LOWEST_HZ, HIGHEST_HZ, SPECTRUM).astype(np.float32)
TAPER = np.hanning(WINDOW).astype(np.float32)


def features(samples: npt.NDArray[np.floating] | Samples) -> Floats:
    """Return log-mel features, one row of BANDS for each 10 ms: free of loudness and of the microphone's colour."""
    sound = np.asarray(samples, np.float32)
    if len(sound) < WINDOW:
        return np.zeros((0, BANDS), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[::HOP] * TAPER
    power = np.abs(np.fft.rfft(frames, SPECTRUM)).astype(np.float32) ** 2 @ FILTERS
    logs = np.log(np.maximum(power, max(float(power.max()) * 10 ** (-DYNAMIC_DB / 10), 1e-3)))
    evened: Floats = ((logs - logs.mean(axis=0)) / SPREAD).astype(np.float32)
    return evened


class PhoneNet:
    """The network; the same sound always gives the same answer."""

    def __init__(self, weights: bytes | None = None) -> None:
        """Read the weights that lie beside this file, or those given.

        Raises:
            ValueError: they are no such weights.
        """
        raw = weights if weights is not None else (resources.files("edge.engines") / WEIGHTS).read_bytes()
        try:
            self._read(raw)
            shares = self.hear(TRIED)
        except (ValueError, KeyError, IndexError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise ValueError(DAMAGED) from error
        if shares.shape[1] != len(PHONES) + 1 or not np.isfinite(shares).all():
            raise ValueError(DAMAGED)

    def _read(self, raw: bytes) -> None:
        with np.load(io.BytesIO(raw), allow_pickle=False) as file:
            self._dilations = [int(one) for one in file["dilations"]]
            count = len(self._dilations)
            self._layers = [
                (file[f"w{at}"].astype(np.float32), file[f"b{at}"].astype(np.float32)) for at in range(count)
            ]
            self._out = file["w_out"].astype(np.float32), file["b_out"].astype(np.float32)

    def hear(self, samples: Samples | Floats) -> Floats:
        """Return the probability of `nothing` and of each phone, one row for each 30 ms; no rows for too little."""
        now = features(samples)
        if len(now) < STRIDE:
            return np.zeros((0, len(PHONES) + 1), np.float32)
        for number, ((weights, bias), dilation) in enumerate(zip(self._layers, self._dilations, strict=True)):
            heard = np.maximum(0.0, _convolved(now, weights, dilation, STRIDE if number == 0 else 1) + bias)
            now = heard if number == 0 else now + heard
        scores = now @ self._out[0] + self._out[1]
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Floats = np.maximum(likely / likely.sum(axis=1, keepdims=True), PROBABILITY_MIN)
        return shares


def _convolved(sound: Floats, weights: Floats, dilation: int, stride: int) -> Floats:
    """Convolve rows over time with weights of shape (taps, in, out); the ends are padded with nothing."""
    taps = len(weights)
    around = dilation * (taps // 2)
    padded = np.pad(sound, ((around, around), (0, 0)))
    count = -(-len(sound) // stride)
    result = np.zeros((count, weights.shape[2]), np.float32)
    for tap in range(taps):
        at = tap * dilation
        result += padded[at : at + (count - 1) * stride + 1 : stride] @ weights[tap]
    return result
