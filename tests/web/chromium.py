"""Debian's Chromium through Playwright: one browser for all tests of a run, a fresh context for each page.

Most tests take its headless shell: the same engine, from the same source, without a browser around it, for a third of
the processor time (docs/adr/0092). What a browser does around a page is tested in the whole one.
"""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, ConsoleMessage, Page, Request, async_playwright, expect

WHOLE = "chromium"
SHELL = "chromium-headless-shell"
"""It has no push, refuses notifications and asks nothing of a person."""
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
MOVING = '[data-stands="no"]:not(.ghost)'
"""What can be answered, and takes no answer yet."""
PAGE_S_MAX = 300.0
"""No test of one page takes so long, however busy the machine is: a browser that hangs fails it."""
CLOSE_S_MAX = 60.0
"""A browser that hangs does not close a page either; it is left, and ends with the run."""
WAIT_MS_MAX = 30_000
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "narrow": {"viewport": {"width": 320, "height": 640}, "is_mobile": True, "has_touch": True},
    "wide": {"viewport": {"width": 3840, "height": 2160}},
}
TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", (e) => console.error(
  `CSP ${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber} ${e.sample}`));
"""
HARMLESS = (
    "Failed to load resource",
    "WebSocket connection to",
    "An unknown error occurred when fetching the script",  # of a service worker, while the hub goes away
    "Service Worker registration blocked by Playwright",  # where a test wants none
)
"""Chromium logs every refused or lost connection as an error; whether one was wanted is the test's business."""


@dataclass
class Complaints:
    """What a page complained about: errors on its console, uncaught errors, violations of its security policy."""

    texts: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    """Addresses outside the machine that were asked for."""

    def watch(self, page: Page) -> None:
        """Begin to listen."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.texts.append(f"uncaught: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(HARMLESS):
            self.texts.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _request(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "http://localhost:", "data:", "blob:")):
            self.elsewhere.append(request.url)


@contextlib.asynccontextmanager
async def running_chromium(*switches: str, program: str = WHOLE) -> AsyncIterator[Browser]:
    """Run Chromium, with a profile of its own, for as long as the block lasts."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which(program),
            headless=True,
            args=[*SWITCHES, *switches],
            timeout=PAGE_S_MAX * 1000,
        )
        try:
            yield browser
        finally:
            async with asyncio.timeout(CLOSE_S_MAX):
                await browser.close()


@dataclass
class SharedChromium:
    """One browser for many tests. A test that crashes it spoils its own file: the next one gets another."""

    program: str
    running: contextlib.AsyncExitStack
    browser: Browser | None = None

    async def connected(self) -> Browser:
        """Return the browser, started if there is none or it has crashed."""
        if self.browser is None or not self.browser.is_connected():
            self.browser = await self.running.enter_async_context(running_chromium(program=self.program))
        return self.browser


async def until_steady(page: Page) -> None:
    """Wait until what can be answered stands still: the page takes no answer before."""
    await expect(page.locator(MOVING)).to_have_count(0)


@contextlib.asynccontextmanager
async def new_page(
    browser: Browser,
    size: str = "desktop",
    *,
    worker: bool = False,
    **options: Any,  # noqa: ANN401  whatever Playwright takes
) -> AsyncIterator[tuple[Page, Complaints]]:
    """Open a page that shares nothing with others; `options` are those of Playwright's contexts.

    The service worker is there only with `worker`, for tests of what it does and of what is around a page: it fetches
    the whole page once more, for a fifth of the processor time of opening it.
    Like a person, it presses nothing that still moves; before a key, `until_steady` says the same.
    What moves for ever is still unless a test wants it (`reduced_motion="no-preference"`): drawn without a graphics
    card it takes ten times what the page itself does.
    """
    async with asyncio.timeout(PAGE_S_MAX):
        usual = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "allow" if worker else "block"}
        context = await browser.new_context(**{**usual, **SIZES[size], **options})
        context.set_default_timeout(WAIT_MS_MAX)
        await context.add_init_script(TELL_VIOLATIONS)
        complaints = Complaints()
        context.on("page", complaints.watch)
        try:
            page = await context.new_page()
            await page.add_locator_handler(page.locator(MOVING).first, lambda: until_steady(page))
            yield page, complaints
        finally:
            async with asyncio.timeout(CLOSE_S_MAX):  # the time above is over by now, if it is the browser that hangs
                await context.close()
