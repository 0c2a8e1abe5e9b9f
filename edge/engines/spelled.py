"""How likely sequences of phones are, given what the network heard: the forward sum over all alignments."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from edge.engines.phone_net import PHONES, Floats
from edge.engines.pronunciation import Phones

NUMBERS = {phone: number for number, phone in enumerate(PHONES, 1)}
NEVER = -1e9
"""The logarithm of the likelihood of what cannot be."""
TINY = 1e-300
Columns = npt.NDArray[np.int64]
Logs = npt.NDArray[np.float64]


class Spellings:
    """Many sequences of phones, ready to be compared with a sound at once."""

    def __init__(self, sequences: Sequence[Phones]) -> None:
        """Spread each sequence out with `nothing` between its phones: one column each.

        Raises:
            KeyError: a phone is none of PHONES.
        """
        longest = max((len(one) for one in sequences), default=0)
        self._states = np.zeros((2 * longest + 1, len(sequences)), np.int64)
        for column, one in enumerate(sequences):
            self._states[1 : 2 * len(one) : 2, column] = [NUMBERS[phone] for phone in one]
        self._ends = np.array([2 * len(one) for one in sequences], np.int64)

    def likeliest(self, shares: Floats, most: int) -> Columns:
        """Return the columns that could be the likeliest: by each phone's best moment, whatever the order."""
        if not len(shares):
            return np.arange(0)
        best = np.log(shares.max(axis=0).astype(np.float64))
        best[0] = 0.0
        bounds = best[self._states].sum(axis=0)
        return np.sort(np.argsort(-bounds, kind="stable")[:most])

    def log_likelihoods(self, shares: Floats, columns: Columns | None = None) -> Logs:
        """Return the logarithm of each column's likelihood; NEVER for one with more phones than there is sound."""
        chosen = np.arange(len(self._ends)) if columns is None else columns
        if not len(shares) or not len(chosen):
            return np.full(len(chosen), NEVER)
        ends = self._ends[chosen]
        return _summed(shares.astype(np.float64), self._states[: int(ends.max()) + 1, chosen], ends)


def _summed(shares: Logs, states: Columns, ends: Columns) -> Logs:
    """Sum over all alignments, one frame after the other, scaled so that nothing becomes too small."""
    skips = ((states[2:] != states[:-2]) & (states[2:] != 0)).astype(np.float64)
    reached = np.zeros(states.shape)
    reached[:2] = shares[0][states[:2]]
    logs = np.zeros(len(ends))
    for share in shares[1:]:
        moved = reached.copy()
        moved[1:] += reached[:-1]
        moved[2:] += reached[:-2] * skips
        moved *= share[states]
        scale = np.maximum(moved.max(axis=0), TINY)
        reached = moved / scale
        logs += np.log(scale)
    every = np.arange(len(ends))
    last = reached[ends, every] + np.where(ends > 0, reached[ends - 1, every], 0.0)
    return np.where(last > TINY, np.maximum(logs + np.log(np.maximum(last, TINY)), NEVER), NEVER)


def freely(shares: Floats) -> Phones:
    """Return the phones that the network heard, whatever they spell."""
    best = shares.argmax(axis=1) if len(shares) else np.zeros(0, np.int64)
    changed = np.flatnonzero(np.diff(best, prepend=-1))
    return tuple(PHONES[at - 1] for at in best[changed] if at)
