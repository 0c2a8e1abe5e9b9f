"""Strangers in a process of their own: `python -m tests.hostile.trials._strangers KIND HOST PORT COUNT`.

They hold COUNT connections until their input is closed, and come again when they are dropped. Prints a line once all
have been there.
"""

import contextlib
import resource
import selectors
import socket
import sys

UPGRADE = (
    b"GET /pulse HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
SAID: dict[str, bytes] = {
    "silent": b"",
    "header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-",
    "body": b"POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    "reading": b"GET /app/inbox.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2_000,
    "socket": UPGRADE,
}
AGAIN_MAX = 50
"""Dropped ones that come again between two looks at the input."""
LOOK_S = 0.01


def main(kind: str, host: str, port: int, count: int) -> None:
    """Hold the connections."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with selectors.DefaultSelector() as selector:
        for _ in range(count):
            come(selector, host, port, SAID[kind])
        sys.stdout.write("here\n")
        sys.stdout.flush()
        selector.register(sys.stdin, selectors.EVENT_READ)
        while hold(selector, host, port, kind):
            pass


def come(selector: selectors.BaseSelector, host: str, port: int, said: bytes) -> None:
    """Connect, and say what this kind says."""
    opened = socket.socket()
    opened.settimeout(5.0)
    with contextlib.suppress(OSError):
        opened.connect((host, port))
        opened.settimeout(0.0)
        if said:
            opened.send(said)
    opened.settimeout(0.0)
    selector.register(opened, selectors.EVENT_READ)


def hold(selector: selectors.BaseSelector, host: str, port: int, kind: str) -> bool:
    """Let the dropped come again; say whether to go on."""
    for key, _ in selector.select()[:AGAIN_MAX]:
        if key.fileobj is sys.stdin:
            return False
        opened = key.fileobj
        assert isinstance(opened, socket.socket)
        if kind == "reading":
            selector.unregister(opened)  # its answer lies there, unread
            KEPT.append(opened)
        elif is_dropped(opened):
            selector.unregister(opened)
            opened.close()
            come(selector, host, port, SAID[kind])
    return True


KEPT: list[socket.socket] = []


def is_dropped(opened: socket.socket) -> bool:
    """Say whether the hub has closed this connection."""
    try:
        return not opened.recv(65_536)
    except BlockingIOError:
        return False
    except OSError:
        return True


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
