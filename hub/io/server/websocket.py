"""uvicorn's WebSocket with the limits that it lacks, which can be written to without waiting.

It is handed ready-made frames, the same bytes for every client, and says itself when it cannot keep up. Loaded with the
first WebSocket: a hub at which no page is open needs none of it.
"""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hub.contract.errors import BusyError
from hub.io.server.caller import caller_of, extension_of
from hub.io.server.connection_limiter import ConnectionSlot
from hub.io.server.protocol import EXTENSION, READ_BYTES

UNSIGNED_READ_BYTES = 1_024
"""So much at once from a WebSocket that has not signed in: it may hold many tiny messages."""
UNSIGNED_MESSAGE_BYTES_MAX = 4_096
CLOSE_S_MAX = 5.0
"""How long a peer that is told goodbye may take to hear it."""
REPLY_BYTES_MAX = 1_048_576
"""How much may wait for a client that asks faster than it reads."""


class PulseSocket(WebSocketsSansIOProtocol, asyncio.BufferedProtocol):
    """One WebSocket connection. It compresses nothing, so a frame is the same bytes for everybody."""

    buffer: ClassVar[memoryview] = memoryview(bytearray(READ_BYTES))
    on_drained: Callable[[], None] | None = None
    slot: ConnectionSlot
    keeps_up = True
    """Whether what was written is also being read."""

    def take(self, slot: ConnectionSlot) -> None:
        """Take a connection's slot over; until its client has signed in, messages are small and few."""
        self.slot = slot
        slot.become_socket()
        self.conn.max_size = self.config.ws_max_size if slot.client else UNSIGNED_MESSAGE_BYTES_MAX

    def vouch(self, client: str) -> None:
        """Say who signed in here."""
        self.slot.vouch(client)
        self.conn.max_size = self.config.ws_max_size

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the slot back."""
        self.slot.leave()
        super().connection_lost(exc)

    def get_buffer(self, _sizehint: int) -> memoryview:
        """Read into the buffer of all."""
        return PulseSocket.buffer if self.slot.client else PulseSocket.buffer[:UNSIGNED_READ_BYTES]

    def buffer_updated(self, nbytes: int) -> None:
        """Take what was read."""
        self.data_received(bytes(PulseSocket.buffer[:nbytes]))

    def send_receive_event_to_app(self) -> None:
        """Hand a message on; the first one says who this is."""
        self.slot.judge()
        super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        """Answer a ping; who pings and does not read is dropped."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > REPLY_BYTES_MAX:
            self.transport.abort()

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
        self.slot.turn_down()
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
