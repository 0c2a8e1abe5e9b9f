"""From measures to one unit vector for a voice: how it departs from a background of many voices.

A Gaussian mixture of the background sorts the frames; where they lie beside their Gaussian's mean, as deviations that
are shrunk where there is little sound (Reynolds et al. 2000), is projected on directions in which one voice varies
little (Hatch et al. 2006).
"""

from typing import NamedTuple

import numpy as np

from edge.speaker.measures import Floats, Measures

RELEVANCE = 8.0
"""So many frames have to fall to a Gaussian before half of their deviation counts."""
PITCHES = 2


class Background(NamedTuple):
    """The voices that everybody is compared with. K Gaussians, D dimensions of the result, N voices of the cohort."""

    name: str
    """Tells one background from another; a template fits only its own."""
    weights: Floats
    """(K,)"""
    means: Floats
    """(K, CEPSTRA)"""
    variances: Floats
    """(K, CEPSTRA)"""
    pitch: Floats
    """(PITCHES,): what stands for the pitch of an unvoiced utterance."""
    centre: Floats
    """(K * CEPSTRA + PITCHES,)"""
    projection: Floats
    """(K * CEPSTRA + PITCHES, D)"""
    cohort: Floats
    """(N, D): unit vectors of utterances of background voices."""


def deviations(measures: Measures, background: Background) -> Floats:
    """Return the shrunk deviations of all Gaussians and the pitch, shape (K * CEPSTRA + PITCHES,)."""
    shares = shares_of(measures.cepstra, background)
    counts = shares.sum(axis=0)[:, None]
    apart = (shares.T @ measures.cepstra - counts * background.means) / np.sqrt(background.variances)
    pitch = background.pitch if measures.pitch is None else measures.pitch
    return np.concatenate([(apart / (counts + RELEVANCE)).reshape(-1), pitch])


def shares_of(cepstra: Floats, background: Background) -> Floats:
    """Return how much of each frame falls to each Gaussian, shape (frames, K)."""
    means, variances = background.means, background.variances
    ratios = means / variances
    squares = (cepstra**2) @ (1 / variances).T - 2 * cepstra @ ratios.T + (means * ratios).sum(axis=1)
    logs = np.log(background.weights) - 0.5 * (squares + np.log(variances).sum(axis=1))
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    shares: Floats = likely / likely.sum(axis=1, keepdims=True)
    return shares


def embed(measures: Measures, background: Background) -> Floats:
    """Return the unit vector of an utterance, shape (D,)."""
    return unit((deviations(measures, background) - background.centre) @ background.projection)


def unit(vector: Floats) -> Floats:
    """Return a vector of length 1 in the same direction."""
    scaled: Floats = vector / max(float(np.linalg.norm(vector)), 1e-9)
    return scaled
