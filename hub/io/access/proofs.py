"""Proofs of possession: a browser shows with each request that it holds its session's key (RFC 9449, DPoP).

Theory: what a browser sends by itself (a cookie), it sends to every port of this machine. A key that WebCrypto made and
does not hand out stays with the page's own origin, and a port is part of an origin. So a session's token is only good
together with a fresh signature over the method, the address and the token itself. Whoever reads a request, or is sent
one by mistake, holds a token without a key and a proof that is good for one request, once, here.

A proof is taken for a minute around its time. A browser whose clock is wrong is told a nonce, our own time under our
own seal, and sends the request once more with that. Proofs that are older than this process are not taken either, so
what was seen before a restart need not be remembered.
"""

import hashlib
import hmac
import json
import secrets
from collections import deque
from collections.abc import Container, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hub.contract.base import Value
from hub.domain.storage import Client
from hub.io.http.session_errors import (
    ForeignAddressError,
    ProofReplayedError,
    ProofStaleError,
    ProofWrongError,
    TooManyProofsError,
)
from hub.kit.base64url import to_base64url
from hub.ports import Clock

if TYPE_CHECKING:
    import jwt
    from jwt.types import Options

TYPE = "dpop+jwt"
ALGORITHM = "ES256"
CURVE = ("EC", "P-256")
PROOF_CHARS_MAX = 2_048
ID_CHARS_MAX = 64
LASTS = timedelta(minutes=1)
"""How far a proof's time, or a nonce's, may be from ours."""
REMEMBERED_FOR = 2 * LASTS
SEEN_MAX = 50_000
SEEN_MAX_PER_SESSION = 10_000
NONCE_CHARS_MAX = 100
TIME_MAX = 2**53
ORIGIN_CHARS_SHOWN = 100
OPEN_OURS = "Open the page at the address that `pulse up` shows, or set `api.public_url` to the one that you use."
KEYS_KEPT_MAX = 256
OURS_TO_JUDGE: "Options" = dict.fromkeys(("verify_iat", "verify_exp", "verify_nbf", "verify_aud"), False)  # type: ignore[assignment]  # a typed dict of these very names


class Holder(Value):
    """Who made a proof: its public key as a JSON Web Key, and the origin of the page."""

    key: str
    origin: str


