"""Lines of the world log that come over the broker: whose they are is known by the topic, which only that login writes.

A line is known by its envelope's id, or by the key in its body: the broker may hand a message in again, and so may the
sender after a lost connection.
"""

import msgspec

from hub.contract.envelope import BadMessageError, decode
from hub.contract.errors import BusyError
from hub.contract.topics import DeviceAddress
from hub.contract.world_api import WorldAgentBody, WorldEventBody
from hub.domain.requests import Refused, Reply
from hub.domain.world_bodies import line_of
from hub.domain.world_requests import SayWorld

BODIES: dict[str, type[WorldEventBody] | type[WorldAgentBody]] = {
    "world.event": WorldEventBody,
    "world.agent": WorldAgentBody,
}
"""What an envelope of each type carries."""
LATER_FROM = 501
"""A refusal from this status on is one for now (a disk, much to do), so the line is to come again. A bug (500) would
refuse it again, and the broker would hand in nothing else."""


def request_of(payload: bytes, sender: DeviceAddress) -> SayWorld:
    """Return what a message asks for.

    Raises:
        BadMessageError: it is no line.
    """
    envelope = decode(payload, msgspec.Raw)
    kind = BODIES.get(envelope.type)
    if kind is None:
        raise BadMessageError(f"an envelope here is of the type {' or '.join(BODIES)}")
    try:
        body = msgspec.json.decode(envelope.data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessageError(str(error)) from error
    key = f"key/{body.idempotency_key}" if body.idempotency_key else f"id/{envelope.id}"
    return SayWorld(line=line_of(body), client=owner_of(sender), key=key)


def owner_of(sender: DeviceAddress) -> str:
    """Return whose sessions those of a login at the broker are."""
    return f"mqtt:{sender}"


def fault_of(reply: Reply) -> str:
    """Return why a line was refused, as a code; empty where it was taken.

    Raises:
        BusyError: that was no fault of the line, so the broker is to hand it in again.
    """
    if not isinstance(reply, Refused):
        return ""
    if reply.status >= LATER_FROM:
        raise BusyError(reply.detail)
    return reply.code
