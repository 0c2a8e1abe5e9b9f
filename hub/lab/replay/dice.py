"""Chance without a generator: the same words always fall the same, so a replay can be made again to the last figure."""

import hashlib
from collections.abc import Iterator

_TOP = 2**64
_STEP, _MIX_1, _MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def chance(*words: object) -> float:
    """Return a number in [0, 1) that these words alone decide."""
    return _number(*words) / _TOP


def draws(count: int, *words: object) -> Iterator[int]:
    """Yield whole numbers below `count` for ever (SplitMix64, Steele and others 2014)."""
    state = _number(*words)
    while True:
        state = (state + _STEP) % _TOP
        mixed = ((state ^ (state >> 30)) * _MIX_1) % _TOP
        mixed = ((mixed ^ (mixed >> 27)) * _MIX_2) % _TOP
        yield ((mixed ^ (mixed >> 31)) * count) >> 64


def _number(*words: object) -> int:
    return int.from_bytes(hashlib.sha256("\0".join(map(str, words)).encode()).digest()[:8])
