"""Writing an answer in one piece.

uvicorn writes an answer's head as soon as it is told, and its body after it: two system calls, two packets, and a
client that wakes up twice. Here the head waits for the body, which follows at once. Whatever is not that simple (a
body in parts, a HEAD request, a connection that closes) goes uvicorn's own way. A long body is
handed over piece by piece, as it is read: it is one object for however many have asked for it.
"""

from starlette.types import Message, Send
from uvicorn.protocols.http.httptools_impl import HEADER_RE, HEADER_VALUE_RE, STATUS_LINE, RequestResponseCycle

START = "http.response.start"
PIECE_BYTES = 8_192
"""So much of a body is written at once."""


class Whole:
    """The `send` of one request."""

    __slots__ = ("_cycle", "_plain", "_start")

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle
        self._plain: Send = cycle.send  # type: ignore[assignment]  # uvicorn's narrower type of the same messages
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        """Take one message of an answer; nothing is written before its body is here."""
        if message["type"] == START and not self._cycle.response_started:
            self._start = message
            return
        start, self._start = self._start, None
        if start is not None:
            if self._cycle.flow.write_paused and not self._cycle.disconnected:
                await self._cycle.flow.drain()
            head = self._head_of(start, message)
            if head is not None:
                await self._write(head, message["body"])
                return
            await self._plain(start)
        await self._plain(message)
        self._let_go()

    def _head_of(self, start: Message, body: Message) -> bytes | None:
        """Return the head, if this answer is a simple one."""
        cycle, length = self._cycle, b"%d" % len(body.get("body", b""))
        simple = cycle.keep_alive and not cycle.disconnected
        if not simple or body.get("more_body", False) or cycle.scope["method"] == "HEAD":
            return None
        parts, is_sized = [STATUS_LINE[start["status"]]], False
        for name, value in (*cycle.default_headers, *start["headers"]):
            if name == b"connection" or HEADER_RE.search(name) or HEADER_VALUE_RE.search(value):
                return None
            is_sized = is_sized or (name == b"content-length" and value == length)
            parts += (name, b": ", value, b"\r\n")
        parts.append(b"\r\n")
        return b"".join(parts) if is_sized else None

    async def _write(self, head: bytes, body: bytes) -> None:
        """Do what uvicorn does for an answer, and at its end."""
        cycle = self._cycle
        cycle.response_started = True
        cycle.chunked_encoding, cycle.waiting_for_100_continue = False, False
        cycle.transport.write(head + body[:PIECE_BYTES])
        for begin in range(PIECE_BYTES, len(body), PIECE_BYTES):
            if cycle.flow.write_paused:
                await cycle.flow.drain()
            if cycle.disconnected:
                return
            cycle.transport.write(body[begin : begin + PIECE_BYTES])
        cycle.response_complete = True
        cycle.message_event.set()
        cycle.on_response()
        self._let_go()

    def _let_go(self) -> None:
        """Once all is written, end the circle of references, so that nothing waits for the garbage collector."""
        if self._cycle.response_complete:
            self._cycle.__dict__.pop("send", None)
