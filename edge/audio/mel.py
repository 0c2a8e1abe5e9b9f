"""The mel scale, on which what people hear as equal steps is equally far apart. Arithmetic on arrays alone."""

import numpy as np
import numpy.typing as npt

from edge.engines.ear import RATE

Floats = npt.NDArray[np.float64]


def mel_filters(bands: int, lowest_hz: float, highest_hz: float, spectrum: int) -> Floats:
    """Return triangles evenly spaced in mel over a spectrum of `spectrum` points, shape (spectrum // 2 + 1, bands)."""
    edges = np.linspace(_mel(lowest_hz), _mel(highest_hz), bands + 2)
    at = _mel(np.fft.rfftfreq(spectrum, 1 / RATE))
    rising = (at[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - at[:, None]) / (edges[2:] - edges[1:-1])
    return np.maximum(0.0, np.minimum(rising, falling))


def _mel(hertz: npt.NDArray[np.floating] | float) -> Floats:
    return np.asarray(2_595.0 * np.log10(1.0 + np.asarray(hertz) / 700.0))