class Proofs:
    """Checks proofs, and remembers the ones that were used for as long as they would be taken."""

    def __init__(self, clock: Clock, origins: Container[str]) -> None:
        self._clock = clock
        self._origins = origins
        self._began = clock.now()
        self._seal = secrets.token_bytes(32)
        self._seen: set[tuple[str, str]] = set()
        self._order: deque[tuple[datetime, str, str]] = deque()
        self._counts: dict[str, int] = {}

    def check(self, proof: str, client: Client, token: str, method: str, address: str) -> None:
        """Check that the holder of a session's key made this proof for this request, and that it is the first time.

        `address` is the whole address that is asked for, without a query.

        Raises:
            ProofWrongError, ProofStaleError, ProofReplayedError, TooManyProofsError: it is not so.
        """
        claims = _claims(proof, client.key)
        about = (claims.get("htm"), claims.get("htu"), claims.get("ath"))
        if about != (method, address, hash_of(token)):
            raise ProofWrongError("The proof belongs to another request, address or session.")
        self._require_fresh(claims)
        self._require_first(client.id, claims)

    def holder(self, proof: str, method: str, path: str) -> Holder:
        """Return who signs in; the proof carries its key itself, and no token yet.

        Raises:
            ProofWrongError, ProofStaleError: it is no proof for this request.
        ForeignAddressError: the page is not at one of our addresses.
        """
        key = json.dumps(_key_in(proof), sort_keys=True)
        claims = _claims(proof, key)
        origin = str(claims.get("htu", "")).removesuffix(path)
        if claims.get("htm") != method or claims.get("htu") != origin + path:
            raise ProofWrongError("The proof was made for another request.")
        if origin not in self._origins:
            raise ForeignAddressError(
                f"The page was opened at {origin[:ORIGIN_CHARS_SHOWN]}, which is not this hub's.", fix=OPEN_OURS
            )
        self._require_fresh(claims)
        return Holder(key=key, origin=origin)

    def nonce(self) -> str:
        """Return our time under our seal."""
        at = str(int(self._clock.now().timestamp()))
        return f"{at}.{self._sealed(at)}"

    def _require_fresh(self, claims: Mapping[str, Any]) -> None:
        now, nonce, issued = self._clock.now().timestamp(), claims.get("nonce"), claims.get("iat")
        if nonce is not None:
            is_fresh = self._is_ours(nonce) and abs(now - int(nonce.partition(".")[0])) <= LASTS.total_seconds()
        else:
            at = float(issued) if isinstance(issued, int | float) and 0 < issued < TIME_MAX else 0.0
            is_fresh = abs(now - at) <= LASTS.total_seconds() and at >= self._began.timestamp()
        if not is_fresh:
            raise ProofStaleError(self.nonce())

    def _is_ours(self, nonce: object) -> bool:
        if not isinstance(nonce, str) or len(nonce) > NONCE_CHARS_MAX or not nonce.isascii():
            return False
        at, _, seal = nonce.partition(".")
        return at.isdigit() and hmac.compare_digest(seal, self._sealed(at))

    def _sealed(self, at: str) -> str:
        return hmac.new(self._seal, at.encode(), hashlib.sha256).hexdigest()[:32]

    def _require_first(self, client_id: str, claims: Mapping[str, Any]) -> None:
        proof_id, now = claims.get("jti"), self._clock.now()
        if not isinstance(proof_id, str) or not 0 < len(proof_id) <= ID_CHARS_MAX:
            raise ProofWrongError(f"A proof has a `jti` of 1 to {ID_CHARS_MAX} characters.")
        self._drop_old(now)
        if (client_id, proof_id) in self._seen:
            raise ProofReplayedError
        used = self._counts.get(client_id, 0)
        if used >= SEEN_MAX_PER_SESSION or len(self._seen) >= SEEN_MAX:
            raise TooManyProofsError
        self._counts[client_id] = used + 1
        self._seen.add((client_id, proof_id))
        self._order.append((now, client_id, proof_id))

    def _drop_old(self, now: datetime) -> None:
        while self._order and now - self._order[0][0] > REMEMBERED_FOR:
            _, client_id, proof_id = self._order.popleft()
            self._seen.discard((client_id, proof_id))
            left = self._counts.get(client_id, 0) - 1
            if left > 0:
                self._counts[client_id] = left
            else:
                self._counts.pop(client_id, None)


def hash_of(token: str) -> str:
    """Return a token's hash as a proof names it (`ath`)."""
    digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
    return to_base64url(digest)


def _key_in(proof: str) -> dict[str, str]:
    """Return the public key in a proof's header, and nothing but that: no private part, no other curve."""
    import jwt  # noqa: PLC0415  with its cryptography it is heavy, and only browsers need it

    try:
        said = jwt.get_unverified_header(proof).get("jwk") if len(proof) <= PROOF_CHARS_MAX else None
    except jwt.InvalidTokenError as error:
        raise ProofWrongError("This is not a valid proof.") from error
    parts = {name: said.get(name) for name in ("kty", "crv", "x", "y")} if isinstance(said, dict) else {}
    key = {name: value for name, value in parts.items() if isinstance(value, str)}
    if (key.get("kty"), key.get("crv")) != CURVE or len(key) < len(parts):
        raise ProofWrongError("A proof to sign in with carries its public key, on the curve P-256, as `jwk`.")
    return key


@lru_cache(maxsize=KEYS_KEPT_MAX)
def _public(key: str) -> "jwt.PyJWK":
    import jwt  # noqa: PLC0415  with its cryptography it is heavy, and only browsers need it

    return jwt.PyJWK(json.loads(key), ALGORITHM)


def _claims(proof: str, key: str) -> dict[str, Any]:
    """Return what a proof says, once its signature is known to be this key's."""
    import jwt  # noqa: PLC0415  with its cryptography it is heavy, and only browsers need it

    if len(proof) > PROOF_CHARS_MAX:
        raise ProofWrongError("This is not a valid proof.")
    try:
        whole = jwt.decode_complete(proof, _public(key), algorithms=[ALGORITHM], options=OURS_TO_JUDGE)
    except (jwt.PyJWTError, ValueError) as error:
        raise ProofWrongError("The proof is not signed with this session's key.") from error
    if whole["header"].get("typ") != TYPE:
        raise ProofWrongError(f"A proof has the type {TYPE}.")
    claims: dict[str, Any] = whole["payload"]
    return claims
