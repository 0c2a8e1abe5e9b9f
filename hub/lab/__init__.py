"""The laboratory: how well what Pulse expects of an answer, or says of a command, agrees with what is known."""

from hub.lab.rows import LabelledOffer, read_offers
from hub.lab.score import ScoreReport, score

__all__ = ["LabelledOffer", "ScoreReport", "read_offers", "score"]
