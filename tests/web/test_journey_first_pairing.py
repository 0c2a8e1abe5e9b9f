"""A phone is let in from nothing, past the real warning of a real browser that does not know the certificate."""

import asyncio
import contextlib
import hashlib
import os
import re
import shutil
import socket
import ssl
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Error, Page, async_playwright, expect

from hub.cli.api import open_api
from hub.contract.access import OutsideRequest
from tests.web.chromium import SIZES, SWITCHES
from tests.web.live_hub import LiveHub, live_hub
from tests.web.signing_in import READY, open_view

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
HOST = "127.0.0.1"
WAITS_MS = 30_000
FINGERPRINT = re.compile(r"^(?:[0-9A-F]{2} ){7}[0-9A-F]{2}$")
PICTURES = os.environ.get("PULSE_PICTURES", "")
"""A folder for pictures of each step, for somebody who wants to look at them."""


@contextlib.asynccontextmanager
async def two_browsers(folder: Path) -> AsyncIterator[tuple[Page, Page]]:
    """Run the browser of the computer and that of the phone; neither is told to overlook any certificate."""
    async with async_playwright() as playwright, contextlib.AsyncExitStack() as stack:
        pages = []
        for size, locale in (("desktop", "en-GB"), ("phone", "de-DE")):
            context = await playwright.chromium.launch_persistent_context(
                folder / size,
                executable_path=shutil.which("chromium"),
                headless=True,
                args=list(SWITCHES),
                locale=locale,
                **SIZES[size],
            )
            context.set_default_timeout(WAITS_MS)
            stack.push_async_callback(context.close)
            pages.append(context.pages[0])
        yield pages[0], pages[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def opened_to_phones(hub: LiveHub) -> str:
    """Listen on loopback with Pulse's own certificate, as on a Wi-Fi: the test's machine may be in none."""
    url = f"https://{HOST}:{free_port()}"
    open_api(hub.home).call("POST", "/outside", OutsideRequest(public_url=url, own_certificate=True))
    return url


async def go_on(phone: Page, url: str) -> None:
    """Open the link, meet the warning, and go on: two taps."""
    with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        await phone.goto(url)
    await phone.tap("#details-button")
    await phone.tap("#proceed-link")


async def shown_by_the_browser(phone: Page) -> str:
    """Return what stands in the browser's window about the certificate of the address that it is at."""
    _, _, port = str(await phone.evaluate("location.host")).rpartition(":")
    pem = await asyncio.to_thread(ssl.get_server_certificate, (HOST, int(port)), timeout=10)
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest().upper()
    return " ".join(re.findall("..", digest)[:8])


async def picture(page: Page, name: str) -> None:
    if PICTURES:
        await page.screenshot(path=f"{PICTURES}/{name}.png")


async def test_from_nothing_past_the_warning_to_a_phone_that_answers() -> None:
    with tempfile.TemporaryDirectory(prefix="pulse-") as name, live_hub(Path(name) / "hub") as hub:
        url = opened_to_phones(hub)
        async with two_browsers(Path(name)) as (page, phone):
            await page.goto(await hub.pairing_link(here=True))
            await page.wait_for_selector(READY, state="attached")
            await open_view(page, "devices")
            await page.get_by_role("button", name="Pair a device").click()
            dialog = page.get_by_role("dialog", name="Pair a device")
            await expect(dialog.get_by_role("radio", name=FINGERPRINT)).to_have_count(4)
            shown = await dialog.locator(".pair-steps .mono").first.text_content() or ""
            await picture(page, "computer-waits")
            await go_on(phone, f"{url}/#pair={shown.rpartition(' ')[2].replace('-', '')}")
            number = await phone.locator(".pair-number").text_content()
            await picture(phone, "phone-waits")
            await expect(dialog.locator(".check-who")).to_contain_text(f"Its page shows {number}")
            await dialog.get_by_role("radio", name=await shown_by_the_browser(phone)).check()
            await picture(page, "computer-chosen")
            await dialog.get_by_role("button", name="Let it in").click()
            await phone.wait_for_selector(READY, state="attached")
            await expect(dialog).to_have_count(0)
            await expect(page.locator(".toast")).to_contain_text("is paired")
            await picture(phone, "phone-in")
            await hub.ask("May the tests run?")
            card = phone.locator(".card").filter(has_text="May the tests run?")
            await phone.locator(".card").get_by_role("button", name="Ablehnen").first.tap()
            await expect(card).to_be_visible()  # over the live feed, which needs the certificate as well
            await open_view(phone, "devices")
            await expect(phone.get_by_text("vertraut dem Zertifikat von Pulse noch nicht")).to_be_visible()
            link = phone.get_by_role("link", name="Zertifikat laden")
            await link.scroll_into_view_if_needed()
            await picture(phone, "phone-certificate")
            async with phone.expect_download() as download:
                await link.tap()
            assert (await (await download.value).path()).read_bytes()[:1] == b"\x30", "DER"
            await expect(page.get_by_text("Phones on this Wi-Fi reach Pulse at")).to_be_visible()
