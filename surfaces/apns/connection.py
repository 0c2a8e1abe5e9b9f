"""One HTTP/2 connection to APNs that loses nothing and repeats nothing: aioapns's protocol, with its faults mended.

Theory: a request waits in a queue until the connection may open one more stream and its window takes the whole body;
then it is a stream with a future; then an answer, or one of two endings. Waiting for room and waiting for the answer
are timed apart: written in the last moment of a common limit, it would be lost although it was taken at once.
`Unsent`: the server has certainly not worked on it (it was never written, or refused, or beyond the last stream of a
GOAWAY), so anybody may send it again. `Lost`: it may have been worked on, and only who asked can decide. Streams are
known by their number, never by what an answer says of itself.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from http import HTTPStatus

from aioapns.connection import APNsTLSClientProtocol
from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    PingAckReceived,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    WindowUpdated,
)
from h2.exceptions import H2Error
from h2.settings import SettingCodes

from surfaces.apns.http2 import Headers, Lost, PatientH2, Result, Stream, Unsent
from surfaces.apns.reasons import read_answer

STREAMS_MAX = 1_000
QUEUED_MAX = 20_000
BODY_BYTES_MAX = 16_384
"""An answer's body is a line of JSON; what goes on for longer is cut off."""
WINDOW_BYTES = 1_048_576
LAST_STREAM_ID = 2**31 - 1
STREAM_IDS_MAX = LAST_STREAM_ID - 2 * STREAMS_MAX


