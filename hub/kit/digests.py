"""A digest on a surface: what waited for a good moment, at once, each card with its own leave to be answered. Pure."""

from msgspec.structs import replace

from hub.contract.events import DigestReady, PredictionNew
from hub.contract.surface import CardDelivery


def cards_of(delivery: CardDelivery) -> tuple[CardDelivery, ...]:
    """Return each card of a digest as if it had come alone, silently; nothing of what is no digest.

    Whoever keeps cards keeps these as any other: they are answered, settled and taken back by themselves.
    """
    if not isinstance(delivery.event, DigestReady):
        return ()
    items = {item.card_id: item for item in delivery.items}
    return tuple(
        replace(
            delivery,
            delivery_id=item.delivery_id,
            event=PredictionNew(prediction=card),
            loudness="silent",
            verbs=item.verbs,
            token=item.token,
            expires_at=card.expires_at,
            items=(),
        )
        for card in delivery.event.cards
        if (item := items.get(card.id)) is not None
    )
