"""The sockets that systemd holds for Pulse, and hands over when it starts it (sd_listen_fds(3)).

Theory: a page's origin is a name and a port, and a browser keeps what that origin left there (a service worker, cached
pages). While Pulse is away any program of the machine could take the port and be the page. systemd keeps these sockets
open from sign-in to sign-out, so a crash, a restart and a Pulse that was stopped leave no moment in which it is free.
"""

import os
import socket
from collections.abc import MutableMapping
from contextlib import ExitStack

from hub.io.http.errors import NoPortError
from hub.io.server.listening import INSTALL_AGAIN, IPV4, IPV6

FIRST = 3
"""The descriptor of the first."""
PID, COUNT, NAMES = "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"
HANDED = {"1": 1, "2": 2}
"""How many there may be: one for each loopback address."""


def take_handed(environ: MutableMapping[str, str]) -> tuple[socket.socket, ...]:
    """Return the sockets that were handed to this process; what it starts inherits neither them nor word of them.

    Raises:
        NoPortError: they are not what can carry the API: listening TCP sockets on one port, each at its own loopback
            address.
    """
    pid, count, _ = (environ.pop(name, "") for name in (PID, COUNT, NAMES))
    if pid != str(os.getpid()):
        return ()
    if count not in HANDED:
        raise _refused(f"{count} sockets were handed over, where it is one or two")
    with ExitStack() as refused:
        handed = tuple(refused.enter_context(_taken(FIRST + index)) for index in range(HANDED[count]))
        names = [one.getsockname()[:2] for one in handed]
        if len({port for _, port in names}) > 1:
            raise _refused("they are on two ports")
        if len(set(names)) < len(names):
            raise _refused("two of them have the same address")
        refused.pop_all()
    return handed


def _taken(number: int) -> socket.socket:
    try:
        os.set_inheritable(number, False)  # noqa: FBT003  the standard library's own signature
        taken = socket.socket(fileno=number)
    except OSError as error:
        raise _refused(f"descriptor {number} is no socket ({error.strerror})") from error
    if trouble := _trouble(taken):
        taken.close()
        raise _refused(trouble)
    taken.setblocking(False)  # noqa: FBT003  the standard library's own signature
    return taken


def _trouble(taken: socket.socket) -> str:
    if taken.family not in (socket.AF_INET, socket.AF_INET6) or taken.proto != socket.IPPROTO_TCP:
        return "one is no TCP socket"
    address = taken.getsockname()[0]
    if address not in (IPV4, IPV6):
        return f"one is at {address}, which is not a loopback address of the page"
    return "" if taken.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) else "one does not listen"


def _refused(why: str) -> NoPortError:
    return NoPortError(f"What systemd handed over for the page cannot be used: {why}.", fix=INSTALL_AGAIN)
