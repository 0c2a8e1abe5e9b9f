"""The cards of a digest that can be answered from its notification. Pure.

Each has a token of its own, some 400 bytes of 4,096: as many go along as fit beside the whole text, the first ones.
Approve is offered only for a line that is shown whole. What is left out is answered in the app.
"""

import msgspec
from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.events import DigestReady, PredictionNew
from hub.contract.surface import CardDelivery
from hub.contract.words import Verb
from hub.kit.digests import cards_of, line_of
from hub.kit.shown import sayable
from surfaces.apns.payload import AlertPayload, PayloadItem

CATEGORY = "CROSSPOLL_DIGEST"
"""The app's own view of a digest; it has no buttons but those of each card."""
OFFERED = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE)


def with_items(payload: AlertPayload, card: CardDelivery, bytes_max: int) -> AlertPayload:
    """Return the notification of a digest with the leave to answer as many of its cards as there is room for."""
    items = items_of(card)
    while items:
        filled = replace(payload, items=items, aps=replace(payload.aps, category=CATEGORY))
        if len(msgspec.json.encode(filled)) <= bytes_max:
            return filled
        items = items[:-1]
    return payload


def items_of(card: CardDelivery) -> tuple[PayloadItem, ...]:
    """Return what may be answered of each card, in their order; nothing where the device shows none of their text."""
    if card.privacy != "full":
        return ()
    is_alike = isinstance(card.event, DigestReady) and bool(card.event.alike)
    cards = ((one, one.event.prediction) for one in cards_of(card) if isinstance(one.event, PredictionNew))
    return tuple(_item(one, shown, is_read=line_of(shown, is_alike=is_alike).is_whole) for one, shown in cards)


def _item(card: CardDelivery, shown: Prediction, *, is_read: bool) -> PayloadItem:
    return PayloadItem(
        card_id=shown.id,
        delivery_id=card.delivery_id,
        card_hash=shown.card_hash,
        expires_at=card.expires_at,
        risk=shown.risk,
        actions=sayable((verb for verb in OFFERED if verb in card.verbs), is_whole=is_read),
        token=card.token,
    )
