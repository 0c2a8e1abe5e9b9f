"""What the other tests stand on: each browser shows a page, and a bare push reaches the desktop and comes back."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page
from playwright.async_api import Error as PlaywrightError
from pywebpush import WebPushException  # type: ignore[import-untyped]  # comes without types

from tests.web.bare_site import ACCEPTED, BareSite, Sender, running_bare_site
from tests.web.chromium import CLOSE_S_MAX, SHELL, SharedChromium, new_page
from tests.web.conftest import assert_quiet
from tests.web.firefox import running_firefox
from tests.web.notification_daemon import NotificationDaemon
from tests.web.push_service import PushService

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]


@pytest_asyncio.fixture(loop_scope="session")
async def site() -> AsyncIterator[BareSite]:
    async with running_bare_site() as made:
        yield made


@pytest.mark.needs_chromium
async def test_chromium_shows_a_page(page: Page, site: BareSite) -> None:
    await page.goto(site.address)
    assert await page.title() == "bare"


@pytest.mark.needs_chromium
async def test_the_whole_chromium_shows_a_page(whole_chromium: Browser, site: BareSite) -> None:
    async with new_page(whole_chromium) as (page, complaints):
        await page.goto(site.address)
        assert await page.title() == "bare"
        assert_quiet(complaints)


@pytest.mark.needs_chromium
async def test_a_test_that_crashes_the_browser_leaves_another_to_the_next() -> None:
    async with contextlib.AsyncExitStack() as running:
        shared = SharedChromium(SHELL, running)
        first = await shared.connected()
        assert await shared.connected() is first
        gone = asyncio.Event()
        first.on("disconnected", lambda _: gone.set())
        session = await first.new_browser_cdp_session()
        with pytest.raises(PlaywrightError):
            await session.send("Browser.crash")
        await asyncio.wait_for(gone.wait(), CLOSE_S_MAX)
        async with new_page(await shared.connected()) as (page, _complaints):
            assert await page.title() == ""


@pytest.mark.needs_dbus
@pytest.mark.needs_firefox
async def test_a_bare_push_is_shown_and_clicked_in_firefox(
    tmp_path: Path, push_service: PushService, notifications: NotificationDaemon, site: BareSite
) -> None:
    sender, bus = Sender(), notifications.address
    async with running_firefox(tmp_path / "profile", push_service=push_service.origin, bus=bus) as firefox:
        await firefox.open(site.address)
        subscription = await firefox.script(f"subscribe({json.dumps(sender.key)})")
        assert await sender.send(subscription, "Deploy?") == ACCEPTED
        shown = await notifications.shown.next(after=0)
        assert (shown.title, "Yes" in shown.actions) == ("Deploy?", True)
        notifications.click(shown, "Yes")
        assert await asyncio.wait_for(site.clicked.get(), 10) == "yes"
        with pytest.raises(WebPushException, match="403"):
            await Sender().send(subscription, "From somebody else")
