"""Asks APNs whether it accepts our key: one push to a token that no device has."""

import uuid

from hub.kit.gateway.outcome import Accepted, Misconfigured, Outcome, Quarantined, RetryLater
from hub.kit.setup_faults import (
    SetupError,
    SetupMalformedError,
    SetupNoNetworkError,
    SetupPermissionError,
    SetupWrongTokenError,
)
from surfaces.apns.app import make_client
from surfaces.apns.client import CLOCK, Client
from surfaces.apns.config import BadApnsKeyError
from surfaces.apns.push import Push
from surfaces.apns.settings import CREDENTIALS, KEY_FILE, TOPIC, Config

NOBODY = "00" * 32
PAYLOAD = b'{"aps":{"content-available":1}}'
SERVER = "Check this machine's network: it has to reach api.push.apple.com at port 443."


async def discover(config: Config) -> None:
    """See that Apple accepts the key for this app.

    Raises:
        SetupError: it does not, or does not answer, or there is no such key.
    """
    try:
        client = make_client(config)
    except BadApnsKeyError as error:
        raise SetupMalformedError(error.detail, fix=error.fix, field=KEY_FILE.name) from error
    try:
        outcome = await _asked(client, config.topic)
    finally:
        client.close()
    if not isinstance(outcome, Quarantined | Accepted):
        raise _fault_of(outcome)


def _fault_of(outcome: Outcome) -> SetupError:
    why, fix = getattr(outcome, "why", "Apple gave no reason"), getattr(outcome, "fix", "")
    match outcome:
        case Misconfigured(lacks_permission=False):
            names = tuple(field.name for field in CREDENTIALS)
            return SetupWrongTokenError(f"{why}.", fix="One of the three is of another key or team.", doubtful=names)
        case Misconfigured():  # it knows the key
            return SetupPermissionError(f"{why}.", fix=TOPIC.where, field=TOPIC.name)
        case _:
            return SetupNoNetworkError(f"{why}.", fix=CLOCK if fix == CLOCK else SERVER)


async def check(client: Client, topic: str) -> str:
    """Return what is wrong with the settings or the way to APNs; empty when they are good."""
    match await _asked(client, topic):
        case Quarantined() | Accepted():
            return ""
        case Misconfigured(why=why) | RetryLater(why=why):
            return why
        case outcome:
            return f"APNs did not say: {outcome}"


async def _asked(client: Client, topic: str) -> Outcome:
    push = Push(
        token=NOBODY,
        topic=topic,
        type="background",
        payload=PAYLOAD,
        priority=5,
        expiration=0,
        apns_id=str(uuid.uuid4()),
    )
    return await client.send(push)
