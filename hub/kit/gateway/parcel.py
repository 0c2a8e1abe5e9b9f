"""One delivery on its way to one device, and what it is about. Pure."""

from datetime import datetime

from hub.contract.base import Value
from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    DigestReady,
    ExecutionProgress,
    Paused,
    Resumed,
    StatusChanged,
    type_of,
)
from hub.contract.surface import CardDelivery
from hub.kit.cards import card_id_of

AUTONOMY = "autonomy"
DIGEST = "digest"


class Parcel(Value):
    """One delivery to one device; `at` is when the hub said it."""

    device: str
    card: CardDelivery
    at: datetime


def subject_of(event: AnyEvent) -> str:
    """Return what an event is about, so that a later one takes its place: its card's id, or a name of Pulse's own."""
    match event:
        case Paused() | Resumed():
            return AUTONOMY
        case CostApproaching(window=window):
            return f"cost-{window}"
        case DigestReady(digest_id=digest_id, alike=alike):
            return digest_id if alike else DIGEST
        case StatusChanged() | ExecutionProgress():
            return type_of(event)
        case _:
            return card_id_of(event)
