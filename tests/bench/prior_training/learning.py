"""Logistic regression towards shares between 0 and 1, solved in the rows instead of the columns, with numpy.

Newton's method on the dual weights: with K = X Xᵀ each step solves (K + 1 / (cost · p (1 - p))) a = z, and the weights
are Xᵀ a (Hastie, Tibshirani, Friedman 2009, 4.4.1 and 12.3.7). The rows are fewer than the columns here.
"""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

STEPS = 6
CURVE_MIN = 1e-4
BIAS_COLUMN = 3.0
"""A constant column stands for the bias; large, so that it is hardly held back."""


def learn(rows: Numbers, shares: Numbers, cost: float) -> tuple[Numbers, float]:
    """Return one weight a column, and the bias; ``cost`` is what one row counts against the squared weights."""
    likeness: Numbers = rows @ rows.T + BIAS_COLUMN**2
    scores: Numbers = np.zeros(len(rows))
    duals: Numbers = np.zeros(len(rows))
    for _ in range(STEPS):
        expected: Numbers = 1.0 / (1.0 + np.exp(-scores))
        curve = np.maximum(CURVE_MIN, expected * (1.0 - expected))
        held = likeness + np.diag(1.0 / (cost * curve))
        duals = np.asarray(np.linalg.solve(held, scores + (shares - expected) / curve), dtype=np.float64)
        scores = np.asarray(likeness @ duals, dtype=np.float64)
    return rows.T @ duals, float(BIAS_COLUMN**2 * duals.sum())
