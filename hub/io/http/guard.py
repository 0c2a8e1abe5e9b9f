"""The outermost check: a web page elsewhere must not reach Pulse through the person's browser.

A page can make a browser send requests to loopback, under a name that it controls (DNS rebinding) or from its own
origin. Both show: in the Host header, and in Origin. Names that mean loopback are fine on any port, as a forwarded
port is; any other name must be exactly the address that Pulse is bound to, or its public one.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

from hub.errors import PulseError
from hub.io.http.bodies import header_of
from hub.io.http.errors import WrongHostError, WrongOriginError
from hub.io.http.problems import response_of

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, *, own_hosts: frozenset[str]) -> None:
        self._app = app
        self._own_hosts = own_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then hand on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        error = self._wrong(scope)
        handler = self._app if error is None else response_of(error, scope["path"])
        await handler(scope, receive, send)

    def _wrong(self, scope: Scope) -> PulseError | None:
        host = header_of(scope, b"host") or ""
        if not self._is_ours(host):
            fix = "Use http://127.0.0.1 and the port that `pulse up` shows."
            return WrongHostError(f"{host!r} is not this hub.", fix=fix)
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return None
        origin = header_of(scope, b"origin")
        if origin is not None and origin.partition("://")[2] != host:
            return WrongOriginError(f"{origin!r} is not this hub's own page.", fix="Call it from outside a browser.")
        return None

    def _is_ours(self, host: str) -> bool:
        host = host.lower()
        if host in self._own_hosts:
            return True
        name, colon, port = host.rpartition(":")
        return (name if colon and port.isdigit() else host) in LOOPBACK_NAMES
