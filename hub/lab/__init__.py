"""The laboratory: how well what Pulse expects of an answer agrees with answers that are known."""

from hub.lab.rows import LabelledOffer, read_offers
from hub.lab.score import ScoreReport, score

__all__ = ["LabelledOffer", "ScoreReport", "read_offers", "score"]
