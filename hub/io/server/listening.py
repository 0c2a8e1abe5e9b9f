"""The sockets on which the API listens: both loopback addresses, so that `localhost` is nobody else's.

Theory: a page's origin is a name and a port. `http://localhost:PORT` is ours, and browsers ask ::1 for it before
127.0.0.1; if another user of this machine had that half, they would be the page, with the session's key. So a port is
ours only where both halves are; one of which somebody has a half is not used.
"""

import contextlib
import errno
import socket
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hub.io.http.errors import NoPortError

PORT_DEFAULT = 8420
BACKLOG = 2_048
"""Connections that wait in the system to be accepted."""
TRIES_MAX = 16
"""So many ports are tried where any is good: of each, somebody may have the other half."""
IPV4, IPV6 = "127.0.0.1", "::1"
OTHER_HALF: Final = {IPV4: IPV6, "localhost": IPV6, "0.0.0.0": IPV6, IPV6: IPV4}  # noqa: S104  not bound here: what is asked for
"""Who listens at one of these has to listen at the other, too; `::` is both already."""
RENEW = (
    "`systemctl --user daemon-reload; systemctl --user stop pulse.socket pulse; systemctl --user enable --now pulse`"
)
"""Lets systemd go on with a unit that has changed: a socket that it holds stays what it was until it is stopped."""
INSTALL_AGAIN = f"Run `pulse install` again, or correct `api.host` and `api.port`; then: {RENEW}"
NO_SUCH_ADDRESS = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})


def open_sockets(
    host: str, port: int, last: int = 0, *, handed: tuple[socket.socket, ...] = ()
) -> tuple[socket.socket, ...]:
    """Return bound sockets; without a `port` on the `last` one, the usual one, or any that is free, in that order.

    Those that systemd has `handed` over decide the port, and a half of it that they lack is opened beside them. The
    first is the one at `host`.

    Raises:
        NoPortError: it cannot be bound, or systemd holds another one.
    """
    if handed:
        return _beside(host, port, handed)
    if port:
        return _bound(host, port)
    for wanted in (*([last] if last else []), PORT_DEFAULT, *[0] * TRIES_MAX):
        with contextlib.suppress(NoPortError):  # somebody else has it: the next will do
            return _bound(host, wanted)
    return _bound(host, 0)


def can_bind(address: str, port: int) -> bool:
    """Return True if this machine has a loopback address, and nobody listens on this port there."""
    try:
        _open(address, port).close()
    except OSError:
        return False
    return True


def unheld(port: int) -> tuple[str, ...]:
    """Return the loopback addresses of this machine at which nobody listens on a port: anyone may take them."""
    return tuple(address for address in (IPV4, IPV6) if can_bind(address, port))


def _beside(host: str, port: int, handed: tuple[socket.socket, ...]) -> tuple[socket.socket, ...]:
    named = IPV4 if host == "localhost" else host
    by_address = {one.getsockname()[0]: one for one in handed}
    held = handed[0].getsockname()[1]
    if port in (0, held) and by_address.keys() <= {IPV4, IPV6} & {named, OTHER_HALF.get(named)}:
        return _bound(named, held, by_address)
    for one in handed:
        one.close()
    places = " and ".join(f"{_shown(address)}:{held}" for address in by_address)
    detail = f"systemd holds {places} for Pulse, but Pulse is set to listen at {_shown(host)}:{port or held}."
    raise NoPortError(detail, fix=INSTALL_AGAIN)


def _bound(host: str, port: int, held: Mapping[str, socket.socket] = MappingProxyType({})) -> tuple[socket.socket, ...]:
    opened: list[socket.socket] = []
    other = OTHER_HALF.get(host)
    for address in (host, *([other] if other else [])):
        try:
            opened.append(held.get(address) or _open(address, port))
        except (OSError, OverflowError) as error:
            if address == other and isinstance(error, OSError) and error.errno in NO_SUCH_ADDRESS:
                break
            for one in opened:
                one.close()
            raise NoPortError(
                f"{address}:{port} cannot be opened: {error}.",
                fix="Choose another one (`--port`, or `api.port`), or 0 for any that is free.",
            ) from error
        port = opened[0].getsockname()[1]
    return tuple(opened)


def _shown(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _open(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # With the protocol named, asyncio switches Nagle's algorithm off; without, each answer waits 40 ms for an ACK.
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if address == IPV6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind((address, port))
        opened.listen(BACKLOG)  # only now is it sure that nobody else has it
    except (OSError, OverflowError):
        opened.close()
        raise
    opened.setblocking(False)  # noqa: FBT003  the standard library's own signature
    return opened