class PatientProtocol(APNsTLSClientProtocol):
    """One connection. `exchange` is all that its users need; `is_ready` says whether it takes new requests."""

    IDLE_S_MAX = 3_600.0
    PING_AFTER_S = 60.0
    PONG_S_MAX = 5.0
    conn: PatientH2

    def __init__(self, loop: asyncio.AbstractEventLoop, on_connection_lost: Callable[[object], None]) -> None:
        super().__init__("", loop, on_connection_lost)  # type: ignore[arg-type]  # aioapns says NoReturn and means None
        self.conn = PatientH2()
        self._queue: deque[Stream] = deque()
        self._live: dict[int, Stream] = {}
        self._writing: dict[int, Stream] = {}
        self._is_proved = False
        self._last_id = LAST_STREAM_ID
        self._lost = ""
        self._flush_due = False
        self._pong: asyncio.TimerHandle | None = None
        self._heard_s = self._used_s = self.loop.time()
        self.gone = self.loop.create_future()

    @property
    def is_open(self) -> bool:
        """Whether new requests may be handed to it."""
        return not self._lost and self._last_id == LAST_STREAM_ID

    @property
    def is_ready(self) -> bool:
        """Whether it is open, and nobody waits for it to show that it is alive."""
        return self.is_open and self._pong is None

    @property
    def load(self) -> int:
        """How many requests it has, waiting ones included."""
        return len(self._live) + len(self._queue)

    @property
    def streams_max(self) -> int:
        """How many streams may be open now: one until a first answer has shown that our token is good."""
        if not self._is_proved:
            return 1
        return min(STREAMS_MAX, self.conn.remote_settings.max_concurrent_streams)

    async def exchange(self, headers: Headers, body: bytes, *, room_s: float, answer_s: float) -> Result:
        """Send a request: `room_s` seconds at most until it is written, then `answer_s` at most until its answer."""
        if not self.is_open or len(self._queue) >= QUEUED_MAX:
            return Unsent(why=self._lost or "the connection takes no more")
        self._used_s = self.loop.time()
        stream = Stream(headers, body, self.loop.create_future(), answer_s=answer_s)
        stream.end_by(self.loop.call_later(room_s, self._time_out, stream))
        self._queue.append(stream)
        self._pump()
        try:
            return await stream.done
        finally:
            stream.end_by(None)
            self._drop(stream)

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin: our settings, and a window that no answer can fill."""
        self.transport = transport  # type: ignore[assignment]  # asyncio promises less than it hands over
        self.conn.initiate_connection()
        self.conn.update_settings({SettingCodes.ENABLE_PUSH: 0})
        self.conn.increment_flow_control_window(WINDOW_BYTES)
        self.flush()

    def data_received(self, data: bytes) -> None:
        """Take what came; what is not HTTP/2 ends the connection."""
        self._heard_s = self.loop.time()
        try:
            for event in self.conn.receive_data(data):
                self._handle(event)
            self._pump()
        except H2Error as error:
            self._end(f"not HTTP/2: {type(error).__name__}", at_once=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell everybody who waits what is known."""
        self._end(f"connection lost: {type(exc).__name__}" if exc else "connection closed")

    def close(self) -> None:
        """End it; what is under way is lost."""
        self._end("closed by us")

    def retire(self) -> None:
        """Take no new requests, and end when those under way are answered."""
        self._last_id = min(self._last_id, LAST_STREAM_ID - 1)
        self._give_back_queue("the connection is being replaced")
        self._end_when_done()

    # What h2 reports.

    def _handle(self, event: Event) -> None:
        match event:
            case ResponseReceived(stream_id=number) if number in self._live:
                self._live[number].answer = dict(event.headers)
            case DataReceived():
                self._take_data(event)
            case StreamEnded(stream_id=number) if number in self._live:
                self._answered(self._live[number])
            case StreamReset(stream_id=number) if number in self._live:
                refused = event.error_code == ErrorCodes.REFUSED_STREAM
                ending = Unsent(why="refused") if refused else Lost(why="the server reset the stream")
                self._settle(self._live[number], ending)
            case ConnectionTerminated():
                self._go_away(event)
            case PingAckReceived() if self._pong is not None:
                self._pong.cancel()
                self._pong = None
            case RemoteSettingsChanged() | WindowUpdated():
                self._write_on()

    def _take_data(self, event: DataReceived) -> None:
        if event.flow_controlled_length and event.stream_id is not None:
            with contextlib.suppress(H2Error):  # its stream may be gone
                self.conn.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        stream = self._live.get(event.stream_id or 0)
        if stream is not None and len(stream.received) < BODY_BYTES_MAX:
            stream.received += event.data or b""

    def _answered(self, stream: Stream) -> None:
        fields = stream.answer
        status = fields.get(b":status", b"")
        answer = read_answer(
            int(status) if status.isdigit() else 0,
            bytes(stream.received),
            retry_after=fields.get(b"retry-after", b"").decode("latin-1"),
            unique_id=fields.get(b"apns-unique-id", b"").decode("latin-1")[:64],
        )
        if answer.status not in (HTTPStatus.FORBIDDEN, HTTPStatus.UNAUTHORIZED, 0):
            self._is_proved = True
        if stream.sent < len(stream.body):  # it needs no more of it
            self.conn.reset_stream(stream.stream_id, ErrorCodes.NO_ERROR)
        self._settle(stream, answer)

    def _go_away(self, event: ConnectionTerminated) -> None:
        """Let the streams up to the last one finish; the others were not worked on."""
        self._last_id = min(self._last_id, event.last_stream_id or 0, LAST_STREAM_ID - 1)
        for number in [number for number in self._live if number > self._last_id]:
            self._settle(self._live[number], Unsent(why="the server goes away"))
        self._give_back_queue("the server goes away")
        self._end_when_done()

    # Our own pace.

    def _pump(self) -> None:
        """Open what may be opened: a stream for each, and only when the window takes its whole body."""
        if self._lost:
            return
        self._watch()
        while self._queue and self.is_open and len(self._live) < self.streams_max:
            if self._queue[0].done.done():
                self._queue.popleft()
                continue
            if not self._fits(self._queue[0]):
                break
            self._open(self._queue.popleft())
        self._flush_soon()

    def _fits(self, stream: Stream) -> bool:
        """Whether the connection's window takes its body, or is all that a body larger than any window will get."""
        return self.conn.outbound_flow_control_window >= len(stream.body) or (
            not self._live and self.conn.outbound_flow_control_window > 0
        )

    def _open(self, stream: Stream) -> None:
        stream.stream_id = self.conn.get_next_available_stream_id()
        self._live[stream.stream_id] = stream
        stream.end_by(self.loop.call_later(stream.answer_s, self._time_out, stream))
        self.conn.send_headers(stream.stream_id, stream.headers)
        self.conn.streams_open = len(self._live)
        self._write(stream)
        if stream.stream_id >= STREAM_IDS_MAX:
            self.retire()

    def _write(self, stream: Stream) -> None:
        """Write as much of the body as the windows take now."""
        while True:
            left = len(stream.body) - stream.sent
            room = min(left, self.conn.local_flow_control_window(stream.stream_id), self.conn.max_outbound_frame_size)
            if room <= 0 < left:
                self._writing[stream.stream_id] = stream
                return
            chunk = stream.body[stream.sent : stream.sent + room]
            stream.sent += room
            self.conn.send_data(stream.stream_id, chunk, end_stream=stream.sent == len(stream.body))
            if stream.sent == len(stream.body):
                self._writing.pop(stream.stream_id, None)
                return

    def _write_on(self) -> None:
        for stream in list(self._writing.values()):
            self._write(stream)

    def _flush_soon(self) -> None:
        """Write once for all that happens in this round of the loop: one TLS record instead of many."""
        if not self._flush_due:
            self._flush_due = True
            self.loop.call_soon(self.flush)

    def flush(self) -> None:
        """Hand what h2 has to the transport."""
        self._flush_due = False
        if self.transport is not None and not self.transport.is_closing():
            data = self.conn.data_to_send()
            if data:
                self.transport.write(data)

    # Endings.

    def _settle(self, stream: Stream, result: Result) -> None:
        if not stream.done.done():
            stream.done.set_result(result)
        self._release(stream)
        self._end_when_done()

    def _release(self, stream: Stream) -> None:
        if self._live.pop(stream.stream_id, None) is not None:
            self._writing.pop(stream.stream_id, None)
            self.conn.forget(stream.stream_id)
            self.conn.streams_open = len(self._live)

    def _time_out(self, stream: Stream) -> None:
        if not stream.done.done():
            waiting = stream.stream_id == 0
            stream.done.set_result(Unsent(why="no room in time") if waiting else Lost(why="no answer in time"))
            self._ask_whether_alive()

    def _drop(self, stream: Stream) -> None:
        """Give up a stream whose asker has gone; its place is free again."""
        if stream.stream_id == 0:
            with contextlib.suppress(ValueError):
                self._queue.remove(stream)
        elif stream.stream_id in self._live and not self._lost:
            with contextlib.suppress(H2Error):
                self.conn.reset_stream(stream.stream_id, ErrorCodes.CANCEL)
            self._release(stream)
            self._end_when_done()
            self._pump()

    def _give_back_queue(self, why: str) -> None:
        while self._queue:
            stream = self._queue.popleft()
            if not stream.done.done():
                stream.done.set_result(Unsent(why=why))

    def _end_when_done(self) -> None:
        if not self.is_open and not self._live and not self._lost:
            self._end("the server has gone away")

    def _end(self, why: str, *, at_once: bool = False) -> None:
        if self._lost:
            return
        self._lost = why
        self._give_back_queue(why)
        for stream in list(self._live.values()):
            self._settle(stream, Lost(why=why))
        for timer in (self.inactivity_timer, self._pong):
            if timer is not None:
                timer.cancel()
        self.inactivity_timer = self._pong = None
        if self.transport is not None:
            self.flush()
            (self.transport.abort if at_once else self.transport.close)()
        if not self.gone.done():
            self.gone.set_result(why)
        if self.on_connection_lost:
            self.on_connection_lost(self)

    # Is anybody there?

    def _watch(self) -> None:
        """Have a look after a while of silence; APNs wants connections kept, not opened anew for each message."""
        if self.inactivity_timer is None:
            self.inactivity_timer = self.loop.call_later(self.PING_AFTER_S, self._look)

    def _look(self) -> None:
        self.inactivity_timer = None
        now_s = self.loop.time()
        if now_s - self._used_s >= self.IDLE_S_MAX and not self._live:
            self._end("idle")
            return
        if now_s - self._heard_s >= self.PING_AFTER_S:
            self._ask_whether_alive()
        self._watch()

    def _ask_whether_alive(self) -> None:
        """Send a PING; a connection that does not even answer that is dead."""
        if self._lost or self._pong is not None:
            return
        self.conn.ping(b"pulse-up")
        self._pong = self.loop.call_later(self.PONG_S_MAX, self._end_dead)
        self._flush_soon()

    def _end_dead(self) -> None:
        self._pong = None
        self._end("no answer to a PING", at_once=True)
