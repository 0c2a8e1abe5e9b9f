"""The least that Web Push needs, with nothing of Pulse in it: the reference that our own way is measured against."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import ClientTimeout, web
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02  # type: ignore[import-untyped]  # comes without types
from pywebpush import webpush_async  # type: ignore[import-untyped]  # comes without types

from tests.web.vapid_check import to_base64url

ACCEPTED = 201
TTL_S = 60
SEND_S_MAX = 5
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>bare</title><script>
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
async function subscribe(key) {
  const registration = await navigator.serviceWorker.register("/sw.js");
  await navigator.serviceWorker.ready;
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
}
</script>"""
WORKER = """
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => event.waitUntil(
  self.registration.showNotification(event.data.text(), { actions: [{ action: "yes", title: "Yes" }] })));
self.addEventListener("notificationclick", (event) => event.waitUntil(
  fetch("/clicked", { method: "POST", body: event.action })));
"""


class BareSite:
    """A page that can subscribe (`subscribe(key)`), and what its worker says was clicked."""

    def __init__(self) -> None:
        self.address = ""
        self.clicked: asyncio.Queue[str] = asyncio.Queue()

    def application(self) -> web.Application:
        made = web.Application()
        made.router.add_get("/", self._page)
        made.router.add_get("/sw.js", self._worker)
        made.router.add_post("/clicked", self._click)
        return made

    async def _page(self, _request: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    async def _worker(self, _request: web.Request) -> web.Response:
        return web.Response(text=WORKER, content_type="text/javascript")

    async def _click(self, request: web.Request) -> web.Response:
        self.clicked.put_nowait(await request.text())
        return web.Response()


class Sender:
    """One sender with a key of its own, using pywebpush as its documentation shows."""

    def __init__(self) -> None:
        self._vapid = Vapid02()
        self._vapid.generate_keys()
        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.key = to_base64url(point)

    async def send(self, subscription: dict[str, Any], text: str) -> int:
        """Send; return the push service's status."""
        claims = {"sub": "mailto:me@example.org"}
        limit = ClientTimeout(SEND_S_MAX)
        sent = await webpush_async(
            subscription, text, vapid_private_key=self._vapid, vapid_claims=claims, ttl=TTL_S, timeout=limit
        )
        return int(sent.status)


@contextlib.asynccontextmanager
async def running_bare_site() -> AsyncIterator[BareSite]:
    """Serve it on a free port for as long as the block lasts."""
    made = BareSite()
    runner = web.AppRunner(made.application(), shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        made.address = f"http://127.0.0.1:{runner.addresses[0][1]}/"
        yield made
    finally:
        await runner.cleanup()
