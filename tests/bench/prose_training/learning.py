"""Logistic regression on sparse rows by dual coordinate descent (Yu, Huang, Lin 2011, algorithm 5), with numpy."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
Columns = NDArray[np.int64]

ROUNDS = 25
NEWTON_STEPS = 8
SEED = 7
TINY = 1e-9


def learn(rows: Sequence[Columns], truths: Sequence[bool], costs: Sequence[float], *, width: int) -> Weights:
    """Return one weight per column, and the bias as the last; a row's columns each count 1/sqrt(how many they are)."""
    weights = np.zeros(width + 1)
    shares = [1.0 / np.sqrt(max(1, len(row))) for row in rows]
    duals = [min(1e-3 * cost, 1e-8) for cost in costs]
    for row, share, truth, dual in zip(rows, shares, truths, duals, strict=True):
        _step(weights, row, share, dual if truth else -dual)
    order = np.arange(len(rows))
    chance = np.random.default_rng(SEED)
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for at in order.tolist():
            row, share, sign = rows[at], shares[at], 1.0 if truths[at] else -1.0
            margin = sign * (share * weights[row].sum() + weights[-1])
            change = _newton(duals[at], costs[at], margin) - duals[at]
            if abs(change) > TINY:
                duals[at] += change
                _step(weights, row, share, sign * change)
    return weights


def _step(weights: Weights, row: Columns, share: float, by: float) -> None:
    weights[row] += by * share
    weights[-1] += by


def _newton(dual: float, cost: float, margin: float) -> float:
    """Minimise |x|^2/2 (a - dual)^2 + margin (a - dual) + a log a + (cost - a) log(cost - a) over a."""
    square = 2.0  # a row's own 1, and 1 for the bias
    at = min(max(dual, TINY * cost), cost - TINY * cost)
    for _ in range(NEWTON_STEPS):
        slope = square * (at - dual) + margin + math.log(at / (cost - at))
        step = slope / (square + cost / (at * (cost - at)))
        if abs(slope) < 1e-4:
            break
        moved = at - step
        at = moved if 0 < moved < cost else (at / 10 if moved <= 0 else cost - (cost - at) / 10)
    return float(at)
