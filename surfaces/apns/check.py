"""Asks APNs whether it accepts our key: one push to a token that no device has."""

import uuid

from hub.kit.gateway.outcome import Accepted, Misconfigured, Quarantined, RetryLater
from surfaces.apns.client import Client
from surfaces.apns.push import Push

NOBODY = "00" * 32
PAYLOAD = b'{"aps":{"content-available":1}}'


async def check(client: Client, topic: str) -> str:
    """Return what is wrong with the settings or the way to APNs; empty when they are good."""
    push = Push(
        token=NOBODY,
        topic=topic,
        type="background",
        payload=PAYLOAD,
        priority=5,
        expiration=0,
        apns_id=str(uuid.uuid4()),
    )
    match await client.send(push):
        case Quarantined() | Accepted():
            return ""
        case Misconfigured(why=why) | RetryLater(why=why):
            return why
        case outcome:
            return f"APNs did not say: {outcome}"
