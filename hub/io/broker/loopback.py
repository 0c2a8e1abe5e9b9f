"""Ports on 127.0.0.1, the only address on which Pulse opens a broker by itself."""

import asyncio
import socket

from hub.io.broker.running import BrokerStartError

LOOPBACK = "127.0.0.1"
POLL_S = 0.02
GIVEN_UP_S = 2.0
"""What a killed program held is free this long after its end; a port that is still taken then is another program's."""


async def same_port(wanted: int) -> int:
    """Return `free_port(wanted)`, after a short wait for the wanted one: a killed hub's broker may be about to free it.

    The kernel closes the sockets of a process after it has stopped showing its command line.

    Raises:
        BrokerStartError: no port is free at all.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + GIVEN_UP_S
    while (found := free_port(wanted)) != wanted and wanted and loop.time() < deadline:  # noqa: ASYNC110  no event
        await asyncio.sleep(POLL_S)
    return found


def free_port(wanted: int = 0) -> int:
    """Give ``wanted`` if it is free, so that clients find the broker again, else any free port.

    Raises:
        BrokerStartError: no port is free at all.
    """
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise BrokerStartError("No port on 127.0.0.1 is free.")
