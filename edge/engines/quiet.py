"""Fills digital silence: the network knows rooms, in which it is never quite still.

What a recording or a gate cuts to nothing would stand out from the noise around it more than speech does.
"""

import math

import numpy as np
import numpy.typing as npt

from edge.engines.ear import RATE, Samples

FRAME = RATE // 100
EDGE = RATE // 100 * 15
"""Added before and after: speech that begins with the recording is heard better with a moment before it."""
DEAD_LEVEL = 0.5
"""Frames with a root mean square below this hold nothing."""
LOUD_SHARE = 0.05
UNDER_SPEECH_DB, UNDER_SPEECH_DB_MIN = 34.0, 6.0
"""A breath of noise so far below speech is always added; what fills silence is never nearer to it than the second."""
UNDER_REPLY_DB = 18.0
"""For a lone "yes", and to ask about a lone approval: with less, some voices in a quiet room are heard as one vowel
(docs/voice.md)."""
STEADY_PERCENTILES, STEADY_RATIO = (3, 15), 1.6
"""Where the quietest frames are of almost the same loudness there is noise behind the speech, and it goes on."""
SEED = 1


def filled(samples: Samples, under_db: float = UNDER_SPEECH_DB) -> npt.NDArray[np.float32]:
    """Return the sound, EDGE longer at both ends, with quiet noise in it, so many decibels below speech.

    Where it holds nothing there will be as much noise as there is around. The same sound gives the same result.
    """
    sound = np.pad(samples.astype(np.float32), EDGE)
    if not sound.any():
        return sound
    count, speech, levels = len(sound) // FRAME, _speech(sound), _levels(sound)
    breath = speech / 10 ** (under_db / 20)
    around = min(max(_steady(levels[levels > DEAD_LEVEL]), breath), speech / 10 ** (UNDER_SPEECH_DB_MIN / 20))
    by_frame = np.where(levels > DEAD_LEVEL, breath, around)
    gains = np.concatenate([np.repeat(by_frame, FRAME), np.full(len(sound) - count * FRAME, by_frame[-1])])
    noise = np.random.default_rng(SEED).standard_normal(len(sound), np.float32)
    made: npt.NDArray[np.float32] = (sound + noise * gains).astype(np.float32)
    return made


def quiet_db(samples: Samples) -> float:
    """Return how many decibels the noise behind speech lies below it; infinity where there is none that goes on."""
    sound = samples.astype(np.float32)
    levels = _levels(sound)
    noise = _steady(levels[levels > DEAD_LEVEL])
    return 20 * math.log10(_speech(sound) / noise) if noise else math.inf


def _levels(sound: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the root mean square of each whole frame."""
    count = len(sound) // FRAME
    levels: npt.NDArray[np.float32] = np.sqrt(np.mean(sound[: count * FRAME].reshape(count, FRAME) ** 2, axis=1))
    return levels


def _speech(sound: npt.NDArray[np.float32]) -> float:
    """Return the root mean square of what is loud."""
    loud = sound[np.abs(sound) >= LOUD_SHARE * np.abs(sound).max()]
    return float(np.sqrt(np.mean(loud**2)))


def _steady(levels: npt.NDArray[np.floating]) -> float:
    """Return the level of the noise behind speech; 0 where there is none that goes on."""
    if not len(levels):
        return 0.0
    low, high = np.percentile(levels, STEADY_PERCENTILES)
    return float(high) if high < STEADY_RATIO * low else 0.0
