"""What is measured inside and around a page: bytes over the wire, when it is ready, when a card is painted, frames."""

import asyncio
from typing import Any

from playwright.async_api import CDPSession, Page

READY_PROBE = """
new MutationObserver((_, watch) => {
  if (document.documentElement.dataset.ready !== "yes") return;
  watch.disconnect();
  globalThis.readyMs = performance.now();
  globalThis.readyAt = (performance.timeOrigin + readyMs) / 1000;
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
"""
PAINT_PROBE = """
globalThis.paintedAt = {};
const afterPaint = (then) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = then;
  port2.postMessage(null);
});
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) {
    const card = node instanceof Element && (node.matches("[data-id]") ? node : node.querySelector("[data-id]"));
    const id = card && card.dataset.id;
    if (id) afterPaint(() => { paintedAt[id] ??= performance.timeOrigin + performance.now(); });
  }
}).observe(document, { childList: true, subtree: true });
"""
"""The moment after the frame in which a card first stood in the page, in ms since 1970."""
PAINTED = """(id) => new Promise((done) => {
  const look = () => paintedAt[id] ? done(paintedAt[id]) : setTimeout(look, 2);
  look();
})"""
SCROLL = """(seconds) => new Promise((done) => {
  const deltas = [];
  const room = document.scrollingElement;
  let last = performance.now(), way = 40;
  const end = last + seconds * 1000;
  const step = (now) => {
    deltas.push(now - last);
    last = now;
    if (room.scrollTop + innerHeight >= room.scrollHeight - 2) way = -40;
    if (room.scrollTop <= 0) way = 40;
    room.scrollBy(0, way);
    if (now < end) requestAnimationFrame(step); else done(deltas.slice(2));
  };
  requestAnimationFrame(step);
})"""
QUIET_S = 1.0


class Wire:
    """What went over the wire, as the browser's own tools count it; moments are seconds since 1970."""

    def __init__(self) -> None:
        self._sent: list[float] = []
        self._came: list[tuple[float, int]] = []
        self._to_wall_s = 0.0
        self._more = asyncio.Event()

    def watch(self, devtools: CDPSession) -> None:
        """Begin to listen."""
        devtools.on("Network.requestWillBeSent", self._on_sent)
        devtools.on("Network.loadingFinished", self._on_finished)

    def until(self, moment_s: float) -> tuple[int, int]:
        """Return how many requests were sent, and how many bytes had come, until then."""
        requests = sum(sent <= moment_s for sent in self._sent)
        return requests, sum(size for came, size in self._came if came <= moment_s)

    async def until_quiet(self) -> None:
        """Wait until nothing has come for a while."""
        while True:
            self._more.clear()
            try:
                async with asyncio.timeout(QUIET_S):
                    await self._more.wait()
            except TimeoutError:
                return

    def _on_sent(self, event: dict[str, Any]) -> None:
        self._to_wall_s = event["wallTime"] - event["timestamp"]
        if not event["request"]["url"].startswith(("data:", "blob:")):
            self._sent.append(event["wallTime"])

    def _on_finished(self, event: dict[str, Any]) -> None:
        self._came.append((event["timestamp"] + self._to_wall_s, int(event["encodedDataLength"])))
        self._more.set()


async def watched(page: Page) -> Wire:
    """Begin to count; the cache is off, so that the load is a cold one."""
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Network.enable")
    await devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    wire = Wire()
    wire.watch(devtools)
    return wire
