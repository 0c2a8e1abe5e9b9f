"""The outermost check: a web page elsewhere must not reach Pulse through the person's browser, nor anything odd.

A page can make a browser send requests to loopback, under a name that it controls (DNS rebinding) or from its own
origin. Both show: in the Host header, and in Origin. Names that mean loopback are fine on any port, as a forwarded
port is; any other name must be exactly the address that Pulse is bound to, or its public one. An origin is ours if it
is the very host that was asked, reached in the way that host is reached: https for the public address if that has it,
http for all others.

What says a thing twice (two Hosts, two tokens) may be read one way here and another way by a proxy in front; it is
refused, as are addresses that no file and no id could have.
"""

import re
from collections import Counter
from typing import Final
from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Receive, Scope, Send

from hub.contract.errors import PulseError
from hub.io.http.addresses import LOOPBACK_NAMES, Addresses
from hub.io.http.bodies import header_of
from hub.io.http.errors import BadAddressError, RepeatedHeaderError, WrongHostError, WrongOriginError
from hub.io.http.problems import response_of

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ONCE = frozenset(
    {
        b"authorization",
        b"content-length",
        b"content-type",
        b"dpop",
        b"host",
        b"idempotency-key",
        b"origin",
        b"transfer-encoding",
    }
)
"""Headers that may be there once."""
PATH_CHARS_MAX = 2_048
SEGMENT_CHARS_MAX = 255
"""What a file's name may have on any system; ids are shorter."""
PORT_MAX = 65_535
CONTROL: Final = re.compile("[\x00-\x1f\x7f]")
BARE_PERCENT: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, addresses: Addresses) -> None:
        self._app = app
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then hand on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        error = odd(scope) or self._wrong(scope)
        handler = self._app if error is None else response_of(error, scope["path"][:PATH_CHARS_MAX])
        await handler(scope, receive, send)

    def _wrong(self, scope: Scope) -> PulseError | None:
        host = (header_of(scope, b"host") or "").lower()
        if not self._is_ours(host):
            fix = "Use http://127.0.0.1 and the port that `pulse up` shows."
            return WrongHostError(f"{host!r} is not this hub.", fix=fix)
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return None
        origin = header_of(scope, b"origin")
        if origin is not None and origin.lower() != self._addresses.origin_of(host):
            return WrongOriginError(f"{origin!r} is not this hub's own page.", fix="Call it from outside a browser.")
        return None

    def _is_ours(self, host: str) -> bool:
        if host in self._addresses.hosts:
            return True
        name, colon, port = host.rpartition(":")
        if not colon or host.endswith("]"):
            return host in LOOPBACK_NAMES
        return name in LOOPBACK_NAMES and port.isascii() and port.isdigit() and int(port) <= PORT_MAX


def odd(scope: Scope) -> PulseError | None:
    """Return what is wrong with a request that no proper client would send."""
    names = [name for name, _ in scope["headers"]]
    if len(names) != len(set(names)) and (
        repeated := sorted(name.decode() for name, count in Counter(names).items() if count > 1 and name in ONCE)
    ):
        return RepeatedHeaderError(f"The header {repeated[0]!r} is there more than once.", fix="Send it once.")
    if _is_odd_path(scope["path"], scope["raw_path"]):
        return BadAddressError("The address has characters, or a length, that no address here has.")
    return None


def _is_odd_path(path: str, raw: bytes) -> bool:
    if len(raw) > PATH_CHARS_MAX or max(map(len, path.split("/"))) > SEGMENT_CHARS_MAX:
        return True
    if b"%" not in raw:
        return False
    try:
        unquote_to_bytes(raw).decode()
    except UnicodeDecodeError:
        return True
    return CONTROL.search(path) is not None or BARE_PERCENT.search(raw) is not None
