"""The signed action token: leave to answer one card, on one device, with certain verbs, until a time.

It is `base64url(grant as JSON) . base64url(HMAC-SHA256)`; a notification that carries it needs no other secret.
"""

import hashlib
import hmac
from datetime import datetime
from typing import Annotated

import msgspec

from hub.contract.base import Message
from hub.contract.errors import UserError
from hub.contract.words import Verb
from hub.kit.base64url import from_base64url, to_base64url

TOKEN_CHARS_MAX = 1024
_SIGNATURE_BYTES = 16


class TokenError(UserError):
    """This answer has no valid token for this card and device. Open the card again and answer there."""

    code = "bad-token"
    status = 403


class Grant(Message, array_like=True):
    """What a token allows.

    `attempt` is how often the card had been tried then, which binds a retry to that failure; `round` how often it had
    come back; `pairing` names the pairing of the device that it was made for.
    """

    card_id: str
    card_hash: str
    surface: str
    device: str
    verbs: tuple[Verb, ...]
    expires_at: Annotated[datetime, msgspec.Meta(tz=True)]
    attempt: int = 0
    round: int = 0
    pairing: str = ""


def mint(secret: bytes, grant: Grant) -> str:
    """Sign a grant with the hub's secret."""
    body = msgspec.json.encode(grant)
    return f"{to_base64url(body)}.{to_base64url(_signature(secret, body))}"


def check(secret: bytes, token: str) -> Grant:
    """Read a token back. Whether it has expired, and fits card and device, is for the caller to see.

    Raises:
        TokenError: not ours, or changed on the way.
    """
    body_text, dot, signature_text = token.partition(".")
    if not dot or len(token) > TOKEN_CHARS_MAX:
        raise TokenError
    try:
        body, signature = from_base64url(body_text), from_base64url(signature_text)
    except ValueError as error:
        raise TokenError from error
    if not hmac.compare_digest(signature, _signature(secret, body)):
        raise TokenError
    if token != f"{to_base64url(body)}.{to_base64url(signature)}":  # base64 can be spelled in many ways; a token in one
        raise TokenError
    return msgspec.json.decode(body, type=Grant)


def _signature(secret: bytes, body: bytes) -> bytes:
    return hmac.digest(secret, body, hashlib.sha256)[:_SIGNATURE_BYTES]
