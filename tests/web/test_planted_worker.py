"""A service worker that another program left at the hub's address does not outlast a visit to the hub."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from playwright.async_api import Browser

from tests.web.chromium import new_page
from tests.web.live_hub import LiveHub
from tests.web.pages import until_so

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

OUR_OWN = "/sw.js"
PLANTED = "what was here before"
OURS = "meta[name=pulse-files]"
DOCUMENT = f"""<!doctype html><link rel="icon" href="data:,"><title>{PLANTED}</title>
<script>navigator.serviceWorker.register("WORKER", {{ scope: "/" }});</script>"""
WORKER = """
const page = PAGE;
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { mode, url } = event.request;
  if (mode === "navigate") event.respondWith(new Response(page, { headers: { "content-type": "text/html" } }));
});
"""
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
REPLACED = """async () => {
  const kept = (await caches.keys()).some((name) => name.startsWith("pulse-page-"));
  const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
  return kept && !installing && !waiting && active.state === "activated";
}"""
LEFT = """async () => (await navigator.serviceWorker.getRegistrations()).map(({ active, waiting, installing }) =>
  new URL((active ?? waiting ?? installing).scriptURL).pathname)"""


def planting(path: str) -> web.Application:
    """Return a server whose page leaves a worker in the browser that answers for it from then on."""
    document = DOCUMENT.replace("WORKER", path)

    async def answer(request: web.Request) -> web.Response:
        if request.path == path:
            script = WORKER.replace("PAGE", repr(document))
            headers = {"Service-Worker-Allowed": "/"}
            return web.Response(text=script, content_type="text/javascript", headers=headers)
        return web.Response(text=document, content_type="text/html")

    made = web.Application()
    made.router.add_get("/{path:.*}", answer)
    return made


@contextlib.asynccontextmanager
async def serving(application: web.Application, port: int) -> AsyncIterator[None]:
    """Be what the browser finds at that port."""
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("path", ["/evil.js", "/app/js/evil.js", "/api/v1/health", OUR_OWN])
async def test_a_planted_worker_does_not_outlast_a_visit(hub: LiveHub, whole_chromium: Browser, path: str) -> None:
    hub.stop()
    async with new_page(whole_chromium, worker=True) as (page, _complaints):
        async with serving(planting(path), hub.port):
            await page.goto(f"{hub.api}/")
            await page.wait_for_function(CONTROLLED)
        await asyncio.to_thread(hub.start)
        await page.goto(f"{hub.api}/")
        assert await page.title() == PLANTED  # the first answer is still its own
        if path == OUR_OWN:
            await until_so(page, REPLACED)  # ours is in its place, and leaves open pages alone
            await page.goto(f"{hub.api}/")
        await page.wait_for_selector(OURS, state="attached")
        assert await page.title() == "Pulse"
        if path != OUR_OWN:
            assert path not in await page.evaluate(LEFT)
