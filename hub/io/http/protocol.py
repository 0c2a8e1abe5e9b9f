"""uvicorn's two protocols with the limits that it lacks, and a WebSocket that can be written to without waiting.

The httptools parser bounds neither the size of headers nor the time they take; both are bounded here. A WebSocket is
handed ready-made frames, the same bytes for every client, and says itself when it cannot keep up.
"""

import asyncio
import time
from collections.abc import Callable
from email.utils import formatdate
from typing import ClassVar

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hub.errors import BusyError, UserError
from hub.io.http.caller import Caller, caller_of, extension_of
from hub.io.http.problems import MEDIA_TYPE, bytes_of
from hub.io.http.whole import Whole

HEADER_BYTES_MAX = 32_768
HEADER_S_MAX = 10.0
CLOSE_S_MAX = 5.0
"""How long a peer that is told goodbye may take to hear it."""
REPLY_BYTES_MAX = 1_048_576
"""How much may wait for a client that asks faster than it reads."""
EXTENSION = "pulse.socket"


class HeadersTooLargeError(UserError):
    """The request's headers are larger than this hub takes."""

    code = "headers-too-large"
    status = 431


class NotHttpError(UserError):
    """What arrived is not HTTP."""

    code = "not-http"


class PulseHttp(HttpToolsProtocol):
    """One HTTP connection."""

    date_second: ClassVar[int] = 0
    date_headers: ClassVar[list[tuple[bytes, bytes]]] = []

    _header_bytes = 0
    _deadline: asyncio.TimerHandle | None = None
    _headers_open = True
    _caller: Caller | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn's signature
        """Note who calls over the socket; strangers' connections never take the place of somebody known."""
        super().connection_made(transport)
        self._caller = caller_of(transport)
        if self._caller is not None:
            self.limit_concurrency = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline with the connection."""
        self._stop_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse; headers that are not complete by now have a deadline from now on."""
        super().data_received(data)
        if self._headers_open and self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(HEADER_S_MAX, self.transport.abort)

    def on_message_begin(self) -> None:
        """Begin to count."""
        super().on_message_begin()
        if self._caller is not None:
            self.scope["extensions"] = extension_of(self._caller)
        self._header_bytes = 0
        self._headers_open = True

    def on_url(self, url: bytes) -> None:
        """Count the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Show the right time, at the cost of one comparison, and go on."""
        self._headers_open = False
        self._stop_deadline()
        self._show_date()
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Let the answer be written in one piece."""
        cycle.send = Whole(cycle).send  # type: ignore[assignment, method-assign]  # the cycle hands it to the application
        super()._start_asgi_task(cycle, app)

    def send_400_response(self, msg: str) -> None:
        """Say in our own words that this was not HTTP, or too much of it."""
        too_much = self._header_bytes > HEADER_BYTES_MAX
        error = HeadersTooLargeError() if too_much else NotHttpError(msg)
        self._write_problem(error.status, bytes_of(error))

    def _count(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > HEADER_BYTES_MAX:
            raise HeadersTooLargeError  # the parser turns it into an error of its own: see send_400_response

    def _write_problem(self, status: int, body: bytes) -> None:
        head = f"HTTP/1.1 {status} \r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\nconnection: close"
        self.transport.write(head.encode() + b"\r\n\r\n" + body)
        self.transport.close()

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _show_date(self) -> None:
        second = int(time.time())
        if second != PulseHttp.date_second:
            PulseHttp.date_second = second
            PulseHttp.date_headers = [(b"date", formatdate(second, usegmt=True).encode())]
        self.server_state.default_headers = PulseHttp.date_headers


class PulseSocket(WebSocketsSansIOProtocol):
    """One WebSocket connection. It compresses nothing, so a frame is the same bytes for everybody."""

    on_drained: Callable[[], None] | None = None
    keeps_up = True
    """Whether what was written is also being read."""

    def push(self, frames: bytes) -> None:
        """Write complete frames, without waiting."""
        if not self.close_sent:
            self.transport.write(frames)

    def reply(self, frame: bytes) -> None:
        """Write the answer to a call; a client that asks and does not read is dropped."""
        if self.transport.get_write_buffer_size() > REPLY_BYTES_MAX:
            self.finish(1013, BusyError.code)
            return
        self.push(frame)

    def finish(self, code: int, reason: str) -> None:
        """Say goodbye; a peer that does not hear it in time is cut off."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(CLOSE_S_MAX, self.transport.abort)

    def pause_writing(self) -> None:
        """Note that the other side does not keep up."""
        super().pause_writing()
        self.keeps_up = False

    def resume_writing(self) -> None:
        """Go on with what waited."""
        super().resume_writing()
        self.keeps_up = True
        if self.on_drained is not None:
            self.on_drained()

    def keepalive_timeout(self) -> None:
        """Cut off a peer that no longer answers; closing would wait for it to read."""
        super().keepalive_timeout()
        self.transport.abort()

    async def run_asgi(self) -> None:
        """Let the application find this connection."""
        self.scope["extensions"][EXTENSION] = {"socket": self}
        if (caller := caller_of(self.transport)) is not None:
            self.scope["extensions"].update(extension_of(caller))
        await super().run_asgi()
