"""HTTP/2 as APNs speaks it: what may become of a request, a request on its way, and h2 with its GOAWAY mended."""

import asyncio
from collections.abc import Sequence

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, Event
from hyperframe.frame import Frame, GoAwayFrame

from hub.contract.base import Value
from surfaces.apns.push import Field
from surfaces.apns.reasons import Answer

Headers = Sequence[Field]


class Unsent(Value):
    """The server has not worked on it: it may be sent again."""

    why: str


class Lost(Value):
    """Nobody knows whether the server worked on it."""

    why: str


Result = Answer | Unsent | Lost


class Stream:
    """A request on its way. `sent` counts the bytes of its body that went out; `answer_s` is for its answer alone."""

    __slots__ = ("_timer", "answer", "answer_s", "body", "done", "headers", "received", "sent", "stream_id")

    def __init__(self, headers: Headers, body: bytes, done: asyncio.Future[Result], *, answer_s: float) -> None:
        self.headers = headers
        self.body = body
        self.done = done
        self.answer_s = answer_s
        self._timer: asyncio.TimerHandle | None = None
        self.stream_id = 0
        self.sent = 0
        self.answer: dict[bytes, bytes] = {}
        self.received = bytearray()

    def end_by(self, timer: asyncio.TimerHandle | None) -> None:
        """Let this timer end the waiting, and the one before it no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer


class PatientH2(H2Connection):
    """Goes on receiving after a GOAWAY (RFC 9113 6.8), and counts its streams without looking at each."""

    def __init__(self) -> None:
        # what goes out is in `push.headers_of`, in order and in lower case; checking it each time costs a fifth
        settings = H2Configuration(
            client_side=True,
            header_encoding=None,
            validate_outbound_headers=False,
            normalize_outbound_headers=False,
        )
        super().__init__(settings)
        self.streams_open = 0

    @property
    def open_outbound_streams(self) -> int:
        """How many streams are open, as `PatientProtocol` counts them."""
        return self.streams_open

    def forget(self, stream_id: int) -> None:
        """Let go of a stream that is over; h2 would look through all of them."""
        stream = self.streams.pop(stream_id, None)
        if stream is not None:
            self._closed_streams[stream_id] = stream.closed_by

    def _receive_goaway_frame(self, frame: GoAwayFrame) -> tuple[list[Frame], list[Event]]:
        event = ConnectionTerminated()
        event.error_code = frame.error_code
        event.last_stream_id = frame.last_stream_id
        event.additional_data = frame.additional_data or None
        return [], [event]
