"""The page on a fake hub: opened, signed in and ready."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from playwright.async_api import Browser, Locator, Page

from tests.web.chromium import new_page, until_steady
from tests.web.fake_hub import FakeHub

READY = "html[data-ready]"
CONNECTION_LOST = "WebSocket connection to"
EACH_S, LOOKS_MAX = 0.1, 300


@contextlib.asynccontextmanager
async def open_page(
    browser: Browser,
    hub: FakeHub,
    size: str = "desktop",
    *,
    path: str = "/",
    ready: str = READY,
    may_lose: bool = False,
    worker: bool = False,
    **options: object,
) -> AsyncIterator[Page]:
    """Open the page and wait until it is ready; whatever it complains about fails the test.

    With `may_lose` the hub may go away meanwhile: Chromium then logs each connection that fails.
    """
    async with new_page(browser, size, worker=worker, **options) as (page, complaints):
        await page.goto(hub.origin + path)
        await page.wait_for_selector(ready, state="attached")
        await until_steady(page)
        yield page
        wanted = [text for text in complaints.texts if may_lose and CONNECTION_LOST in text]
        assert complaints.texts == wanted, complaints.texts
        assert complaints.elsewhere == []


async def until(hub: FakeHub, holds: Callable[[], bool]) -> None:
    """Wait until something that the page sends to the hub makes it so."""
    await asyncio.to_thread(hub.wait_for, holds)


def front(page: Page) -> Locator:
    """Return the card in front."""
    return page.locator('.card[data-depth="0"]:not(.ghost)')


def prompt_in_front(page: Page) -> Locator:
    """Return the text of the card in front."""
    return front(page).locator(".prompt")


async def until_so(page: Page, function: str) -> None:
    """Ask the page until its function says yes; Playwright's own way evaluates text there, which the page forbids."""
    for _ in range(LOOKS_MAX):
        if await page.evaluate(function):
            return
        await asyncio.sleep(EACH_S)
    raise AssertionError(f"never so: {function}")
