"""Handing each event to every WebSocket: encoded once, and nobody waits for anybody.

Theory: the last events are kept once for all clients, and each client is only a position in them. Whoever keeps up is
written to at once. Whoever does not is left where it is, and goes on from there when its connection drains. Whoever
falls so far behind that its next event is no longer kept has had its queue full, and is dropped with 1013. So a
stalled client costs a number, and no other client notices it.
"""

import asyncio
import secrets
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from hub.contract.base import Message
from hub.contract.events import AnyEvent
from hub.contract.live import Beside, LookAgain
from hub.ports import Feed, Numbered

if TYPE_CHECKING:
    from hub.io.server.websocket import PulseSocket

QUEUE_EVENTS_MAX = 1_000
SLICE_CLIENTS = 100
"""So many clients are written to before others get their turn of the event loop."""
FRAMES_PER_WRITE_MAX = 64
TOO_SLOW = 1013
GOING_AWAY = 1001
SIGNED_OUT = 1008
_encoder = msgspec.json.Encoder()


class FeedFrame:
    """One event; its frame is made when the first client needs it."""

    __slots__ = ("_frame", "numbered")

    def __init__(self, numbered: Numbered) -> None:
        self.numbered = numbered
        self._frame = b""

    @property
    def frame(self) -> bytes:
        """The event as a WebSocket frame."""
        if not self._frame:
            self._frame = frame_of(event_json(self.numbered.event, self.numbered.seq))
        return self._frame


class Broadcaster:
    """All open WebSockets, and how far each has got."""

    def __init__(self, feed: Feed) -> None:
        self.id = secrets.token_hex(6)
        self._feed = feed
        self._kept: deque[FeedFrame] = deque(map(FeedFrame, feed.since(0) or ()), maxlen=QUEUE_EVENTS_MAX)
        self._seq = feed.seq
        self._open: dict[PulseSocket, str] = {}
        self._signed_in: set[PulseSocket] = set()
        self._at: dict[PulseSocket, int] = {}
        self._round: list[PulseSocket] = []
        self._scheduled = False
        self.dropped = 0
        feed.add(self._hear)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def signed_in(self) -> int:
        """How many of the connections have said who they are."""
        return len(self._signed_in)

    @property
    def seq(self) -> int:
        """The number of the latest event."""
        return self._seq

    def enter(self, socket: "PulseSocket", client_id: str) -> None:
        """Count a connection; `client_id` is empty until it has signed in."""
        self._open[socket] = client_id
        if client_id:
            self._signed_in.add(socket)

    def leave(self, socket: "PulseSocket") -> None:
        """Forget a connection."""
        self._open.pop(socket, None)
        self._signed_in.discard(socket)
        self.unsubscribe(socket)

    def has(self, seq: int) -> bool:
        """Return True if everything after `seq` is kept."""
        oldest = self._kept[0].numbered.seq if self._kept else self._seq + 1
        return oldest - 1 <= seq <= self._seq

    def subscribe(self, socket: "PulseSocket", after: int) -> None:
        """Write to this connection every event after number `after`, from now on."""
        self._at[socket] = after
        socket.on_drained = lambda: self._catch_up(socket)
        self._catch_up(socket)

    def unsubscribe(self, socket: "PulseSocket") -> None:
        """Write no more events to this connection."""
        self._at.pop(socket, None)
        socket.on_drained = None

    def look_again(self, what: Beside) -> None:
        """Tell every page that is there to read something again; one that lags reads it when it reconnects."""
        frame = message_frame(LookAgain(what=what))
        for socket in [socket for socket in self._at if socket.keeps_up]:
            socket.push(frame)

    def sign_out(self, client_id: str) -> None:
        """Close the connections of a client whose token was revoked."""
        for socket, owner in tuple(self._open.items()):
            if owner == client_id:
                socket.finish(SIGNED_OUT, "this token was revoked")

    def close(self) -> None:
        """Say goodbye to everybody."""
        self._feed.remove(self._hear)
        for socket in tuple(self._open):
            socket.finish(GOING_AWAY, "Pulse stops")

    def _hear(self, numbered: Numbered) -> None:
        self._kept.append(FeedFrame(numbered))
        self._seq = numbered.seq
        if self._at and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._go_round)

    def _go_round(self) -> None:
        """Write to the next slice of clients; who is reached gets all that there is by then."""
        self._write_to(self._round[-SLICE_CLIENTS:])
        del self._round[-SLICE_CLIENTS:]
        if not self._round:
            self._drop_the_late()
            self._round = [socket for socket, at in self._at.items() if at < self._seq and socket.keeps_up]
        self._scheduled = bool(self._round)
        if self._scheduled:
            asyncio.get_running_loop().call_soon(self._go_round)

    def _write_to(self, sockets: "list[PulseSocket]") -> None:
        """Write what is new; nearly everybody lacks just the newest event, so that way is kept short."""
        at, before = self._at, self._seq - 1
        for socket in sockets:
            if at.get(socket) == before and socket.keeps_up:
                at[socket] = self._seq
                socket.push(self._kept[-1].frame)
            else:
                self._catch_up(socket)

    def _drop_the_late(self) -> None:
        oldest = self._kept[0].numbered.seq - 1 if self._kept else self._seq
        for socket in [socket for socket, at in self._at.items() if at < oldest]:
            self._drop(socket)

    def _drop(self, socket: "PulseSocket") -> None:
        self.dropped += 1
        self.unsubscribe(socket)
        socket.finish(TOO_SLOW, "too slow: events were lost; reconnect and read the cards again")

    def _catch_up(self, socket: "PulseSocket") -> None:
        """Write what this client has not got yet, as long as it keeps up."""
        while socket.keeps_up and (at := self._at.get(socket, self._seq)) < self._seq:
            if not self.has(at):
                self._drop(socket)
                return
            first = at - self._seq  # counted from the newest, where a deque is quick
            last = min(0, first + FRAMES_PER_WRITE_MAX)
            self._at[socket] = at + last - first
            socket.push(b"".join([self._kept[index].frame for index in range(first, last)]))


def event_json(event: AnyEvent, seq: int) -> bytes:
    """Return an event as CROSSPOLL 8.2 names it, with its number: `{"type": …, …, "seq": n}`."""
    return _encoder.encode(event)[:-1] + b',"seq":%d}' % seq


def message_frame(message: Message) -> bytes:
    """Return any other message as a WebSocket frame."""
    return frame_of(_encoder.encode(message))


def frame_of(text: bytes) -> bytes:
    """Return JSON text as one WebSocket frame."""
    from websockets.frames import Frame, Opcode  # noqa: PLC0415  loaded with the first WebSocket, which is to read it

    return Frame(Opcode.TEXT, text).serialize(mask=False)
