"""The page in Debian's Chromium on a real hub: cold load, event to paint, scrolling a long history, a killed hub.

Run with `python -m tests.bench.bench_page`; about a minute.
"""

import asyncio
import math
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import httpx
from playwright.async_api import Browser, Page

from tests.bench.figures import Figure, median, percentile
from tests.bench.page_probe import PAINT_PROBE, PAINTED, READY_PROBE, SCROLL, watched
from tests.web.chromium import new_page, running_chromium
from tests.web.live_hub import LiveHub, live_hub
from tests.web.signing_in import READY, open_view, sign_in

BENCH: Final = "page"
LOADS: Final = 9
EVENTS: Final = 200
HISTORY: Final = 1_000
SCROLL_S: Final = 4.0
CRASHES: Final = 3
LOAD_BYTES_MAX: Final = 120_000
LOAD_REQUESTS_MAX: Final = 25
READY_MS_MAX: Final = 300.0
PAINT_MS_MAX: Final = 50.0
FRAME_MS_MAX: Final = 1000 / 60 + 0.5
"""A frame at 60 a second, and half a millisecond of a clock that browsers keep vague on purpose."""
CRASH_MS_MAX: Final = 3_000.0
SETTINGS: Final = "[crosspoll]\npending_max = 2000\n"
COMPLETE: Final = "html[data-complete=yes]"
FORGET_FILES: Final = """async () => {
  await (await navigator.serviceWorker.ready).unregister();
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}"""
PLAIN: Final = """(count) => document.body.replaceChildren(...Array.from({ length: count }, (_, i) => {
  const line = document.createElement("p");
  line.textContent = `Question ${i} of a history that is long enough to be scrolled?`;
  return line;
}))"""


def figure(what: str, value: float, unit: str, goal: float | None = None) -> Figure:
    return Figure(bench=BENCH, what=what, value=value, unit=unit, goal=goal)


async def load(browser: Browser, hub: LiveHub) -> list[Figure]:
    """Load the page of a browser that is signed in and has kept no file of it."""
    samples = [await one_load(browser, hub) for _ in range(LOADS)]
    ready_ms, requests, size, all_requests, all_size = zip(*samples, strict=True)
    return [
        figure("first load, cold: bytes over the wire until it can be used", max(size), "bytes", LOAD_BYTES_MAX),
        figure("first load, cold: requests until it can be used", max(requests), "requests", LOAD_REQUESTS_MAX),
        figure("first load, cold: until it can be used, median", median(ready_ms), "ms", READY_MS_MAX),
        figure("first load, cold: until it can be used, worst", max(ready_ms), "ms"),
        figure("the same with all that is loaded afterwards: bytes", max(all_size), "bytes"),
        figure("the same with all that is loaded afterwards: requests", max(all_requests), "requests"),
    ]


async def one_load(browser: Browser, hub: LiveHub) -> tuple[float, int, int, int, int]:
    async with new_page(browser, worker=True, reduced_motion="no-preference") as (page, _):
        await sign_in(page, hub)
        await page.wait_for_selector(COMPLETE, state="attached")
        await page.evaluate(FORGET_FILES)  # the key of the session is the browser's alone, so it cannot be another one
        await page.goto("about:blank")
        await page.add_init_script(READY_PROBE)
        wire = await watched(page)
        await page.goto(hub.api, wait_until="commit")
        await page.wait_for_selector(READY, state="attached")
        ready_ms, ready_at_s = await page.evaluate("[readyMs, readyAt]")
        await wire.until_quiet()
        return ready_ms, *wire.until(ready_at_s), *wire.until(math.inf)


async def fill(hub: LiveHub) -> None:
    """Make a long history of answered questions."""
    async with hub.client() as client:
        for number in range(HISTORY):
            asked = await client.post("/api/v1/ask", json={"question": f"Question {number} of a long history?"})
            await client.post(f"/api/v1/predictions/{asked.json()['prediction']['id']}/reject", json={})


