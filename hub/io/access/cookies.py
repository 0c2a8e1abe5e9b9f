"""The session cookie of earlier versions: every port of this machine was sent it, so it opens nothing now."""

from starlette.requests import Request
from starlette.responses import Response

from hub.io.http.bodies import header_of


def cookie_name(own_host: str) -> str:
    """Return the name that the cookie had for the hub at `own_host` (host and port)."""
    return f"pulse_session_{own_host.rpartition(':')[2]}"


def drop_old_cookie(request: Request, response: Response, own_host: str) -> None:
    """Let a browser that still has the cookie forget it."""
    if cookie_name(own_host) in (header_of(request.scope, b"cookie") or ""):
        response.delete_cookie(cookie_name(own_host), path="/", httponly=True, samesite="strict")
