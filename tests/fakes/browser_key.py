"""A browser's key, and the proofs that it makes with it, as the page does (RFC 9449); `httpx` clients sign with it."""

import json
import secrets
import time
from collections.abc import Callable, Generator
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from hub.io.access.proofs import hash_of


class BrowserKey(httpx.Auth):
    """One key pair, and the session that was bound to it once `token` is set.

    `now` says the browser's time, in seconds since 1970. What the hub asks for in a nonce, it is given once.
    """

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.token = ""
        self.nonce = ""
        self._now = now

    @property
    def jwk(self) -> dict[str, Any]:
        return dict(json.loads(ECAlgorithm.to_jwk(self.private.public_key())))

    def proof(self, method: str, address: str, **claims: object) -> str:
        """Sign for one request; `claims` replace what would be said, None leaves it out."""
        said: dict[str, object] = {"htm": method, "htu": address, "iat": self._now(), "jti": secrets.token_hex(8)}
        if self.token:
            said["ath"] = hash_of(self.token)
        if self.nonce:
            said["nonce"] = self.nonce
        whole = {name: value for name, value in {**said, **claims}.items() if value is not None}
        return jwt.encode(whole, self.private, algorithm="ES256", headers={"typ": "dpop+jwt", "jwk": self.jwk})

    def headers(self, method: str, address: str, **claims: object) -> dict[str, str]:
        """Return the headers of one request."""
        signed = {"DPoP": self.proof(method, address, **claims)}
        return {**signed, "Authorization": f"DPoP {self.token}"} if self.token else signed

    def first_message(self, socket_address: str, **claims: object) -> dict[str, str]:
        """Return what a page says first on its WebSocket."""
        return {"type": "auth", "token": self.token, "proof": self.proof("GET", socket_address, **claims)}

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Sign a request, unless it says itself who sends it; a second time with the nonce that it is told."""
        if "authorization" in request.headers or "dpop" in request.headers:
            yield request
            return
        address = str(request.url.copy_with(query=None, fragment=None))
        request.headers.update(self.headers(request.method, address))
        answer = yield request
        if "dpop-nonce" in answer.headers:
            self.nonce = answer.headers["dpop-nonce"]
            request.headers.update(self.headers(request.method, address))
            yield request
