"""A TLS proxy for phones in the same network: a certificate of our own, and behind it the hub's port on loopback.

What comes in here is a stranger until it shows a credential, like whoever comes over loopback, and the hub's own places
and deadlines hold for it; this proxy bounds what a network can do before that: how many connections there are, from one
address and in all, and how long each may take to say hello.

A connection that speaks plain HTTP is told how the certificate is trusted, and handed the certificate itself; nothing
else is ever said without TLS, for everybody in the network can read and change that.
"""

import asyncio
import contextlib
import re
import socket
import ssl
from collections import Counter
from importlib import resources
from string import Template
from typing import Final

from hub.contract.base import Value
from hub.io.http.errors import NoPortError
from hub.kit.tasks import end_all

CONNECTIONS_MAX: Final = 96
CONNECTIONS_PER_PEER_MAX: Final = 24
"""A browser opens six at once, and one for the live feed."""
HELLO_S_MAX: Final = 10.0
PLAIN_HEAD_BYTES_MAX: Final = 4_096
PIECE_BYTES: Final = 16_384
BACKLOG: Final = 64
TLS_HANDSHAKE: Final = b"\x16"
"""The first byte of a TLS connection; no HTTP method begins with it."""
CERTIFICATE_PATH: Final = "/pulse.crt"
PROFILE_PATH: Final = "/pulse.mobileconfig"
CERTIFICATE_TYPE: Final = "application/x-x509-ca-cert"
PROFILE_TYPE: Final = "application/x-apple-aspen-config"
PAGE_TYPE: Final = "text/html; charset=utf-8"
LANGUAGES: Final = ("en", "de")
"""What the page is written in; the first for a phone that accepts none of them."""
ACCEPTED: Final = re.compile(rb"\r\naccept-language:([^\r\n]*)", re.IGNORECASE)
CHOICE: Final = re.compile(r"([a-z]{2})(?:-[a-z0-9-]*)?(?:;q=([01](?:\.[0-9]{0,3})?))?")
"""One language of Accept-Language without its blanks, with its weight (RFC 9110, 12.5.4)."""


class TlsProxyCounts(Value):
    """What came to the proxy since it was opened: plain requests for the page or the certificate, and TLS connections.

    `refused` are those that ended in the handshake: the other side does not trust the certificate.
    """

    pages: int = 0
    certificates: int = 0
    refused: int = 0
    opened: int = 0


class Behind(Value):
    """What the proxy needs: where the hub listens, the certificate as phones and as iPhones install it, and TLS."""

    host: str
    port: int
    der: bytes
    profile: bytes
    context: ssl.SSLContext


