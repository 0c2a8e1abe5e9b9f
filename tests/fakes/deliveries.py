"""Reading what went into the outbox for devices."""

from collections.abc import Iterable

import msgspec

from hub.contract.envelope import Envelope
from hub.contract.surface import AnyDelivered, CardDelivery, DeliveredCard
from hub.contract.topics import Address
from hub.domain.storage import Outgoing


def delivered(messages: Iterable[Outgoing]) -> list[tuple[Address, CardDelivery]]:
    """Return the card deliveries among `messages`, with whom they are for."""
    found = []
    for message in messages:
        parts = message.topic.split("/")
        if parts[3] != "deliver":
            continue
        data = msgspec.json.decode(message.payload, type=Envelope[AnyDelivered]).data
        if isinstance(data, DeliveredCard):
            found.append((Address(surface=parts[4], device=parts[5]), data.card))
    return found
