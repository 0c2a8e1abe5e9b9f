"""The MCP server over HTTP (`/mcp`), for several agents at once: each sends a token of the hub's, which is handed on.

Without a token of the hub's nothing is answered, not even which tools there are: every user and every page of this
machine can reach the port. The name in `Host` and `Origin` must be this machine's own, so that no web page can.
"""

import hashlib
import logging
from typing import Any

import uvicorn
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route

from hub.io.agents.mcp_server.calls import Context, ToolCalls, client_name
from hub.io.agents.mcp_server.server import make_server
from hub.io.agents.questions.arguments import AskingAgent
from hub.io.agents.questions.asking import ProcessQuestions
from hub.io.agents.questions.hub_client import AgentHubClient
from hub.io.agents.questions.token_gate import Find, TokenGate, token_of

HOST = "127.0.0.1"
PATH = "/mcp"
BODY_BYTES_MAX = 65_536
SESSIONS_MAX = 256
SESSION_IDLE_S_MAX = 1_800
NAMES = (HOST, "localhost", "[::1]")


def make_app(find: Find, version: str, wait_s: float | None) -> Starlette:
    """Return the application: one path, behind the gate."""
    asking = ProcessQuestions(attends=False)

    def caller_of(ctx: Context) -> tuple[AgentHubClient, AskingAgent]:
        token = token_of(ctx.request) if isinstance(ctx.request, Request) else ""
        whose = hashlib.sha256(token.encode()).hexdigest()
        return AgentHubClient(lambda: find(token)), AskingAgent(name=client_name(ctx), whose=whose)

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
