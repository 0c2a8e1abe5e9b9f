"""The first pairing over a Wi-Fi: opening it on the page, and letting a phone in by what its browser shows."""

import contextlib
import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.web.views_pages import ViewsHub, opened

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
WIFI = "https://192.168.1.5:8443"
CERTIFICATES = [f"AB 12 {number}0 {number}1 {number}2 {number}3 CD 34" for number in range(1, 5)]
WAITS = {"id": "w1", "title": "Chrome (Android)", "number": "417", "host": "192.168.1.5:8443"}


@contextlib.asynccontextmanager
async def at_a_wifi(chromium: Browser, size: str = "phone") -> AsyncIterator[tuple[Page, ViewsHub, Locator]]:
    """Open the dialog where Pulse could be opened to a Wi-Fi, and a code over it lets nobody in by itself."""
    async with opened(chromium, "#/settings/devices", size=size) as (page, hub):
        hub.views.public_url, hub.views.wifi = "", WIFI
        hub.views.pairing = {"certificates": CERTIFICATES, "url": f"{WIFI}/#pair=KORB7342"}
        await page.get_by_role("button", name="Pair a device").click()
        yield page, hub, page.get_by_role("dialog", name="Pair a device")


async def test_one_press_opens_the_wifi_and_a_phone_is_let_in_by_what_it_shows(chromium: Browser) -> None:
    async with at_a_wifi(chromium) as (page, hub, dialog):
        await expect(dialog).to_contain_text("at 192.168.1.5:8443. Anyone on it can then see that Pulse is here")
        assert hub.views.asked == [], "nothing is opened before it was said what that means"
        await dialog.get_by_role("button", name="Open Pulse to this Wi-Fi").click()
        await expect(dialog.get_by_role("img")).to_be_visible()
        await expect(dialog).to_contain_text("192.168.1.5:8443 · KORB-7342")
        await expect(dialog.get_by_role("button", name="Let it in")).to_have_count(0)
        hub.views.waiting = [WAITS]
        await expect(dialog).to_contain_text("Chrome (Android) is waiting, opened at 192.168.1.5:8443.")
        await expect(dialog).to_contain_text("Its page shows 417.")
        await dialog.get_by_role("button", name="Let it in").click()
        await expect(dialog.get_by_role("alert")).to_have_text("First choose what the phone shows.")
        await dialog.get_by_role("radio", name=CERTIFICATES[2]).check()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await dialog.get_by_role("button", name="Let it in").click()
        await expect(dialog).to_contain_text("Letting it in…")
        said = [(method, body) for method, path, body in hub.views.asked if path.endswith("/w1")]
        assert said == [("POST", {"certificate": CERTIFICATES[2]})]


@pytest.mark.parametrize("how", ["None of these", "That is not my phone"])
async def test_a_phone_that_shows_another_certificate_or_is_not_mine_is_turned_away(
    chromium: Browser, how: str
) -> None:
    async with at_a_wifi(chromium, "desktop") as (_, hub, dialog):
        await dialog.get_by_role("button", name="Open Pulse to this Wi-Fi").click()
        hub.views.waiting = [WAITS]
        await expect(dialog).to_contain_text("Its page shows 417.")
        if how == "None of these":
            await dialog.get_by_role("radio", name=how).check()
            await dialog.get_by_role("button", name="Let it in").click()
        else:
            await dialog.get_by_role("button", name=how).click()
        await expect(dialog).to_contain_text("someone on this network may be interfering")
        await expect(dialog.get_by_role("button", name="New code")).to_be_visible()
        assert [method for method, path, _ in hub.views.asked if path.endswith("/w1")] == ["DELETE"]


async def test_what_is_open_to_the_wifi_is_said_and_closed(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/devices") as (page, hub):
        await expect(page.get_by_text("Phones on this Wi-Fi reach Pulse")).to_have_count(0)
        hub.views.public_url, hub.views.own_certificate = WIFI, True
        await page.reload()
        await expect(page.get_by_text("Phones on this Wi-Fi reach Pulse at 192.168.1.5:8443.")).to_be_visible()
        await page.get_by_role("button", name="Close it").click()
        await page.get_by_role("dialog").get_by_role("button", name="Close it").click()
        await expect(page.get_by_text("Phones on this Wi-Fi reach Pulse")).to_have_count(0)
        assert [(method, path) for method, path, _ in hub.views.asked] == [("DELETE", "/outside/wifi")]


NO_SOCKET = """
globalThis.WebSocket = class extends EventTarget {
  readyState = 0;
  constructor() {
    super();
    setTimeout(() => { this.readyState = 3; this.dispatchEvent(new CloseEvent("close", { code: 1006 })); }, 5);
  }
  close() {}
};
globalThis.WebSocket.OPEN = 1;
"""
"""A browser that takes no WebSocket where it warned, as Safari does."""


async def test_where_no_socket_opens_behind_a_warning_what_is_new_is_asked_for(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        await page.add_init_script(NO_SOCKET)
        await page.reload()
        await expect(page.locator("body")).not_to_have_class(re.compile("stale"), timeout=10_000)
        hub.add(title="Run the tests")
        await expect(page.locator(".card")).to_have_count(1, timeout=20_000)
        await expect(page.locator("body")).not_to_have_class(re.compile("stale"))
