"""uvicorn's HTTP protocol with the limits that it lacks; the one for WebSockets is loaded with the first of them.

The httptools parser bounds neither the size of headers nor the time they take; the size is bounded here, the time by
the connection's slot (`connection_limiter.py`).

Back-pressure: a connection is read in small pieces into one buffer that all share, and what follows a request is not
parsed before that request's answer is written. So a client that sends without reading costs one piece of what it sent
and one piece of what it did not read; the rest waits in its own socket.
"""

import asyncio
import time
from email.utils import formatdate
from typing import TYPE_CHECKING, Any, ClassVar, cast

import httptools
from uvicorn import Config
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from hub.contract.errors import UserError
from hub.io.access.tokens import Access
from hub.io.http.problems import MEDIA_TYPE, bytes_of
from hub.io.server import connection_limiter
from hub.io.server.caller import Caller, caller_of, extension_of
from hub.io.server.connection_limiter import ConnectionLimiter, ConnectionSlot
from hub.io.server.early_authentication import authenticate_caller, authenticate_early, authenticate_value
from hub.io.server.request_framing import Pieces
from hub.io.server.single_write import Whole

if TYPE_CHECKING:
    from hub.io.server.websocket import PulseSocket

HEADER_BYTES_MAX = 32_768
READ_BYTES = 8_192
"""So much is read from a connection at once."""
UNREAD_BYTES_MAX = 4_096
"""So much of an answer waits for a client that does not read."""
AHEAD_MAX = 2
"""Requests that may be parsed behind the one that is being answered; usually none is."""
EXTENSION = "pulse.socket"
"""Under this name the application finds a WebSocket's connection."""


class HeadersTooLargeError(UserError):
    """The request's headers are larger than this hub takes."""

    code = "headers-too-large"
    status = 431


class NotHttpError(UserError):
    """What arrived is not HTTP."""

    code = "not-http"


class PulseConfig(Config):
    """uvicorn's settings, with the limiter of each kind of socket, and who is let in."""

    access: Access
    limiter: ConnectionLimiter
    local_limiter: ConnectionLimiter
    """For Unix sockets: nobody on the network can take a slot there."""


class HeldFlow(FlowControl):
    """Reading stays paused while something that was read waits to be parsed."""

    is_held = False

    def resume_reading(self) -> None:
        """Read on, unless there is something to be parsed first."""
        if not self.is_held:
            super().resume_reading()


class PulseHttp(HttpToolsProtocol, asyncio.BufferedProtocol):
    """One HTTP connection."""

    date_second: ClassVar[int] = 0
    date_headers: ClassVar[list[tuple[bytes, bytes]]] = []
    buffer: ClassVar[bytearray] = bytearray(READ_BYTES)

    flow: HeldFlow
    slot: ConnectionSlot
    _header_bytes = 0
    _held = b""
    _upgraded = False
    _unread: asyncio.TimerHandle | None = None
    _caller: Caller | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a slot, and note who calls over the socket."""
        super().connection_made(cast("asyncio.Transport", transport))
        self.flow = HeldFlow(self.transport)
        self.transport.set_write_buffer_limits(high=UNREAD_BYTES_MAX)
        self._pieces = Pieces()
        self._caller = caller_of(transport)
        config = cast("PulseConfig", self.config)
        self._access = config.access
        self.slot = (config.limiter if self._caller is None else config.local_limiter).enter(self.transport.abort)
        authenticate_caller(self._caller, self.slot)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the slot back."""
        self.slot.leave()
        self._held = b""
        self._read_again()
        super().connection_lost(exc)

    def get_buffer(self, _sizehint: int) -> bytearray:
        """Read into the buffer of all."""
        return PulseHttp.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take what was read."""
        self.data_received(bytes(memoryview(PulseHttp.buffer)[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Parse; what follows a request waits, and so does whatever a stranger sends."""
        if not self.slot.client:
            authenticate_early(data, self._access, self.slot)
        if self._held:
            self._hold(data)
        elif self.slot.comes_first:
            self._take(data)
        else:
            self._hold(data)
            self.slot.limiter.in_turn(self.slot, self._go_on)

    def _take(self, data: bytes) -> None:
        """Parse up to the end of a request; what follows waits until that is answered."""
        while data and not self._upgraded and not self.transport.is_closing():
            if self._pieces.is_whole and self.cycle is not None and not self.cycle.response_complete:
                self._hold(data)
                return
            end = self._pieces.end_of_next(data)
            self._parse(data if end == len(data) else data[:end])
            data = data[end:]

    def _hold(self, data: bytes) -> None:
        self._held += data
        self.flow.is_held = True
        self.flow.pause_reading()

    def on_message_begin(self) -> None:
        """Begin to count."""
        super().on_message_begin()
        self.scope["extensions"] = {connection_limiter.EXTENSION: {"slot": self.slot}}
        if self._caller is not None:
            self.scope["extensions"] |= extension_of(self._caller)
        self._header_bytes = 0
        self._pieces.begin()

    def on_url(self, url: bytes) -> None:
        """Count the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Look once more who asks (a head may come in two pieces), show the right time, and go on."""
        if len(self.pipeline) >= AHEAD_MAX:
            raise NotHttpError
        if not self.slot.comes_first:
            for name, value in self.headers:
                if name == b"authorization":
                    authenticate_value(value, self._access, self.slot)
        self._pieces.go_on_with(self.headers)
        self._show_date()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Let what follows wait."""
        self._pieces.is_whole = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with what waits, in the next turn of the event loop; else the next request has a deadline."""
        self.server_state.total_requests += 1
        self.slot.turn_down()
        if self.transport.is_closing():
            self.slot.quiet()
        elif self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        elif self._held and self.slot.comes_first:
            self.loop.call_soon(self._go_on)
        elif self._held:
            self.slot.limiter.in_turn(self.slot, self._go_on)
        else:
            self.slot.quiet()
            self.flow.resume_reading()

    def pause_writing(self) -> None:
        """Note that the answer is not read, and how long that may last."""
        super().pause_writing()
        self._unread = self.loop.call_later(connection_limiter.UNREAD_S_MAX, self.transport.abort)

    def resume_writing(self) -> None:
        """Note that it is."""
        self._read_again()
        super().resume_writing()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection and its slot over."""
        self._upgraded = True
        self._read_again()
        super().handle_websocket_upgrade()
        opened = cast("PulseSocket", self.transport.get_protocol())
        opened.take(self.slot)

    def _go_on(self) -> None:
        """Take what waits, and read on once nothing does."""
        data, self._held = self._held, b""
        self.flow.is_held = False
        self._take(data)
        if not self._held and not self.transport.is_closing():
            self.flow.resume_reading()

    def _parse(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            self.send_400_response("What arrived is not HTTP.")
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Let the answer be written in one piece."""
        self.slot.answer()
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

    def _read_again(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _show_date(self) -> None:
        second = int(time.time())
        if second != PulseHttp.date_second:
            PulseHttp.date_second = second
            PulseHttp.date_headers = [(b"date", formatdate(second, usegmt=True).encode())]
        self.server_state.default_headers = PulseHttp.date_headers


def open_websocket(**given: Any) -> asyncio.Protocol:  # noqa: ANN401  whatever uvicorn hands to a protocol
    """Return the protocol of one more WebSocket; uvicorn takes it for the class."""
    from hub.io.server.websocket import PulseSocket  # noqa: PLC0415  1 MB that only a WebSocket needs

    return PulseSocket(**given)
