"""The MCP server over HTTP (`/mcp`), for several agents at once: each sends a token of the hub's, which is handed on.

Without a token of the hub's nothing is answered, not even which tools there are: every user and every page of this
machine can reach the port. The name in `Host` and `Origin` must be this machine's own, so that no web page can.
"""

import hashlib
import logging
import time
from collections.abc import Callable
from typing import Any

import uvicorn
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from hub.io.agents.mcp_server.arguments import AskingAgent
from hub.io.agents.mcp_server.asking import Asking
from hub.io.agents.mcp_server.calls import Context, ToolCalls, client_name
from hub.io.agents.mcp_server.hub_link import HubLink, HubSaysNo
from hub.io.agents.mcp_server.server import make_server
from hub.kit.bounded import BoundedMap
from hub.kit.hub_api import HubAddress

HOST = "127.0.0.1"
PATH = "/mcp"
BODY_BYTES_MAX = 65_536
SESSIONS_MAX = 256
SESSION_IDLE_S_MAX = 1_800
BEARER = "bearer "
GOOD_FOR_S, REMEMBERED_MAX = 10.0, 256
"""So long a token is taken for good without asking the hub again: a revoked one can ask nothing all the same."""
TOKEN_CHARS_MAX = 256
UNAUTHORIZED, FORBIDDEN, UNAVAILABLE = 401, 403, 503
NAMES = (HOST, "localhost", "[::1]")
Find = Callable[[str], HubAddress | None]
"""Says where the hub is for whoever has this token; None while it is not running."""


class TokenGate:
    """Lets in who has a token of the hub's that may ask."""

    def __init__(self, inner: Callable[[Scope, Receive, Send], Any], find: Find) -> None:
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
        found = await HubLink(lambda: self._find(token)).look("none")
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


def make_app(find: Find, version: str, wait_s: float | None) -> Starlette:
    """Return the application: one path, behind the gate."""
    asking = Asking(attends=False)

    def caller_of(ctx: Context) -> tuple[HubLink, AskingAgent]:
        token = token_of(ctx.request) if isinstance(ctx.request, Request) else ""
        whose = hashlib.sha256(token.encode()).hexdigest()
        return HubLink(lambda: find(token)), AskingAgent(name=client_name(ctx), whose=whose)

    server = make_server(ToolCalls(asking, caller_of, wait_s), version)
    return _application(server, find)


def serve_web(find: Find, port: int, version: str, wait_s: float | None) -> None:
    """Serve on a port of this machine until a signal ends it.

    By h11, for httptools leaves the space behind a header's value, which the protocol's headers are compared with.
    """
    logging.basicConfig(level=logging.WARNING)
    uvicorn.run(make_app(find, version, wait_s), host=HOST, port=port, log_level="warning", http="h11", ws="none")


def _application(server: Server[Any], find: Find) -> Starlette:
    own = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:*" for name in NAMES],
        allowed_origins=[f"http://{name}:*" for name in NAMES],
    )
    sessions = StreamableHTTPSessionManager(
        app=server,
        security_settings=own,
        max_request_body_size=BODY_BYTES_MAX,
        max_sessions=SESSIONS_MAX,
        session_idle_timeout=SESSION_IDLE_S_MAX,
    )
    gate = TokenGate(sessions.handle_request, find)
    route = Route(PATH, gate, methods=["GET", "POST", "DELETE"])
    return Starlette(routes=[route], lifespan=lambda _: sessions.run())


def _refused(status: int, why: str) -> JSONResponse:
    challenge = {"WWW-Authenticate": "Bearer"} if status == UNAUTHORIZED else {}
    return JSONResponse({"error": why}, status_code=status, headers=challenge)
