"""The connection to an OpenClaw gateway: frames of JSON over a WebSocket, calls and their replies, events."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from hub.contract.base import Value
from hub.contract.errors import UserError, WorldError
from hub.io.attached.openclaw.device import GatewayChallenge, device_id, sign_in
from hub.io.attached.openclaw.kept_device import OpenClawDevice
from hub.kit.loose_json import LooseJson, object_of, text_of
from hub.kit.private_address import is_loopback

FRAME_BYTES_MAX = 26_214_400
"""What the gateway itself keeps to."""
HANDSHAKE_S_MAX, CALL_S_MAX = 20.0, 20.0
EVENTS_MAX = 1_000
WANTED = ("exec.approval.", "plugin.approval.", "question.")
"""Of all that the gateway tells, what begins so is read."""
PAIRING = ("PAIRING_REQUIRED", "NOT_PAIRED")


class OpenClawAwayError(WorldError):
    """The OpenClaw gateway does not answer. Start it: `openclaw gateway run`."""

    code = "openclaw-away"


class OpenClawRefusedError(UserError):
    """The OpenClaw gateway refuses Pulse. Its message says why; `pulse connect openclaw` reconnects."""

    code = "openclaw-refused"


class GatewayFrame(msgspec.Struct, kw_only=True):
    """Whatever the gateway sends: an event, or the reply to a call."""

    type: str = ""
    id: str = ""
    event: str = ""
    ok: bool = False
    payload: msgspec.Raw = msgspec.Raw(b"null")
    error: msgspec.Raw = msgspec.Raw(b"null")


class GatewayEvent(Value):
    """Something that the gateway tells of."""

    event: str
    payload: LooseJson


class CallRefused(Value):
    """A call that the gateway did not take; why, in its own words."""

    why: str


def require_private(url: str) -> None:
    """See that nobody on the way could read what is sent.

    Raises:
        OpenClawRefusedError: it would cross a network in the clear, or it is not a gateway address.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in {"ws", "wss"} or not host:
        raise OpenClawRefusedError(f"{url} is not a gateway address.", fix="Such as ws://127.0.0.1:18789.")
    if parts.scheme == "ws" and not is_loopback(host):
        raise OpenClawRefusedError(
            f"{url} is on another machine: your answers would be sent unencrypted.", fix="Use wss://."
        )


class _connect(connect):  # noqa: N801  it is called as the one that it is
    """Opens a websocket at the address that was given, and at no other that a redirect names."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Take a redirect for the failure that it is."""
        return exc


@contextlib.asynccontextmanager
async def open_gateway(device: OpenClawDevice, shared_token: str = "") -> "AsyncIterator[GatewayConnection]":
    """Connect and sign in.

    Raises:
        OpenClawAwayError: nobody answers there, or it is just starting.
        OpenClawRefusedError: it does not let this device in.
    """
    require_private(device.url)
    try:
        async with _connect(
            device.url, max_size=FRAME_BYTES_MAX, compression=None, proxy=None, open_timeout=HANDSHAKE_S_MAX
        ) as socket:
            async with asyncio.timeout(HANDSHAKE_S_MAX):
                hello = await _signed_in(socket, device, shared_token)
            line = GatewayConnection(socket, text_of(object_of(hello, "auth"), "deviceToken"))
            try:
                yield line
            finally:
                await line.close()
    except (OSError, websockets.WebSocketException, TimeoutError) as error:
        raise OpenClawAwayError(f"OpenClaw does not answer at {device.url}.") from error


async def _signed_in(socket: ClientConnection, device: OpenClawDevice, shared_token: str) -> LooseJson:
    first = _frame(await socket.recv())
    try:
        challenge = msgspec.json.decode(first.payload, type=GatewayChallenge)
    except msgspec.DecodeError as error:
        raise OpenClawRefusedError(f"What answers at {device.url} is not an OpenClaw gateway.") from error
    params = sign_in(device, challenge, shared_token)
    await socket.send(_call("connect", "connect", params), text=True)
    while (reply := _frame(await socket.recv())).type != "res":
        pass
    if reply.ok:
        return _object(reply.payload)
    raise _refusal(device, _object(reply.error))


