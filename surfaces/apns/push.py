"""One request to APNs as a value: what is sent, as which type, how urgently, until when. Pure.

The types, their topics and their priorities are Apple's ("Sending notification requests to APNs").
"""

import uuid
from typing import Literal

from hpack import NeverIndexedHeaderTuple

from hub.contract.base import Value
from surfaces.apns.settings import Environment

PAYLOAD_BYTES_MAX = 4_096
EXPIRATION_S_MAX = 30 * 86_400
"""APNs keeps nothing longer."""

PushType = Literal[
    "alert", "background", "complication", "controls", "liveactivity", "location", "pushtotalk", "voip", "widgets"
]
Priority = Literal[1, 5, 10]

TOPIC_SUFFIX: dict[PushType, str] = {
    "alert": "",
    "background": "",
    "complication": ".complication",
    "controls": ".push-type.controls",
    "liveactivity": ".push-type.liveactivity",
    "location": ".location-query",
    "pushtotalk": ".voip-ptt",
    "voip": ".voip",
    "widgets": ".push-type.widgets",
}
NEVER_IMMEDIATE: frozenset[PushType] = frozenset({"background"})
"""Priority 10 must show something; APNs refuses it for these."""
OTHER: dict[Environment, Environment] = {"production": "sandbox", "sandbox": "production"}
_DELIVERIES = uuid.UUID("6f6c8a52-5d0b-5f0e-9a39-3f1d6c1b7e11")
"""The namespace of our apns-ids (RFC 9562, version 5)."""

Field = tuple[str, str] | NeverIndexedHeaderTuple
"""A header field with its value."""


class Push(Value):
    """One notification for one token. `topic` is the app's bundle id, without the type's suffix.

    `expiration` is in unix seconds, 0 for "now or never". One that `is_repeatable` does no harm when it comes twice: it
    takes the same place again. The payload's size is its writer's care.
    """

    token: str
    topic: str
    type: PushType
    payload: bytes
    priority: Priority
    expiration: int
    apns_id: str
    collapse_id: str = ""
    is_repeatable: bool = True

    def __repr__(self) -> str:
        return f"Push({self.type}, {self.apns_id}, {len(self.payload)} bytes)"


def apns_id(delivery_id: str, what: str) -> str:
    """Return the id of one push of one delivery: the same on every retry, also after a restart."""
    return str(uuid.uuid5(_DELIVERIES, f"{delivery_id}/{what}"))


def headers_of(push: Push, *, host: str, authorization: str) -> list[Field]:
    """Return the HTTP/2 header fields of a push, in lower case, pseudo fields first.

    What differs each time stays out of the table of known fields (RFC 7541 6.2.3), which keeps room for what repeats.
    """
    fields: list[Field] = [
        (":method", "POST"),
        (":scheme", "https"),
        NeverIndexedHeaderTuple(":path", f"/3/device/{push.token}"),
        (":authority", host),
        ("authorization", authorization),
        NeverIndexedHeaderTuple("apns-id", push.apns_id),
        ("apns-topic", push.topic + TOPIC_SUFFIX[push.type]),
        ("apns-push-type", push.type),
        ("apns-priority", str(push.priority)),
        ("apns-expiration", str(push.expiration)),
    ]
    if push.collapse_id:
        fields.append(NeverIndexedHeaderTuple("apns-collapse-id", push.collapse_id))
    return fields
