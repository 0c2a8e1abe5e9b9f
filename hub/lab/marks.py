"""How good probabilities are, from what was expected and what came: AUC, F1, ECE, Brier, and the curve behind them.

AUC: the share of pairs (a yes, a no) that are in the right order, ties half (Hanley and McNeil 1982). Brier: the mean
squared distance (Brier 1950). ECE: over ten bands of equal width, the distance between what was expected on average
and the share that came, weighted by rows (Naeini and others 2015).
"""

from collections.abc import Sequence
from itertools import groupby

from hub.contract.base import Message, Value

BANDS = 10


class MarkedRow(Value):
    """One row: ``p`` was expected, ``chosen`` is what was decided, ``right`` is what came."""

    p: float
    chosen: bool
    right: bool


class BandOfRows(Message):
    """One band of the curve: ``expected`` on average, and the share that ``came``."""

    expected: float
    came: float
    rows: int


class Marks(Message):
    """Shares between 0 and 1; ``auc`` is null where all rows have one label, the others where there is no row.

    ``precision`` and ``recall`` are of what was decided; ``right`` is the share of rows whose label is yes.
    """

    rows: int
    right: float | None
    auc: float | None
    f1: float | None
    precision: float | None
    recall: float | None
    ece: float | None
    brier: float | None


def marks_of(judged: Sequence[MarkedRow]) -> Marks:
    """Return the marks of some rows."""
    if not judged:
        return Marks(rows=0, right=None, auc=None, f1=None, precision=None, recall=None, ece=None, brier=None)
    hits = sum(one.chosen and one.right for one in judged)
    chosen, right = sum(one.chosen for one in judged), sum(one.right for one in judged)
    return Marks(
        rows=len(judged),
        right=right / len(judged),
        auc=auc(judged),
        f1=2 * hits / (chosen + right) if chosen + right else 0.0,
        precision=hits / chosen if chosen else 0.0,
        recall=hits / right if right else 0.0,
        ece=sum(abs(band.expected - band.came) * band.rows for band in curve(judged)) / len(judged),
        brier=sum((one.p - one.right) ** 2 for one in judged) / len(judged),
    )


def auc(judged: Sequence[MarkedRow]) -> float | None:
    """Return the share of pairs in the right order, or None where there is no pair."""
    below = pairs = 0.0
    noes = sum(not one.right for one in judged)
    for _, tied in groupby(sorted(judged, key=lambda one: one.p), key=lambda one: one.p):
        same = [one.right for one in tied]
        no = len(same) - sum(same)
        pairs += sum(same) * (below + no / 2)
        below += no
    every = noes * (len(judged) - noes)
    return pairs / every if every else None


def curve(judged: Sequence[MarkedRow]) -> tuple[BandOfRows, ...]:
    """Return the bands that hold rows, the least likely first."""
    bands: list[list[MarkedRow]] = [[] for _ in range(BANDS)]
    for one in judged:
        bands[min(BANDS - 1, int(one.p * BANDS))].append(one)
    return tuple(
        BandOfRows(
            expected=sum(one.p for one in band) / len(band),
            came=sum(one.right for one in band) / len(band),
            rows=len(band),
        )
        for band in bands
        if band
    )
