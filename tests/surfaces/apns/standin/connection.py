"""One connection of the stand-in: frames, settings, and every way to break them."""

import asyncio
import contextlib
from collections.abc import Callable

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import DataReceived, RequestReceived, StreamEnded, StreamReset
from h2.exceptions import H2Error, StreamClosedError
from h2.settings import SettingCodes
from h2.settings import Settings as H2Settings

from hub.contract.base import Value

SPLIT_S = 0.01
RESETS = {"reset": ErrorCodes.INTERNAL_ERROR, "refuse": ErrorCodes.REFUSED_STREAM}
BODIES = {"bare500": b"", "html500": b"<html>oops"}
GARBAGE = b"\x00\xff\x00\x63garbage, not a frame" * 8


class Settings(Value):
    """What the connection allows: streams at once after a first good token, and the window in bytes."""

    streams: int = 1_000
    window: int = 65_535
    delay_ms: int = 0


Respond = Callable[["Talk", int, list[tuple[str, str]], bytes], None]


class Talk(asyncio.Protocol):
    """HTTP/2 with one client."""

    def __init__(
        self, settings: Settings, respond: Respond, faults: list[str], others: list["Talk"], number: int
    ) -> None:
        self.number = number
        self._faults = faults
        self.last_id = self.answered_id = 0
        self._settings = settings
        self._respond = respond
        self._others = others
        self._conn = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self._requests: dict[int, tuple[list[tuple[str, str]], bytearray]] = {}
        self._transport: asyncio.Transport | None = None
        self._is_welcome = False
        self._gone_at: int | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._others.append(self)
        self._conn.local_settings = H2Settings(client=False, initial_values={SettingCodes.MAX_CONCURRENT_STREAMS: 1})
        self._conn.initiate_connection()
        self._conn.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: self._settings.window})
        self._flush()

    def connection_lost(self, _: Exception | None) -> None:
        self._transport = None
        with contextlib.suppress(ValueError):
            self._others.remove(self)

    def data_received(self, data: bytes) -> None:
        try:
            for event in self._conn.receive_data(data):
                self._handle(event)
        except H2Error as error:
            self._faults.append(f"not HTTP/2: {error!r}")
            self.abort()
        self._flush()

    def _handle(self, event: object) -> None:
        match event:
            case RequestReceived():
                assert event.stream_id is not None
                assert event.headers is not None
                self.last_id = event.stream_id
                self._requests[event.stream_id] = (list(event.headers), bytearray())  # type: ignore[arg-type]  # text, as configured
            case DataReceived():
                assert event.stream_id is not None
                self._conn.acknowledge_received_data(event.flow_controlled_length or 0, event.stream_id)
                if event.stream_id in self._requests:
                    self._requests[event.stream_id][1].extend(event.data or b"")
            case StreamEnded():
                assert event.stream_id is not None
                self._ended(event.stream_id)
            case StreamReset():
                self._requests.pop(event.stream_id or 0, None)

    def _ended(self, stream_id: int) -> None:
        request = self._requests.pop(stream_id, None)
        if request is None:
            return
        if not self._settings.delay_ms:
            self._respond_late(stream_id, request)
            return
        asyncio.get_running_loop().call_later(self._settings.delay_ms / 1_000, self._respond_late, stream_id, request)

    def _respond_late(self, stream_id: int, request: tuple[list[tuple[str, str]], bytearray]) -> None:
        is_too_late = self._gone_at is not None and stream_id > self._gone_at
        if self._transport is not None and not is_too_late:
            self.answered_id = max(self.answered_id, stream_id)
            self._respond(self, stream_id, request[0], bytes(request[1]))
            self._flush()

    def welcome(self) -> None:
        """After the first good token: as many streams as the settings say."""
        if not self._is_welcome:
            self._is_welcome = True
            self._conn.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: self._settings.streams})

    def accept(self, stream_id: int, apns_id: str, how: str) -> None:
        head = [(":status", "200"), ("apns-id", apns_id.upper() if how == "upper-id" else apns_id)]
        if how == "no-id":
            head.pop()
        with contextlib.suppress(H2Error):
            self._conn.send_headers(stream_id, head, end_stream=how != "empty-frame")
            if how == "empty-frame":
                self._conn.send_data(stream_id, b"", end_stream=True)
        if how == "goaway":
            self.go_away(stream_id)
        self._flush()

    def refuse(self, stream_id: int, apns_id: str, status: int, body: bytes, extra: dict[str, str]) -> None:
        with contextlib.suppress(H2Error):
            head = [(":status", str(status)), ("apns-id", apns_id), *extra.items()]
            self._conn.send_headers(stream_id, head, end_stream=not body)
            if body:
                self._conn.send_data(stream_id, body, end_stream=True)
        self._flush()

    def fail(self, stream_id: int, apns_id: str, how: str) -> None:
        """Break in a certain way, without having taken the push."""
        match how:
            case "hang":
                return
            case "reset" | "refuse":
                with contextlib.suppress(StreamClosedError):  # the client may have given it up
                    self._conn.reset_stream(stream_id, RESETS[how])
            case "cut":
                self.abort()
            case "goaway-early":
                self.go_away(max(0, stream_id - 2))
            case "bare500" | "html500":
                self.refuse(stream_id, apns_id, 500, BODIES[how], {})
            case "split":
                self._split(stream_id, apns_id)
            case "garbage":
                if self._transport is not None:
                    self._transport.write(GARBAGE)
        self._flush()

    def go_away(self, last_id: int) -> None:
        """Send a GOAWAY; h2 would then refuse to send anything, so it is told nothing of it."""
        self._gone_at = last_id
        if self._transport is not None:
            self._flush()
            reason = b'{"reason":"Shutdown"}'
            head = (8 + len(reason)).to_bytes(3) + b"\x07\x00" + (0).to_bytes(4)
            self._transport.write(head + last_id.to_bytes(4) + (0).to_bytes(4) + reason)

    def freeze(self) -> None:
        """Read nothing any more, as behind a router that has forgotten us."""
        if self._transport is not None:
            self._transport.pause_reading()

    def abort(self) -> None:
        """Cut the connection without a word."""
        if self._transport is not None:
            self._transport.abort()
            self._transport = None

    def _split(self, stream_id: int, apns_id: str) -> None:
        body = b'{"reason":"ServiceUnavailable"}'
        with contextlib.suppress(StreamClosedError):  # the client may have given it up
            self._conn.send_headers(stream_id, [(":status", "503"), ("apns-id", apns_id)])
            self._conn.send_data(stream_id, body[:10])
        asyncio.get_running_loop().call_later(SPLIT_S, self._split_end, stream_id, body[10:])

    def _split_end(self, stream_id: int, rest: bytes) -> None:
        with contextlib.suppress(H2Error):
            self._conn.send_data(stream_id, rest, end_stream=True)
        self._flush()

    def _flush(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(self._conn.data_to_send())
