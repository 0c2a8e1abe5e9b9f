"""Accuracy and calibration (CROSSPOLL 7.6), from the cards of a period; null where there is no data."""

from collections.abc import Sequence
from datetime import datetime
from math import fsum
from typing import Literal

from hub.contract.insight import CalibrationBucket, MetricsAnswer
from hub.contract.words import Source, Status
from hub.domain.suggestion import Card
from hub.learn.similarity import was_approved

BUCKETS = ((0.3, 0.4), (0.4, 0.5), (0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 1.0))
TREND_MIN = 10
"""Answers needed in each half of the period before a trend is named."""
TREND_STEP = 0.05
APPROVED = frozenset({Status.CONFIRMED, Status.EXECUTED, Status.FAILED})


def metrics(cards: Sequence[Card], period: str, trained_at: datetime | None = None) -> MetricsAnswer:
    """Count the period's cards, oldest first. Questions asked by others (`ask`) are no predictions and are left out.

    `trained_at` is when a model last learnt from training pairs.
    """
    predictions = [card for card in cards if card.proposal.source is not Source.ASK]
    approved = [card for card in predictions if was_approved(card)]
    rejected = [card for card in predictions if card.status is Status.REJECTED]
    automatic = [card for card in predictions if card.autonomous]
    undone = sum(card.undone for card in automatic)
    return MetricsAnswer(
        period=period,
        total_predictions=len(predictions),
        approved=len(approved),
        rejected=len(rejected),
        expired=sum(card.status is Status.EXPIRED for card in predictions),
        auto_executed=len(automatic),
        auto_executed_undone=undone,
        approval_rate=_share(len(approved), len(approved) + len(rejected)),
        auto_success_rate=_share(len(automatic) - undone, len(automatic)),
        avg_confidence=_mean(predictions),
        avg_approved_confidence=_mean(approved),
        avg_rejected_confidence=_mean(rejected),
        calibration=tuple(_bucket(predictions, low, high) for low, high in BUCKETS),
        trend_direction=_trend(predictions),
        last_dpo_training=trained_at,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(cards: Sequence[Card]) -> float | None:
    return fsum(card.proposal.confidence for card in cards) / len(cards) if cards else None


def _bucket(cards: Sequence[Card], low: float, high: float) -> CalibrationBucket:
    top = high >= 1.0
    inside = [c for c in cards if low <= c.proposal.confidence and (c.proposal.confidence < high or top)]
    return CalibrationBucket(bucket=f"{low}-{high}", predictions=len(inside), approval_rate=_rate(inside))


def _rate(cards: Sequence[Card]) -> float | None:
    yes = sum(was_approved(card) for card in cards)
    no = sum(card.status is Status.REJECTED for card in cards)
    return _share(yes, yes + no)


def _trend(cards: Sequence[Card]) -> Literal["improving", "steady", "declining", "unknown"]:
    answered = [card for card in cards if was_approved(card) or card.status is Status.REJECTED]
    half = len(answered) // 2
    earlier, later = _rate(answered[:half]), _rate(answered[half:])
    if half < TREND_MIN or earlier is None or later is None:
        return "unknown"
    if abs(later - earlier) < TREND_STEP:
        return "steady"
    return "improving" if later > earlier else "declining"
