"""The services that set-ups are tried against, as small servers on loopback, each in a thread of its own."""

import asyncio
import contextlib
import itertools
import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

from aiohttp import WSMsgType, web

CODE = "A" * 10
"""The code that every pairing shows while the set-up's chance is taken from it."""
TELEGRAM_TOKEN = f"123456789:{'t' * 35}"
MATRIX_TOKEN = "syt_cHVsc2U_abcdefghijklmnop"
HOME_TOKEN = "eyJhbGciOi.eyJpc3MiOi.c2lnbmF0dXJl"
NTFY_TOKEN = f"tk_{'n' * 29}"
PERSON = "@ann:example.org"
T = TypeVar("T")


@contextlib.contextmanager
def in_thread(serving: contextlib.AbstractAsyncContextManager[T]) -> Iterator[T]:
    """Serve in a thread with a loop of its own, for as long as the block lasts."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def wait(work: Awaitable[Any]) -> Any:  # noqa: ANN401  whatever it returns
        return asyncio.run_coroutine_threadsafe(_awaited(work), loop).result()

    try:
        yield wait(serving.__aenter__())
    finally:
        wait(serving.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _awaited(work: Awaitable[T]) -> T:
    return await work


def refused_port() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.asynccontextmanager
async def serving(*routes: web.RouteDef) -> Any:  # noqa: ANN401  an iterator of its address
    """Serve these routes; yield the address."""
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def telegram() -> contextlib.AbstractAsyncContextManager[str]:
    """A Bot API with one bot, to which the person sends the code."""
    numbers = itertools.count(1)

    async def call(request: web.Request) -> web.Response:
        if request.match_info["token"] != TELEGRAM_TOKEN:
            return web.json_response({"ok": False, "error_code": 401, "description": "Unauthorized"}, status=401)
        chat = {"id": 4242, "type": "private"}
        message = {"message_id": 1, "date": time.time(), "chat": chat, "from": {"id": 4242}, "text": f"/start {CODE}"}
        results = {"getMe": {"username": "ann_bot"}, "getUpdates": [{"update_id": next(numbers), "message": message}]}
        return web.json_response({"ok": True, "result": results.get(request.match_info["method"], {"message_id": 2})})

    return serving(web.post("/bot{token}/{method}", call))


def matrix() -> contextlib.AbstractAsyncContextManager[str]:
    """A home server with one bot, which may make no room at first, and a person who joins at once."""
    refusals = [{"errcode": "M_FORBIDDEN"}]

    async def answer(request: web.Request) -> web.Response:
        if request.headers["Authorization"] != f"Bearer {MATRIX_TOKEN}":
            return web.json_response({"errcode": "M_UNKNOWN_TOKEN"}, status=401)
        if request.path.endswith("/whoami"):
            return web.json_response({"user_id": "@pulse:example.org"})
        if request.path.endswith("/createRoom"):
            return web.json_response(refusals.pop(), status=403) if refusals else web.json_response({"room_id": "!r:x"})
        return web.json_response({"joined": {PERSON: {}}})

    return serving(web.route("*", "/_matrix/client/v3/{rest:.*}", answer))


def home_assistant() -> contextlib.AbstractAsyncContextManager[str]:
    """A Home Assistant whose user is made an administrator after the first refusal."""
    refusals = [{"code": "unauthorized"}]
    results: dict[str, Any] = {
        "auth/current_user": {"id": "1"},
        "get_services": {"notify": {"mobile_app_ann": {}}},
        "get_states": [],
    }

    async def talk(request: web.Request) -> web.WebSocketResponse:
        talking = web.WebSocketResponse()
        await talking.prepare(request)
        await talking.send_json({"type": "auth_required"})
        is_known = (await talking.receive_json())["access_token"] == HOME_TOKEN
        await talking.send_json({"type": "auth_ok" if is_known else "auth_invalid"})
        async for message in talking:
            if message.type is WSMsgType.TEXT and is_known:
                asked = json.loads(message.data)
                error = refusals.pop() if refusals and asked["type"] == "subscribe_events" else None
                result = results.get(asked["type"])
                answer = {"id": asked["id"], "type": "result", "success": error is None, "result": result}
                await talking.send_json({**answer, **({"error": error} if error else {})})
        return talking

    return serving(web.get("/api/websocket", talk))


def ntfy() -> contextlib.AbstractAsyncContextManager[str]:
    """A server on which nobody reads without a token."""

    async def stream(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {NTFY_TOKEN}":
            return web.Response(status=401 if "Authorization" in request.headers else 403)
        return web.Response(text='{"event": "open"}\n')

    return serving(web.get("/{topic}/json", stream))


def hook(*statuses: int) -> Callable[[], contextlib.AbstractAsyncContextManager[str]]:
    """Return a service that Apprise posts to, with these answers one after the other, and then only good ones."""
    left = list(statuses)

    async def take(_request: web.Request) -> web.Response:
        return web.Response(status=left.pop(0) if left else 200)

    return lambda: serving(web.post("/{rest:.*}", take))
