"""A stand-in for an ntfy server, as far as it is documented: publish as JSON, delete, poll, and a stream of a topic.

The real one is a Go program that no package index has.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from aiohttp import ClientSession, web

MESSAGE_BYTES_MAX = 4_096
OPEN = {"id": "", "event": "open"}


class NtfyServer:
    """`is_open`: strangers may read. Messages by topic, in order; those of the phone's topic also in a queue."""

    def __init__(self) -> None:
        self.url = ""
        self.is_open = False
        self.refuses = self.refuses_readers = 0
        """The status with which it lets nobody write, and nobody read the reply topic."""
        self.published: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.deleted: asyncio.Queue[str] = asyncio.Queue()
        self.stop: Callable[[], Awaitable[None]]
        self._streams: list[tuple[str, asyncio.Queue[dict[str, Any]]]] = []
        self._count = 0

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/", self._publish)
        app.router.add_post("/{topic}", self._post)
        app.router.add_delete("/{topic}/{sequence}", self._delete)
        app.router.add_get("/{topic}/json", self._stream)
        return app

    async def say(self, topic: str, text: str) -> None:
        """Write to a topic, as a phone's button does, or anybody who knows its name."""
        async with ClientSession() as session, session.post(f"{self.url}/{topic}", data=text) as answer:
            assert answer.status == 200

    async def press(self, message: dict[str, Any], label: str) -> None:
        action = next(one for one in message["actions"] if one["label"] == label)
        assert (action["action"], action["method"]) == ("http", "POST")
        topic = action["url"].removeprefix(f"{self.url}/")
        await self.say(topic, action["body"])

    async def _publish(self, request: web.Request) -> web.Response:
        if self.refuses:
            return web.Response(status=self.refuses)
        body = await request.read()
        if len(body) > MESSAGE_BYTES_MAX:
            return web.Response(status=413)
        self.published.put_nowait(json.loads(body))
        return web.json_response({"id": "m"})

    async def _post(self, request: web.Request) -> web.Response:
        self._count += 1
        said = {"id": f"r{self._count}", "event": "message", "message": (await request.read()).decode()}
        for topic, stream in self._streams:
            if topic == request.match_info["topic"]:
                stream.put_nowait(said)
        return web.json_response(said)

    async def _delete(self, request: web.Request) -> web.Response:
        self.deleted.put_nowait(request.match_info["sequence"])
        return web.json_response({})

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        if request.query.get("poll"):
            return web.Response(status=200 if self.is_open else 403)
        if self.refuses_readers:
            return web.Response(status=self.refuses_readers)
        answer = web.StreamResponse()
        await answer.prepare(request)
        stream: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        stream.put_nowait(OPEN)
        self._streams.append((request.match_info["topic"], stream))
        with contextlib.suppress(ConnectionResetError):  # whoever listened has gone
            while True:
                await answer.write(json.dumps(await stream.get()).encode() + b"\n")
        return answer


@contextlib.asynccontextmanager
async def ntfy_server() -> AsyncIterator[NtfyServer]:
    server = NtfyServer()
    runner = web.AppRunner(server.app(), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.stop = runner.cleanup
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await runner.cleanup()
