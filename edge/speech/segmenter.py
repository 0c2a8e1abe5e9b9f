"""Finds where speech begins and ends, fed frames of sound by their level. No clock: time is what was fed.

The floor of noise is followed slowly upwards and quickly downwards; speech is what stands out from it for long enough.
"""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from hub.contract.base import Value

SILENCE_DB = -90.0
FLOOR_START_DB = -50.0
FLOOR_UP_DB_PER_S, FLOOR_DOWN_DB_PER_S = 3.0, 60.0
Edge = Literal["", "began", "ended"]


class Ways(Value):
    """How speech is told from the rest; times in seconds, levels in decibels."""

    over_floor_db: float = 9.0
    level_db_min: float = -55.0
    begin_s: Annotated[float, Meta(gt=0)] = 0.06
    end_s: Annotated[float, Meta(gt=0)] = 0.45
    speech_s_max: Annotated[float, Meta(gt=0)] = 8.0


class Segmenter(Value):
    """The state between two frames."""

    speaking: bool = False
    run_s: float = 0.0
    """How long the opposite of `speaking` has lasted."""
    length_s: float = 0.0
    floor_db: float = FLOOR_START_DB
    fed_s: float = 0.0


def feed(state: Segmenter, level_db: float, seconds: float, ways: Ways) -> tuple[Segmenter, Edge]:
    """Take one frame of `seconds` with that level (RMS, 0 dB is full scale); say whether speech began or ended with it.

    A level that is no number counts as silence.
    """
    level_db = max(SILENCE_DB, level_db)  # also for NaN, which compares false
    loud = level_db >= max(ways.level_db_min, state.floor_db + ways.over_floor_db)
    state = replace(state, floor_db=_floor(state, level_db, seconds), fed_s=state.fed_s + seconds)
    opposite = loud is not state.speaking
    run_s = state.run_s + seconds if opposite else 0.0
    length_s = state.length_s + seconds if state.speaking else 0.0
    if state.speaking and (run_s >= ways.end_s or length_s >= ways.speech_s_max):
        return replace(state, speaking=False, run_s=0.0, length_s=0.0), "ended"
    if not state.speaking and opposite and run_s >= ways.begin_s:
        return replace(state, speaking=True, run_s=0.0, length_s=run_s), "began"
    return replace(state, run_s=run_s, length_s=length_s), ""


def _floor(state: Segmenter, level_db: float, seconds: float) -> float:
    """Follow the noise: down at once where it is quieter, up slowly, and slower still while somebody speaks."""
    if level_db < state.floor_db:
        return max(level_db, state.floor_db - FLOOR_DOWN_DB_PER_S * seconds)
    up_db = FLOOR_UP_DB_PER_S * seconds
    return min(level_db, state.floor_db + (up_db / 4 if state.speaking else up_db))
