"""What became of a card, as one word that every surface uses: what is not proven is not called done. Pure.

A card's status alone says too little: a failure may be over or put aside, a card may be gone because nobody answered or
because it is not needed, and a run that ended without an error may have proven nothing. A surface that reads the status
instead would say more than is so. Each fate has a phrase of its name.
"""

from typing import Literal, get_args

from hub.contract.api import Prediction
from hub.contract.words import MoveReason, Status, Verb

Fate = Literal[
    "pending",
    "confirmed",
    "rejected",
    "expired",
    "passed",
    "cancelled",
    "executed",
    "handed_over",
    "failed",
    "ignored",
    "mended",
]
FATES: tuple[Fate, ...] = get_args(Fate)


def fate_of(card: Prediction) -> Fate:
    """Return what became of a card so far."""
    match card.status:
        case Status.FAILED if card.mended_at is not None:
            return "mended"
        case Status.FAILED if card.settled is not None and card.settled.verb is Verb.IGNORE:
            return "ignored"
        case Status.EXECUTED if card.result is not None and card.result.handed_over:
            return "handed_over"
        case Status.EXPIRED if card.status_reason is MoveReason.PASSED:
            return "passed"
        case _:
            return card.status.value
