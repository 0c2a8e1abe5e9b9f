"""Reading what went into the outbox for devices."""

from collections.abc import Iterable, Iterator

import msgspec

from hub.contract.envelope import Envelope
from hub.contract.surface import AnyDelivered, CardDelivery, DeliveredCard, DeliveredVerdict, Verdict
from hub.contract.topics import DeviceAddress
from hub.domain.storage import Outgoing


def delivered(messages: Iterable[Outgoing]) -> list[tuple[DeviceAddress, CardDelivery]]:
    """Return the card deliveries among `messages`, with whom they are for."""
    return [(to, data.card) for to, data in handed_over(messages) if isinstance(data, DeliveredCard)]


def verdicts(messages: Iterable[Outgoing]) -> list[tuple[DeviceAddress, Verdict]]:
    """Return the verdicts on devices' decisions among `messages`, with whom they are for."""
    return [(to, data.verdict) for to, data in handed_over(messages) if isinstance(data, DeliveredVerdict)]


def handed_over(messages: Iterable[Outgoing]) -> Iterator[tuple[DeviceAddress, AnyDelivered]]:
    """Return everything that was handed to devices among `messages`, with whom it is for."""
    for message in messages:
        parts = message.topic.split("/")
        if parts[3] == "deliver":
            data = msgspec.json.decode(message.payload, type=Envelope[AnyDelivered]).data
            yield DeviceAddress(surface=parts[4], device=parts[5]), data
