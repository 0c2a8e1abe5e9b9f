"""What the hub says, read; what cannot be read is logged and let go, for nobody could do anything with it."""

import logging
from typing import TypeVar

from hub.contract.envelope import BadMessageError, Envelope, decode
from hub.contract.events import AnyEvent
from hub.contract.surface import AnyDelivered

T = TypeVar("T")
log = logging.getLogger(__name__)


def read(payload: bytes, kind: type[T]) -> Envelope[T] | None:
    """Return a message whose data is a `kind`; None for garbage, of which only the length is logged."""
    try:
        return decode(payload, kind)
    except BadMessageError:
        log.info("dropped a message of %d bytes that cannot be read", len(payload))
        return None


def read_delivered(payload: bytes) -> Envelope[AnyDelivered] | None:
    """Return what the hub says to one device; None for garbage."""
    return read(payload, AnyDelivered)  # type: ignore[arg-type]  # a union is a type to msgspec


def read_event(payload: bytes) -> Envelope[AnyEvent] | None:
    """Return what the hub says to everybody; None for garbage."""
    return read(payload, AnyEvent)  # type: ignore[arg-type]  # a union is a type to msgspec
