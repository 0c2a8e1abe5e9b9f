"""What an attacker can put on this machine: a server on another port of loopback, with pages of its own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from aiohttp import web

PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>harmless</title>"""


class HostileSite:
    """Keeps every header that it is sent; `port` is its own, on all names of this machine."""

    def __init__(self) -> None:
        self.port = 0
        self.sent: list[dict[str, str]] = []
        self.arrived = asyncio.Event()

    async def answer(self, request: web.Request) -> web.Response:
        self.sent.append({name.lower(): value for name, value in request.headers.items()})
        self.arrived.set()
        headers = {"Set-Cookie": "pulse_session_8420=overwritten; Path=/", "Access-Control-Allow-Origin": "*"}
        return web.Response(text=PAGE, content_type="text/html", headers=headers)

    def said(self) -> str:
        """Return all that any request brought."""
        return "\n".join(f"{name}: {value}" for headers in self.sent for name, value in headers.items())


@contextlib.asynccontextmanager
async def running_hostile_site(port: int = 0) -> AsyncIterator[HostileSite]:
    """Run one for as long as the block lasts."""
    site = HostileSite()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", site.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        listening = web.TCPSite(runner, "127.0.0.1", port)
        await listening.start()
        site.port = runner.addresses[0][1]
        yield site
    finally:
        await runner.cleanup()
