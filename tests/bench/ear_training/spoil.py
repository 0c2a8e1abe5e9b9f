"""Makes a clean recording sound like a day in the world: another size of throat, a room, a microphone, noise."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from edge.engines.ear import RATE

Floats = npt.NDArray[np.float32]
STRETCH = (0.84, 1.2)
ECHO_S, ECHO_SHARE = (0.08, 0.5), 0.4
COLOUR_DB, COLOUR_POINTS = 8.0, 8
NOISE_DB, NOISE_SHARE = (0.0, 35.0), 0.75
EDGE_S = (0.0, 0.35)
BABBLE_SHARE, FALLING_FROM, STILL = 0.25, 0.65, 3.0
NARROW_HZ, NARROW_SHARE = (3_400.0, 7_500.0), 0.15


def spoiled(
    sound: npt.NDArray[np.int16], others: Sequence[npt.NDArray[np.int16]], chance: np.random.Generator
) -> Floats:
    """Return a changed copy, as floats of 16-bit size; `others` babble in the background now and then."""
    voice = _stretched(sound.astype(np.float32), chance.uniform(*STRETCH))
    edges = [np.zeros(int(RATE * chance.uniform(*EDGE_S)), np.float32) for _ in range(2)]
    voice = in_a_room(np.concatenate([edges[0], voice, edges[1]]), chance)
    if chance.random() < NOISE_SHARE:
        voice = voice + _noise(len(voice), others, chance) * loudness(voice) / 10 ** (chance.uniform(*NOISE_DB) / 20)
    else:
        voice = voice + chance.standard_normal(len(voice), np.float32) * STILL
    return voice.astype(np.float32)


def _stretched(sound: Floats, factor: float) -> Floats:
    """Resample: faster and higher, or slower and lower, which also moves the formants."""
    at = np.arange(0, len(sound) - 1, factor)
    longer: Floats = np.interp(at, np.arange(len(sound)), sound).astype(np.float32)
    return longer


def in_a_room(sound: Floats, chance: np.random.Generator) -> Floats:
    """Add an echo now and then, and the colour of a microphone, in one multiplication of spectra."""
    size = _fast(len(sound) + int(RATE * ECHO_S[1]))
    hertz = np.fft.rfftfreq(size, 1 / RATE)
    points = np.linspace(0, RATE / 2, COLOUR_POINTS)
    gain = 10 ** (np.interp(hertz, points, chance.normal(size=COLOUR_POINTS) * COLOUR_DB / 2) / 20)
    if chance.random() < NARROW_SHARE:
        gain = np.where(hertz > chance.uniform(*NARROW_HZ), 1e-3, gain)
    spectrum = np.fft.rfft(sound, size) * gain
    if chance.random() < ECHO_SHARE:
        times = np.arange(int(RATE * chance.uniform(*ECHO_S))) / RATE
        tail = chance.standard_normal(len(times), np.float32) * np.exp(-6.9 * times / times[-1])
        tail *= chance.uniform(0.1, 0.7) / max(float(np.sqrt(np.sum(tail**2))), 1e-6)
        tail[0] = 1.0
        spectrum = spectrum * np.fft.rfft(tail, size)
    return np.fft.irfft(spectrum, size)[: len(sound)].astype(np.float32)


def _fast(count: int) -> int:
    """Return a power of two, for which spectra are quick."""
    return 1 << (count - 1).bit_length()


def _noise(count: int, others: Sequence[npt.NDArray[np.int16]], chance: np.random.Generator) -> Floats:
    """Return noise of loudness 1: white, falling, or other voices."""
    roll = chance.random()
    if roll < BABBLE_SHARE and others:
        made = sum(np.resize(np.roll(one, chance.integers(len(one))), count).astype(np.float32) for one in others)
    else:
        made = chance.standard_normal(count, np.float32)
        if roll > FALLING_FROM:
            size = _fast(count)
            slope = np.maximum(np.fft.rfftfreq(size, 1 / RATE), 50.0) ** chance.uniform(0.3, 1.0)
            made = np.fft.irfft(np.fft.rfft(made, size) / slope, size)[:count].astype(np.float32)
    noise: Floats = np.asarray(made, np.float32)
    return noise / max(float(np.sqrt(np.mean(noise**2))), 1e-6)


def loudness(sound: Floats) -> float:
    """Return the root mean square of what is louder than a twentieth of the peak."""
    loud = sound[np.abs(sound) >= 0.05 * max(1.0, float(np.abs(sound).max()))]
    return float(np.sqrt(np.mean(loud**2))) if len(loud) else 1.0
