"""Home Assistant's WebSocket API: one connection that comes back, calls with their results, and events.

What comes is Home Assistant's; what cannot be read is let go, and a result that never comes is an answer, too.
"""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp

from hub.contract.base import Value
from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.http_session import http_session
from hub.kit.unreachable import why_unreachable
from surfaces.homeassistant.errors import HomeAssistantTokenError

PATH = "/api/websocket"
PRESSED = "mobile_app_notification_action"
"""The event of a notification's button; only administrators may subscribe to it."""
CALL_S_MAX = 15.0
ASK_S_MAX = 120.0
"""As long as a satellite may take to ask and to hear an answer."""
CONNECT_S_MAX = 10.0
HEARTBEAT_S = 30.0
MESSAGE_BYTES_MAX = 1_048_576
WAITING_MAX = 100
RETRY = RetryPolicy(base_s=0.5, cap_s=30.0)
Json = dict[str, Any]
log = logging.getLogger("pulse.homeassistant")


class Answered(Value):
    """What Home Assistant said to a call: `ok` with its result, else its code; without a connection `away`."""

    ok: bool
    result: object = None
    code: str = ""


AWAY = Answered(ok=False, code="away")


class HomeSocket:
    """`stay_connected` keeps it; `begin` is awaited after each connection, before anything is called away."""

    def __init__(self, url: str, token: str, draw: Callable[[], float], trouble: Callable[[str], object]) -> None:
        self._url = f"{url.rstrip('/')}{PATH}"
        self._token = token
        self._draw = draw
        self._trouble = trouble
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Answered]] = {}
        self._listeners: dict[int, Callable[[Json], object]] = {}

    @property
    def is_up(self) -> bool:
        """Whether calls get through."""
        return self._socket is not None

    async def stay_connected(self, begin: Callable[[], Awaitable[None]]) -> None:
        """Connect, and again whenever that ends, with growing pauses.

        Raises:
            HomeAssistantTokenError: there is no use in trying again.
        """
        tries = 0
        async with http_session() as session:
            while True:
                try:
                    tries = 0 if await self._live(session, begin) else tries + 1
                    why = "The connection to Home Assistant ended"
                except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
                    tries, why = tries + 1, f"Home Assistant does not answer ({why_unreachable(error)})"
                self._trouble(why)
                await asyncio.sleep(retry_delay_s(tries, RETRY, self._draw))

    async def call(self, kind: str, timeout_s: float = CALL_S_MAX, **fields: object) -> Answered:
        """Send one command and wait for its result."""
        return await self._call(next(self._ids), kind, timeout_s, fields)

    async def listen(self, kind: str, hear: Callable[[Json], object], **fields: object) -> Answered:
        """Subscribe, for as long as this connection lasts; `hear` is given each event."""
        number = next(self._ids)
        self._listeners[number] = hear
        return await self._call(number, kind, CALL_S_MAX, fields)

    async def _call(self, number: int, kind: str, timeout_s: float, fields: Json) -> Answered:
        socket = self._socket
        if socket is None or len(self._waiting) >= WAITING_MAX:
            return AWAY
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await socket.send_json({"id": number, "type": kind, **fields})
            async with asyncio.timeout(timeout_s):
                return await answer
        except (TimeoutError, ConnectionError, aiohttp.ClientError):
            return AWAY
        finally:
            self._waiting.pop(number, None)

    async def _live(self, session: aiohttp.ClientSession, begin: Callable[[], Awaitable[None]]) -> bool:
        """Serve one connection until it ends; say whether it ever stood."""
        timeout = aiohttp.ClientWSTimeout(ws_close=CONNECT_S_MAX)
        async with asyncio.timeout(CONNECT_S_MAX):
            socket = await session.ws_connect(
                self._url, heartbeat=HEARTBEAT_S, max_msg_size=MESSAGE_BYTES_MAX, timeout=timeout
            )
        async with socket:
            async with asyncio.timeout(CONNECT_S_MAX):
                await self._sign_in(socket)
            self._listeners.clear()
            self._socket = socket
            beginning = asyncio.ensure_future(begin())
            try:
                self._trouble("")
                async for message in socket:
                    if message.type is aiohttp.WSMsgType.TEXT:
                        self._heard(message)
            finally:
                self._socket = None
                beginning.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await beginning
                for waiting in self._waiting.values():
                    if not waiting.done():
                        waiting.set_result(AWAY)
        return True

    async def _sign_in(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        await socket.receive_json()
        await socket.send_json({"type": "auth", "access_token": self._token})
        said = await socket.receive_json()
        if not isinstance(said, dict) or said.get("type") != "auth_ok":
            raise HomeAssistantTokenError

    def _heard(self, message: aiohttp.WSMessage) -> None:
        try:
            said = message.json()
        except ValueError:
            return
        match said:
            case {"type": "result", "id": int(number), "success": bool(ok)} if number in self._waiting:
                error = said.get("error")
                code = str(error.get("code", "")) if isinstance(error, dict) else ""
                waiting = self._waiting[number]
                if not waiting.done():
                    waiting.set_result(Answered(ok=ok, result=said.get("result"), code=code))
            case {"type": "event", "id": int(number), "event": dict(event)} if number in self._listeners:
                self._listeners[number](event)
            case _:
                return
