"""What a push service checks of a sender: RFC 8292, with nothing of the sender's own code."""

import base64
import json
import re
import time
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

EXPIRY_S_MAX = 86_400
SCALAR_BYTES = 32
SUBJECT = re.compile(r"(mailto:|https:)\S+")


class VapidError(ValueError):
    """The sender did not prove who it is; the text says why."""


def from_base64url(text: str) -> bytes:
    """Decode base64url, with or without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def to_base64url(data: bytes) -> str:
    """Encode as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def claims_of(header: str, *, key: str, audience: str) -> dict[str, Any]:
    """Return the claims of an Authorization header that the owner of `key` signed for `audience`, else raise."""
    scheme, _, rest = header.partition(" ")
    if scheme.lower() != "vapid":
        raise VapidError("no VAPID header")
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    if from_base64url(fields["k"]) != from_base64url(key):
        raise VapidError("signed with another key than the subscription's")
    claims = _verified(fields["t"], from_base64url(key))
    if claims.get("aud") != audience:
        raise VapidError(f"for another audience: {claims.get('aud')}")
    left_s = claims["exp"] - time.time()
    if not 0 < left_s <= EXPIRY_S_MAX:
        raise VapidError(f"expires in {left_s:.0f} s")
    if not SUBJECT.fullmatch(str(claims.get("sub", ""))):
        raise VapidError(f"bad subject: {claims.get('sub')}")
    return claims


def _verified(token: str, point: bytes) -> dict[str, Any]:
    signed, _, signature = token.rpartition(".")
    raw = from_base64url(signature)
    pair = (int.from_bytes(raw[:SCALAR_BYTES]), int.from_bytes(raw[SCALAR_BYTES:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    try:
        key.verify(encode_dss_signature(*pair), signed.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise VapidError("the signature is wrong") from None
    claims: dict[str, Any] = json.loads(from_base64url(signed.partition(".")[2]))
    return claims