class TlsProxy:
    """Listens at one address until it is closed."""

    def __init__(self, behind: Behind) -> None:
        self._behind = behind
        self._peers: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._counts: Counter[str] = Counter()
        self._listening: socket.socket | None = None
        self._accepting: asyncio.Task[None] | None = None
        self.address = ""

    @property
    def counts(self) -> TlsProxyCounts:
        """What came so far."""
        return TlsProxyCounts(**self._counts)

    def open(self, host: str, port: int) -> None:
        """Listen.

        Raises:
            NoPortError: the address is not this machine's (any more), or its port is taken.
        """
        opened = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((host, port))
            opened.listen(BACKLOG)
        except OSError as error:
            opened.close()
            fix = "`pulse phone` finds this machine's address again."
            raise NoPortError(f"{host}:{port} cannot be opened for phones: {error}.", fix=fix) from error
        opened.setblocking(False)  # noqa: FBT003  the standard library's own signature
        self._listening = opened
        self.address = f"{host}:{opened.getsockname()[1]}"
        self._accepting = asyncio.create_task(self._accept(opened))

    def certificate_at(self, path: str) -> tuple[str, bytes] | None:
        """Return the type and bytes of the certificate as it is installed, if one lies at a path."""
        found = {
            CERTIFICATE_PATH: (CERTIFICATE_TYPE, self._behind.der),
            PROFILE_PATH: (PROFILE_TYPE, self._behind.profile),
        }
        return found.get(path)

    async def close(self) -> None:
        """Stop listening, and cut off whoever is there."""
        if self._accepting is not None:
            self._accepting.cancel()
        tasks = [*self._tasks, *([self._accepting] if self._accepting else [])]
        await end_all(tasks)
        if self._listening is not None:
            self._listening.close()

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connection, peer = await loop.sock_accept(listening)
            if len(self._tasks) >= CONNECTIONS_MAX or self._peers[peer[0]] >= CONNECTIONS_PER_PEER_MAX:
                connection.close()
                continue
            self._peers[peer[0]] += 1
            task = asyncio.create_task(self._serve(connection, peer[0]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, connection: socket.socket, peer: str) -> None:
        connection.setblocking(False)  # noqa: FBT003  the standard library's own signature
        try:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                async with asyncio.timeout(HELLO_S_MAX):
                    first = await _first_byte(connection)
                if first == TLS_HANDSHAKE:
                    await self._carry(connection)
                elif first:
                    async with asyncio.timeout(HELLO_S_MAX):
                        await self._tell(connection)
        finally:
            connection.close()
            self._peers[peer] -= 1
            if not self._peers[peer]:
                del self._peers[peer]

    async def _carry(self, connection: socket.socket) -> None:
        """Carry what is said to the hub and back, until either side ends it."""
        try:
            outer = await _streams(connection, self._behind.context)
        except OSError:  # an alert, or just gone: whoever does not trust the certificate ends it so
            self._counts["refused"] += 1
            return
        with contextlib.ExitStack() as both:  # neither is left open, wherever this is cut off
            both.callback(outer[1].transport.abort)
            try:
                inner = await asyncio.open_connection(self._behind.host, self._behind.port)
            except OSError:  # the hub is stopping
                return
            both.callback(inner[1].transport.abort)
            said = asyncio.Event()
            ways = [
                asyncio.create_task(_pump(outer[0], inner[1], said)),
                asyncio.create_task(_pump(inner[0], outer[1])),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._counts["opened" if said.is_set() else "refused"] += 1
                await end_all(ways)

    async def _tell(self, connection: socket.socket) -> None:
        """Hand out the certificate, or the page that says what to do with it."""
        reader, writer = await _streams(connection)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            method, _, rest = head.partition(b" ")
            path = rest.partition(b" ")[0].decode("ascii", "replace")
            answer = self._told(path, _accepted_language(head))
            self._counts["certificates" if path in {CERTIFICATE_PATH, PROFILE_PATH} else "pages"] += 1
            writer.write(_answer(*answer, is_whole=method == b"GET"))
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except asyncio.LimitOverrunError:
            writer.transport.abort()

    def _told(self, path: str, language: str) -> tuple[dict[str, str], bytes]:
        """Return the headers that describe what lies at a path, and its bytes."""
        if found := self.certificate_at(path):
            return {"content-type": found[0]}, found[1]
        headers = {"content-type": PAGE_TYPE, "content-language": language, "vary": "accept-language"}
        return headers, self._page(language)

    def _page(self, language: str) -> bytes:
        template = resources.files("hub.io.server").joinpath(f"certificate.{language}.html").read_text(encoding="utf-8")
        return Template(template).substitute(address=f"https://{self.address}").encode()


def _accepted_language(head: bytes) -> str:
    """Return the language of `LANGUAGES` that a request's head prefers; the first if it accepts none of them."""
    found = ACCEPTED.search(head)
    written = "" if found is None else found[1].decode("latin-1")
    choices = (CHOICE.fullmatch("".join(one.split()).lower()) for one in written.split(","))
    weights = {one[1]: float(one[2] or 1) for one in reversed([one for one in choices if one])}
    return max(LANGUAGES, key=lambda one: weights.get(one, 0.0))


async def _first_byte(connection: socket.socket) -> bytes:
    """Wait for the first byte, and leave it where it is."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(connection, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(connection)
    return connection.recv(1, socket.MSG_PEEK)


async def _streams(
    connection: socket.socket, context: ssl.SSLContext | None = None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return an accepted connection as streams, over TLS if there is a context."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=PLAIN_HEAD_BYTES_MAX if context is None else PIECE_BYTES, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    wait = {} if context is None else {"ssl_handshake_timeout": HELLO_S_MAX, "ssl_shutdown_timeout": HELLO_S_MAX}
    transport, _ = await loop.connect_accepted_socket(lambda: protocol, connection, ssl=context, **wait)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, said: asyncio.Event | None = None) -> None:
    while piece := await reader.read(PIECE_BYTES):
        if said is not None:
            said.set()
        writer.write(piece)
        await writer.drain()


def _answer(headers: dict[str, str], body: bytes, *, is_whole: bool) -> bytes:
    described = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = (
        f"HTTP/1.1 200 OK\r\n{described}content-length: {len(body)}\r\n"
        "cache-control: no-store\r\nx-content-type-options: nosniff\r\n"
        "content-security-policy: default-src 'none'; style-src 'unsafe-inline'\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + (body if is_whole else b"")
