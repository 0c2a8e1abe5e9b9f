"""A fake network inside the container: every name leads to one address, and what is said there is written down."""

import select
import socket
import struct
import threading
import time
from contextlib import suppress

ADDRESS = "127.66.6.6"
"""Where every name leads; the loopback of a namespace that reaches nothing else."""
PORTS = (21, 22, 25, 80, 443, 873, 3000, 5432, 8080, 9000, 9418)
QUIET_S = 0.05
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\nfact\n"
SAID_CHARS_MAX = 400
SETTLED = b"settled"


class Sink:
    """Answers names and web requests; `seen` holds what came, as ``name …`` and ``port …`` with the first words."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._settled = threading.Event()
        self._answering: set[threading.Thread] = set()
        self._names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._names.bind(("127.0.0.1", 53))
        self._ports = [socket.create_server(("0.0.0.0", port), backlog=64) for port in PORTS]  # noqa: S104  a namespace of its own

        for one in (self._names, *self._ports):
            one.settimeout(0)

    def start(self) -> None:
        """Listen until the process ends."""
        threading.Thread(target=self._listen, daemon=True).start()

    def forget(self) -> None:
        """Begin again, once all that is on its way has come."""
        self.heard()
        self.seen.clear()

    def heard(self) -> list[str]:
        """Return what came since the last `forget`, once all that was being said is said."""
        self._settled.clear()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.sendto(SETTLED, ("127.0.0.1", 53))
        self._settled.wait(1.0)
        for answering in tuple(self._answering):
            answering.join(1.0)
            self._answering.discard(answering)
        return list(dict.fromkeys(self.seen))

    def _listen(self) -> None:
        while True:
            ready, _, _ = select.select([self._names, *self._ports], [], [])
            for one in ready:
                with suppress(OSError):  # who spoke went away in between
                    self._hear(one)

    def _hear(self, one: socket.socket) -> None:
        if one is self._names:
            self._name()
        else:
            connection, _ = one.accept()
            connection.settimeout(None)
            answering = threading.Thread(target=self._answer, args=(connection,), daemon=True)
            self._answering.add(answering)
            answering.start()

    def _name(self) -> None:
        question, sender = self._names.recvfrom(4096)
        if question == SETTLED:
            self._settled.set()
            return
        labels, at = [], 12
        while question[at]:
            labels.append(question[at + 1 : at + 1 + question[at]].decode("latin-1"))
            at += question[at] + 1
        kind = struct.unpack("!H", question[at + 1 : at + 3])[0]
        self.seen.append(f"name {'.'.join(labels)}")
        answer = b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04" + socket.inet_aton(ADDRESS) if kind == 1 else b""
        head = question[:2] + b"\x81\x80" + b"\x00\x01" + struct.pack("!H", bool(answer)) + b"\x00\x00\x00\x00"
        self._names.sendto(head + question[12 : at + 5] + answer, sender)

    def _answer(self, connection: socket.socket) -> None:
        host, port = connection.getsockname()
        at = len(self.seen)
        self.seen.append(f"port {host} {port}")
        said = b""
        try:
            deadline = time.monotonic() + 1.0
            while time.monotonic() < deadline and select.select([connection], [], [], QUIET_S)[0]:
                more = connection.recv(65536)
                if not more:
                    break
                said += more
            if said.split(b" ")[0].isalpha() and b" HTTP/1" in said:
                connection.sendall(ANSWER)
            connection.close()
        except OSError:
            pass  # the line's program went away
        if said and at < len(self.seen):
            self.seen[at] = f"port {host} {port} {said.decode('latin-1')[:SAID_CHARS_MAX]}"
