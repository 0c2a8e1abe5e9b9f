"""Fills digital silence: the network knows rooms, in which it is never quite still.

What a recording or a gate cuts to nothing would stand out from the noise around it more than speech does.
"""

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
STEADY_PERCENTILES, STEADY_RATIO = (3, 15), 1.6
"""Where the quietest frames are of almost the same loudness there is noise behind the speech, and it goes on."""
SEED = 1


def filled(samples: Samples) -> npt.NDArray[np.float32]:
    """Return the sound, EDGE longer at both ends, with quiet noise in it.

    Where it holds nothing there will be as much noise as there is around. The same sound gives the same result.
    """
    sound = np.pad(samples.astype(np.float32), EDGE)
    count = len(sound) // FRAME
    if not count or not sound.any():
        return sound
    loud = sound[np.abs(sound) >= LOUD_SHARE * np.abs(sound).max()]
    speech = float(np.sqrt(np.mean(loud**2)))
    levels = np.sqrt(np.mean(sound[: count * FRAME].reshape(count, FRAME) ** 2, axis=1))
    breath = speech / 10 ** (UNDER_SPEECH_DB / 20)
    around = min(max(_steady(levels[levels > DEAD_LEVEL]), breath), speech / 10 ** (UNDER_SPEECH_DB_MIN / 20))
    by_frame = np.where(levels > DEAD_LEVEL, breath, around)
    gains = np.concatenate([np.repeat(by_frame, FRAME), np.full(len(sound) - count * FRAME, by_frame[-1])])
    noise = np.random.default_rng(SEED).standard_normal(len(sound), np.float32)
    made: npt.NDArray[np.float32] = (sound + noise * gains).astype(np.float32)
    return made


def _steady(levels: npt.NDArray[np.floating]) -> float:
    """Return the level of the noise behind speech; 0 where there is none that goes on."""
    if not len(levels):
        return 0.0
    low, high = np.percentile(levels, STEADY_PERCENTILES)
    return float(high) if high < STEADY_RATIO * low else 0.0