async def paint(page: Page, client: httpx.AsyncClient) -> list[float]:
    """Return how long each question took from the agent's call until it was painted, ms."""
    samples = []
    for number in range(EVENTS):
        began_ms = time.time() * 1e3
        asked = await client.post("/api/v1/ask", json={"question": f"Visible {number}?"})
        card = asked.json()["prediction"]["id"]
        samples.append(await page.evaluate(PAINTED, card) - began_ms)
        await client.post(f"/api/v1/predictions/{card}/reject", json={})
    return samples


async def events(browser: Browser, hub: LiveHub) -> list[Figure]:
    async with new_page(browser, worker=True, reduced_motion="no-preference") as (page, _), hub.client() as client:
        await page.add_init_script(PAINT_PROBE)
        await sign_in(page, hub)
        await paint(page, client)  # once to warm up
        samples = await paint(page, client)
    what = f"an agent asks → the card is painted, {HISTORY:,} cards in history"
    return [
        figure(f"{what}, p50", percentile(samples, 0.5), "ms"),
        figure(f"{what}, p99", percentile(samples, 0.99), "ms", PAINT_MS_MAX),
    ]


async def scrolling(browser: Browser, hub: LiveHub) -> list[Figure]:
    async with new_page(browser, worker=True, reduced_motion="no-preference") as (page, _):
        await sign_in(page, hub)
        await page.evaluate(PLAIN, HISTORY)
        plain = await page.evaluate(SCROLL, SCROLL_S)
    async with new_page(browser, worker=True, reduced_motion="no-preference") as (page, _):
        await sign_in(page, hub)
        await open_view(page, "history")
        await whole_history(page)
        frames = await page.evaluate(SCROLL, SCROLL_S)
    return frame_figures(frames, plain)


async def whole_history(page: Page) -> None:
    """Scroll down until nothing more is loaded."""
    height, same = 0, 0
    while same < 10:
        now = await page.evaluate("scrollTo(0, 1e9), document.scrollingElement.scrollHeight")
        height, same = (now, 0) if now != height else (height, same + 1)
        await page.wait_for_timeout(100)


def frame_figures(frames: Sequence[float], plain: Sequence[float]) -> list[Figure]:
    reference = f"{HISTORY:,} plain paragraphs"
    return [
        Figure(
            bench=BENCH,
            what=f"scrolling {HISTORY:,} cards of history, time of a frame, {name}",
            value=percentile(frames, share),
            unit="ms",
            goal=FRAME_MS_MAX if name == "p50" else None,
            reference=reference,
            reference_value=percentile(plain, share),
        )
        for name, share in (("p50", 0.5), ("p99", 0.99))
    ]


async def crashes(browser: Browser, hub: LiveHub) -> list[Figure]:
    samples = []
    async with new_page(browser, worker=True, reduced_motion="no-preference") as (page, _):
        await page.add_init_script(PAINT_PROBE)
        await sign_in(page, hub)
        for number in range(CRASHES):
            hub.kill()
            await page.locator(".banner.lost").wait_for()
            await asyncio.to_thread(hub.start)
            began_ms = time.time() * 1e3
            card = await hub.ask(f"After crash {number}?")
            samples.append(await page.evaluate(PAINTED, card["id"]) - began_ms)
    what = "the hub is killed and up again → the page shows what is new, worst"
    return [figure(what, max(samples), "ms", CRASH_MS_MAX)]


async def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="pulse-") as folder, live_hub(Path(folder) / "hub", SETTINGS) as hub:
        async with running_chromium() as browser:
            figures = await load(browser, hub)
            await fill(hub)
            figures += await events(browser, hub)
            figures += await scrolling(browser, hub)
            return figures + await crashes(browser, hub)


def run() -> list[Figure]:
    """Measure."""
    return asyncio.run(measure())


if __name__ == "__main__":
    for one in run():
        sys.stdout.write(f"{one.what}: {one.value:.3f} {one.unit} (reference {one.reference_value})\n")
