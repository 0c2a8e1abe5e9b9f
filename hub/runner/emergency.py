"""An emergency stop that cannot be written down: what runs is ended all the same, and whoever pressed it is told."""

from msgspec.structs import replace

from hub.domain.requests import Configure, Refused
from hub.loop.events import Asked, Event


def is_emergency(event: Event) -> bool:
    """Say whether somebody presses the emergency stop."""
    return (
        isinstance(event, Asked) and isinstance(event.request, Configure) and event.request.patch.emergency_stop is True
    )


def ended_all_the_same(refused: Refused) -> Refused:
    """Say what did happen, and what did not: without a record the stop would be gone after a restart."""
    detail = f"What ran was ended, but the stop itself could not be kept: {refused.detail}"
    return replace(refused, detail=detail, fix=f"Stop Pulse (Ctrl-C) to be sure that nothing begins. {refused.fix}")
