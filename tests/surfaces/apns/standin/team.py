"""Who may send: provider tokens as APNs judges them, for one team, over all connections."""

import base64
import json

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from tests.surfaces.apns.standin.rules import Refusal

AGE_S_MAX = 3_600
CHANGE_S_MIN = 1_200
SKEW_S_MAX = 60
HELD_ANSWERS = 50
"""So many requests of a connection are refused after a token came too soon."""


class Team:
    """One team's key and the tokens that it showed."""

    def __init__(
        self, key: ec.EllipticCurvePrivateKey, key_id: str = "KEY1234567", team_id: str = "TEAM123456"
    ) -> None:
        self.key = key
        self.key_id = key_id
        self.team_id = team_id
        self.tokens: dict[str, float] = {}
        """Each good token with the time at which it was first seen."""

    def judge(self, authorization: str, now_s: float) -> Refusal | None:
        """Refuse a missing, foreign, forged, old or too soon renewed token."""
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            return Refusal(status=403, reason="MissingProviderToken")
        claims = self._claims(token)
        if claims is None:
            return Refusal(status=403, reason="InvalidProviderToken")
        issued_s = claims.get("iat")
        if not isinstance(issued_s, int) or issued_s > now_s + SKEW_S_MAX:
            return Refusal(status=403, reason="InvalidProviderToken")
        if now_s - issued_s > AGE_S_MAX:
            return Refusal(status=403, reason="ExpiredProviderToken")
        if token not in self.tokens:
            if self.tokens and now_s - max(self.tokens.values()) < CHANGE_S_MIN:
                return Refusal(status=429, reason="TooManyProviderTokenUpdates")
            self.tokens[token] = now_s
        return None

    def _claims(self, token: str) -> dict[str, object] | None:
        if token in self.tokens:
            return _json(token.split(".")[1])
        parts = token.split(".")
        if len(parts) != 3:
            return None
        head, claims = _json(parts[0]), _json(parts[1])
        if head.get("alg") != "ES256" or head.get("kid") != self.key_id or claims.get("iss") != self.team_id:
            return None
        signature = _raw(parts[2])
        r, s = int.from_bytes(signature[:32]), int.from_bytes(signature[32:])
        try:
            self.key.public_key().verify(
                encode_dss_signature(r, s), f"{parts[0]}.{parts[1]}".encode(), ec.ECDSA(SHA256())
            )
        except InvalidSignature:
            return None
        return claims


def _json(part: str) -> dict[str, object]:
    try:
        value = json.loads(_raw(part))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _raw(part: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except ValueError:
        return b""