def _refusal(device: OpenClawDevice, error: LooseJson) -> OpenClawAwayError | OpenClawRefusedError:
    said, code = text_of(error, "message"), text_of(error, "code")
    if code == "UNAVAILABLE":
        return OpenClawAwayError(f"OpenClaw is not ready yet at {device.url}: {said}.")
    reason = text_of(object_of(error, "details"), "code") or code
    if reason in PAIRING:
        asked = text_of(object_of(error, "details"), "requestId") or device_id(device.key)
        fix = f"Approve it there: openclaw devices approve {asked}; then run this again."
        return OpenClawRefusedError("OpenClaw needs you to approve this device first.", fix=fix)
    return OpenClawRefusedError(f"OpenClaw refuses Pulse: {said}.", fix="Connect again: pulse connect openclaw")


class GatewayConnection:
    """A connection that is signed in; `token` is what the gateway gave this device, empty if it gave none."""

    def __init__(self, socket: ClientConnection, token: str) -> None:
        self.token = token
        self._socket = socket
        self._number = 0
        self._open: dict[str, asyncio.Future[GatewayFrame]] = {}
        self._events: asyncio.Queue[GatewayEvent | None] = asyncio.Queue(EVENTS_MAX)
        self._reading = asyncio.create_task(self._read())

    async def call(self, method: str, params: dict[str, object]) -> LooseJson | list[object] | CallRefused:
        """Call a method; return what it replies.

        Raises:
            OpenClawAwayError: the connection has ended, or no reply came.
        """
        return await self.call_within(method, params, CALL_S_MAX)

    async def call_within(
        self, method: str, params: dict[str, object], within_s: float
    ) -> LooseJson | list[object] | CallRefused:
        """Call a method that may take its time; as `call`."""
        self._number += 1
        name = str(self._number)
        reply = self._open[name] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(_call(name, method, params), text=True)
            async with asyncio.timeout(within_s):
                frame = await reply
        except (websockets.WebSocketException, TimeoutError, OSError) as error:
            raise OpenClawAwayError(f"OpenClaw did not reply to {method}.") from error
        finally:
            self._open.pop(name, None)
        if not frame.ok:
            return CallRefused(why=text_of(_object(frame.error), "message"))
        found = msgspec.json.decode(frame.payload)
        return found if isinstance(found, dict | list) else {}

    async def events(self) -> AsyncIterator[GatewayEvent]:
        """Give what the gateway tells of, until the connection ends."""
        while (one := await self._events.get()) is not None:
            yield one

    async def close(self) -> None:
        """Let nobody wait any more; the socket is its opener's to close."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        try:
            async for raw in self._socket:
                await self._take(_frame(raw))
        except websockets.WebSocketException:
            pass  # it has ended, which is told below
        finally:
            for reply in self._open.values():
                if not reply.done():
                    reply.set_exception(OpenClawAwayError("The connection to OpenClaw has ended."))
            while self._events.full():
                self._events.get_nowait()  # nobody needs to hear more of it
            self._events.put_nowait(None)

    async def _take(self, frame: GatewayFrame) -> None:
        if frame.type == "res":
            reply = self._open.get(frame.id)
            if reply is not None and not reply.done():
                reply.set_result(frame)
        elif frame.type == "event" and frame.event.startswith(WANTED):
            await self._events.put(GatewayEvent(event=frame.event, payload=_object(frame.payload)))


def _call(name: str, method: str, params: dict[str, object]) -> bytes:
    return msgspec.json.encode({"type": "req", "id": name, "method": method, "params": params})


def _frame(raw: str | bytes) -> GatewayFrame:
    """Read one frame; what is none says nothing."""
    try:
        return msgspec.json.decode(raw, type=GatewayFrame)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return GatewayFrame()


def _object(raw: msgspec.Raw) -> LooseJson:
    found = msgspec.json.decode(raw)
    return found if isinstance(found, dict) else {}
