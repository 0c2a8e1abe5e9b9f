"""The token that tells APNs who we are (ES256, `kid`, `iss`, `iat`), one for all connections and workers of a team.

APNs takes a token for an hour and dislikes more than one new one in 20 minutes; that counts for the whole team. So the
time of issue is the beginning of a window of 50 minutes and the signature is deterministic (RFC 6979): every process,
also one that was just started again, signs the very same token without asking the others.
"""

from collections.abc import Callable

from aioapns.connection import AuthorizationHeaderProvider
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from jwt.algorithms import ECAlgorithm
from jwt.api_jws import PyJWS
from msgspec import json

WINDOW_S = 50 * 60
"""At most an hour old, so renewed some minutes before."""
CHANGE_S_MIN = 20 * 60
_HALF_BYTES = 32


class SameES256(ECAlgorithm):
    """ES256 whose signature of the same text is the same."""

    def __init__(self) -> None:
        super().__init__(ECAlgorithm.SHA256, ec.SECP256R1)

    def sign(self, msg: bytes, key: ec.EllipticCurvePrivateKey) -> bytes:
        """Sign as RFC 6979 says, in the form of RFC 7518 3.4."""
        r, s = decode_dss_signature(key.sign(msg, ec.ECDSA(SHA256(), deterministic_signing=True)))
        return r.to_bytes(_HALF_BYTES) + s.to_bytes(_HALF_BYTES)


class ProviderToken(AuthorizationHeaderProvider):
    """Makes the `authorization` header; `wall_s` is unix time, `steady_s` a clock that never jumps."""

    def __init__(
        self,
        key: ec.EllipticCurvePrivateKey,
        *,
        key_id: str,
        team_id: str,
        wall_s: Callable[[], float],
        steady_s: Callable[[], float],
    ) -> None:
        self._key = key
        self._key_id = key_id
        self._team_id = team_id
        self._wall_s = wall_s
        self._steady_s = steady_s
        self._jws = PyJWS(algorithms=["ES256"])
        self._jws.unregister_algorithm("ES256")
        self._jws.register_algorithm("ES256", SameES256())
        self._header = ""
        self._issued_s = 0
        self._signed_at_s = 0.0
        self._is_refused = False
        self.signed = 0
        """How many different tokens were made."""

    def get_header(self) -> str:
        """Return the header of the present window; within 20 minutes it never changes, whatever the clock does."""
        issued_s = int(self._wall_s()) // WINDOW_S * WINDOW_S
        if self._header and self.change_in_s > 0:
            return self._header
        if self._is_refused:
            self._sign(int(self._wall_s()))
        elif not self._header or self._is_over(issued_s):
            self._sign(issued_s)
        return self._header

    @property
    def change_in_s(self) -> float:
        """How many seconds it takes until another token may be made."""
        return max(0.0, self._signed_at_s + CHANGE_S_MIN - self._steady_s()) if self._header else 0.0

    def refuse(self) -> None:
        """Note that APNs found the token expired, as when our clock is wrong; the next one is made when it may be."""
        self._is_refused = True

    def _is_over(self, issued_s: int) -> bool:
        age_s = self._wall_s() - self._issued_s
        return issued_s != self._issued_s and not 0 <= age_s < WINDOW_S

    def _sign(self, issued_s: int) -> None:
        claims = json.encode({"iss": self._team_id, "iat": issued_s})
        token = self._jws.encode(claims, self._key, algorithm="ES256", headers={"kid": self._key_id, "typ": None})
        self._header = f"bearer {token}"
        self._issued_s = issued_s
        self._signed_at_s = self._steady_s()
        self._is_refused = False
        self.signed += 1
