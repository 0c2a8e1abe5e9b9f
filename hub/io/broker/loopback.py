"""Ports on 127.0.0.1, the only address on which Pulse opens a broker by itself."""

import socket

from hub.io.broker.running import BrokerStartError

LOOPBACK = "127.0.0.1"


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
