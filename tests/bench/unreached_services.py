"""The services behind the surfaces, each with a switch: it takes what comes, refuses it, or is away."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal

from aiohttp import WSMsgType, web

from tests.surfaces.ntfy.ntfy_server import NtfyServer
from tests.surfaces.slack.slack_server import SlackServer

Mode = Literal["ok", "refused", "away"]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
POLL_S = 5.0
PHONE = "mobile_app_phone"


class Service:
    """One HTTP service; `refusal` is how it refuses a message, whose requests `is_message` knows."""

    def __init__(self, refusal: Callable[[], web.Response], is_message: Callable[[web.Request], bool]) -> None:
        self.went_away = asyncio.Event()
        self.url = ""
        self._mode: Mode = "ok"
        self._refusal = refusal
        self._is_message = is_message

    @property
    def mode(self) -> Mode:
        """What it does with what comes; `went_away` is set when it goes away."""
        return self._mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        self._mode = mode
        if mode == "away":
            self.went_away.set()

    @contextlib.asynccontextmanager
    async def serving(self, app: web.Application) -> AsyncIterator[None]:
        """Serve this application behind the switch until the block ends."""

        @web.middleware
        async def switch(request: web.Request, handler: Handler) -> web.StreamResponse:
            if self.mode == "away":
                return web.Response(status=503)
            if self.mode == "refused" and self._is_message(request):
                return self._refusal()
            return await handler(request)

        app.middlewares.append(switch)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield
        finally:
            await runner.cleanup()


@contextlib.asynccontextmanager
async def telegram() -> AsyncIterator[Service]:
    """Serve as much of the Bot API as a chat with one person needs."""
    numbers = itertools.count(1)

    async def method(request: web.Request) -> web.Response:
        match request.match_info["method"]:
            case "getUpdates":
                await asyncio.sleep(POLL_S)
                return web.json_response({"ok": True, "result": []})
            case "sendMessage":
                return web.json_response({"ok": True, "result": {"message_id": next(numbers)}})
            case _:
                return web.json_response({"ok": True, "result": {"username": "pulse_bot"}})

    blocked = {"ok": False, "error_code": 403, "description": "Forbidden: bot was blocked by the user"}
    service = Service(lambda: web.json_response(blocked, status=403), lambda one: one.path.endswith("sendMessage"))
    app = web.Application()
    app.router.add_post("/bot{token}/{method}", method)
    async with service.serving(app):
        yield service


@contextlib.asynccontextmanager
async def matrix() -> AsyncIterator[Service]:
    """Serve as much of the client-server API as a bot in one room needs."""
    numbers = itertools.count(1)

    async def call(request: web.Request) -> web.Response:
        if request.path.endswith("/sync"):
            await asyncio.sleep(POLL_S if "since" in request.query else 0)
            return web.json_response({"next_batch": f"s{next(numbers)}"})
        return web.json_response({"user_id": "@bot:x", "event_id": f"$e{next(numbers)}"})

    barred = {"errcode": "M_FORBIDDEN", "error": "You don't have permission to post that."}
    service = Service(lambda: web.json_response(barred, status=403), lambda one: "/send/" in one.path)
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", call)
    async with service.serving(app):
        yield service


@contextlib.asynccontextmanager
async def ntfy() -> AsyncIterator[Service]:
    """Serve an ntfy server whose topics are closed to strangers."""
    service = Service(lambda: web.Response(status=403), lambda one: one.method == "POST" and one.path == "/")
    async with service.serving(NtfyServer().app()):
        yield service


@contextlib.asynccontextmanager
async def slack() -> AsyncIterator[Service]:
    """Serve Slack's web methods and Socket Mode."""
    server = SlackServer()
    refusal = {"ok": False, "error": "not_in_channel"}
    service = Service(lambda: web.json_response(refusal), lambda one: one.path.endswith("chat.postMessage"))
    app = web.Application()
    app.add_routes(server.routes())
    async with service.serving(app):
        server.url = service.url
        yield service


@contextlib.asynccontextmanager
async def home_assistant() -> AsyncIterator[Service]:
    """Serve Home Assistant's WebSocket with one phone; where it refuses, it knows no such phone."""
    sockets: list[web.WebSocketResponse] = []

    async def live(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        sockets.append(socket)
        await socket.send_json({"type": "auth_required"})
        await socket.receive_json()
        await socket.send_json({"type": "auth_ok"})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            asked: dict[str, Any] = json.loads(message.data)
            done: dict[str, Any] = {"id": asked["id"], "type": "result", "success": True, "result": {"id": "a1"}}
            if service.mode == "refused" and asked["type"] == "call_service":
                done |= {"success": False, "error": {"code": "not_found"}}
            await socket.send_json(done)
        return socket

    async def drop_when_away() -> None:
        while True:
            await service.went_away.wait()
            service.went_away.clear()
            for one in tuple(sockets):
                await one.close()
            sockets.clear()

    service = Service(lambda: web.Response(status=503), lambda _request: False)
    app = web.Application()
    app.router.add_get("/api/websocket", live)
    async with service.serving(app):
        dropping = asyncio.create_task(drop_when_away())
        try:
            yield service
        finally:
            dropping.cancel()
