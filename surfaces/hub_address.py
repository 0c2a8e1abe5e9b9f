"""Where the hub is: an http(s) address, or its own socket on this machine (`unix:PATH`), which needs no token."""

import http.client
import socket
import urllib.parse

HTTP_TIMEOUT_S = 10.0
UNIX = "unix:"


def connection_to(api: str) -> http.client.HTTPConnection:
    """Return a connection to the hub at `api`; nothing is sent yet."""
    if api.startswith(UNIX):
        return SocketConnection(api.removeprefix(UNIX))
    where = urllib.parse.urlsplit(api)
    kind = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
    return kind(where.hostname or "127.0.0.1", where.port, timeout=HTTP_TIMEOUT_S)


class SocketConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=HTTP_TIMEOUT_S)
        self._path = path

    def connect(self) -> None:
        """Connect."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(HTTP_TIMEOUT_S)
        self.sock.connect(self._path)
