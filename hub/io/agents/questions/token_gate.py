"""A web server of ours lets in who has a token of the hub's that may ask, and hands that token on.

The process itself has no rights. Every user and every page of this machine can reach its port, so without a token
nothing is answered.
"""

import hashlib
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from hub.io.agents.questions.hub_client import AgentHubClient
from hub.kit.bounded import BoundedMap
from hub.kit.hub_api import HubAddress
from hub.kit.hub_client import HubSaysNo

BEARER = "bearer "
GOOD_FOR_S, REMEMBERED_MAX = 10.0, 256
"""So long a token is taken for good without asking the hub again: a revoked one can ask nothing all the same."""
TOKEN_CHARS_MAX = 256
UNAUTHORIZED, FORBIDDEN, UNAVAILABLE = 401, 403, 503
Find = Callable[[str], HubAddress | None]
"""Says where the hub is to the holder of this token; None while it is not running."""


class TokenGate:
    """Lets in who has a token of the hub's that may ask."""

    def __init__(self, inner: ASGIApp, find: Find) -> None:
        self._inner = inner
        self._find = find
        self._good: BoundedMap[str, float] = BoundedMap(REMEMBERED_MAX)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            return
        refusal = await self._refusal(token_of(Request(scope)))
        if refusal is None:
            await self._inner(scope, receive, send)
        else:
            await refusal(scope, receive, send)

    async def _refusal(self, token: str) -> JSONResponse | None:
        hashed = hashlib.sha256(token.encode()).hexdigest()
        if token and self._good.get(hashed, 0.0) > time.monotonic():
            return None
        if not token:
            return _refused(UNAUTHORIZED, "Send a token of Pulse's: `Authorization: Bearer TOKEN`.")
        found = await AgentHubClient(lambda: self._find(token)).look("none")
        status = found.status if isinstance(found, HubSaysNo) else 0
        if isinstance(found, HubSaysNo) and not status:
            return _refused(UNAVAILABLE, f"{found.detail} {found.fix}")
        if status in {UNAUTHORIZED, FORBIDDEN}:
            return _refused(status, "This token is not valid here, or may not ask.")
        self._good[hashed] = time.monotonic() + GOOD_FOR_S
        return None


def token_of(request: Request) -> str:
    """Return the token that a request brings; empty for none, or none that could be one."""
    said = request.headers.get("authorization", "")
    token = said[len(BEARER) :].strip() if said[: len(BEARER)].lower() == BEARER else ""
    return token if len(token) <= TOKEN_CHARS_MAX and token.isascii() else ""


def _refused(status: int, why: str) -> JSONResponse:
    challenge = {"WWW-Authenticate": "Bearer"} if status == UNAUTHORIZED else {}
    return JSONResponse({"error": why}, status_code=status, headers=challenge)
