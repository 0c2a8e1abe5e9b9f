"""The WebSocket at `/pulse`: sign in, subscribe, replay, and calls over JSON-RPC."""

import asyncio
from typing import TYPE_CHECKING

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from hub.contract import live
from hub.contract.base import Message
from hub.contract.errors import BusyError, PulseError
from hub.contract.topics import DeviceAddress
from hub.domain.storage import Client
from hub.io.access.tokens import is_by_hand, require
from hub.io.api.admission import admitted_to_socket
from hub.io.api.call import Services
from hub.io.api.local_caller import caller_in, local_client
from hub.io.api.rpc import Rpc
from hub.io.http.bodies import decode
from hub.io.http.errors import (
    InvalidBodyError,
    NotADeviceError,
    NotSignedInError,
    StoppingError,
    TooManySocketsError,
)
from hub.io.http.problems import problem_of, response_of
from hub.io.http.validation_text import plainly
from hub.io.live.broadcaster import SIGNED_OUT, frame_of, message_frame
from hub.io.server.protocol import EXTENSION

if TYPE_CHECKING:
    from hub.io.server.websocket import PulseSocket

SIGN_IN_S_MAX = 5.0
TRY_LATER = 1013
CALLS_MAX = 16
"""Calls under way on one connection."""


class Pulse:
    """The endpoint; an ASGI application of its own."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, scope: dict[str, object], receive: object, send: object) -> None:
        """Serve one connection from handshake to end."""
        websocket = WebSocket(scope, receive, send)  # type: ignore[arg-type]  # the server's own, passed on
        services = self._services
        try:
            client = self._welcome(websocket)
        except PulseError as error:
            await websocket.send_denial_response(response_of(error, live.PATH))
            return
        socket: PulseSocket = websocket.scope["extensions"][EXTENSION]["socket"]
        if client is not None:
            socket.vouch(client.id)  # before anything is waited for: until then it is one of the strangers
        await websocket.accept()
        services.broadcaster.enter(socket, client.id if client else "")
        try:
            await SocketSession(services, socket, websocket).run(client)
        except WebSocketDisconnect:
            pass  # the other side left, as it may
        finally:
            services.broadcaster.leave(socket)

    def _welcome(self, websocket: WebSocket) -> Client | None:
        """Return who connects; None if their first message is to say so."""
        header = websocket.headers.get("authorization")
        if header is not None:
            return self._room_for(self._services.access.of_header(header))
        client = local_client(websocket.scope, self._services)
        return client if client is None else self._room_for(client)

    def _room_for(self, client: Client) -> Client:
        require_room(self._services)
        return require_use(client)


class SocketSession:
    """One open connection."""

    def __init__(self, services: Services, socket: "PulseSocket", websocket: WebSocket) -> None:
        self._services = services
        self._socket = socket
        self._websocket = websocket
        self._calls: set[asyncio.Task[None]] = set()

    async def run(self, client: Client | None) -> None:
        """Greet and serve until the other side leaves."""
        signed_in = client or await self._sign_in()
        if signed_in is None or not self._has_room(client):
            return
        self._socket.vouch(signed_in.id)
        self._services.broadcaster.enter(self._socket, signed_in.id)
        self._client = signed_in
        self._device = DeviceAddress(surface=signed_in.surface, device=signed_in.device) if signed_in.device else None
        self._rpc = Rpc(self._services, self._now, caller_in(self._websocket.scope))
        self._say(self._hello())
        try:
            while True:
                self._take(await self._receive())
        finally:
            for call in tuple(self._calls):
                call.cancel()
            if self._device is not None:
                self._services.watchers.leave(self._device, self._socket)

    def _now(self) -> Client:
        """Return whose this connection is by now: one over the hub's socket may have ceased to be the person's.

        Raises:
            AnotherUserError, UnprovenCallerError: the process that made it counts no more.
        """
        known = local_client(self._websocket.scope, self._services) if is_by_hand(self._client) else None
        return known or self._client

    async def _sign_in(self) -> Client | None:
        try:
            async with asyncio.timeout(SIGN_IN_S_MAX):
                said = decode(await self._receive(), live.Authenticate)
            return require_use(await admitted_to_socket(self._services, said))
        except TimeoutError:
            error: PulseError = NotSignedInError("No token came.", fix='Send {"type": "auth", "token": …} first.')
        except PulseError as refused:
            error = refused
        self._say(live.Trouble(problem=problem_of(error, live.PATH)))
        if isinstance(error, StoppingError):
            self._socket.finish(TRY_LATER, error.code)  # it is taken for revoked otherwise
        else:
            self._socket.finish(SIGNED_OUT, NotSignedInError.code)
        return None

    def _has_room(self, welcomed: Client | None) -> bool:
        """Return True if a client that has just signed in may stay."""
        try:
            if welcomed is None:
                require_room(self._services)
        except PulseError as error:
            self._say(live.Trouble(problem=problem_of(error, live.PATH)))
            self._socket.finish(TRY_LATER, error.code)
            return False
        return True

    async def _receive(self) -> bytes:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        return text.encode() if text is not None else message.get("bytes") or b""

    def _take(self, raw: bytes) -> None:
        """Take one message: a call if it is JSON-RPC or a batch of it, else one of our own."""
        if Rpc.is_meant(raw):
            self._begin_call(raw)
            return
        try:
            said = _from_client(raw)
            if isinstance(said, live.Subscribe):
                require(self._client, "read")
                self._subscribe(said)
            elif isinstance(said, live.Unsubscribe):
                self._services.broadcaster.unsubscribe(self._socket)
            elif isinstance(said, live.Watching):
                self._watch(said)
        except PulseError as error:
            self._say(live.Trouble(problem=problem_of(error, live.PATH)))

    def _watch(self, said: live.Watching) -> None:
        if self._device is None:
            raise NotADeviceError
        now = self._services.parts.clock.now()
        active_at = min(now, said.active_at) if said.active_at is not None else None
        self._services.watchers.say(self._device, self._socket, visible=said.visible, active_at=active_at)

    def _subscribe(self, said: live.Subscribe) -> None:
        broadcaster = self._services.broadcaster
        asked, same_feed = said.since, said.feed in {None, broadcaster.id}
        if asked is None or (same_feed and broadcaster.has(asked)):
            after = broadcaster.seq if asked is None else asked
            self._say(live.Subscribed(seq=broadcaster.seq, feed=broadcaster.id, replayed=broadcaster.seq - after))
        else:
            after = broadcaster.seq
            reason = "some of it is no longer stored" if same_feed else "the hub was restarted since then"
            self._say(live.Resync(reason=reason, seq=broadcaster.seq, feed=broadcaster.id))
        broadcaster.subscribe(self._socket, after)

    def _begin_call(self, raw: bytes) -> None:
        if len(self._calls) >= CALLS_MAX:
            error = BusyError(f"{CALLS_MAX} calls are in progress on this connection.", fix="Wait for one of them.")
            self._socket.reply(frame_of(self._rpc.refusal(error)))
            return
        task = asyncio.get_running_loop().create_task(self._call(raw))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    async def _call(self, raw: bytes) -> None:
        answer = await self._rpc.answer(raw)
        if answer:
            self._socket.reply(frame_of(answer))

    def _hello(self) -> live.Hello:
        broadcaster = self._services.broadcaster
        return live.Hello(seq=broadcaster.seq, feed=broadcaster.id, status=self._services.parts.hub_api.status())

    def _say(self, message: Message) -> None:
        self._socket.reply(message_frame(message))


def require_use(client: Client) -> Client:
    """Return a client if there is something for it here; the greeting alone says how Pulse is.

    Raises:
        FromARunError, OutOfScopeError: it may neither look nor answer.
    """
    if "answer" not in client.scopes:
        require(client, "read")
    return client


def require_room(services: Services) -> None:
    """Check that one more may sign in; those that have not are bounded by their places.

    Raises:
        TooManySocketsError: as many as may have done so.
    """
    if services.broadcaster.signed_in >= services.parts.sockets_max:
        raise TooManySocketsError


def _from_client(raw: bytes) -> live.AnyFromClient:
    try:
        said: live.AnyFromClient = msgspec.json.decode(raw, type=live.AnyFromClient)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidBodyError(plainly(str(error)), fix="docs/api.md shows what may be sent here.") from error
    return said
