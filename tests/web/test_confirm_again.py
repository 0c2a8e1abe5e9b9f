"""The page asks again who is there before Pulse may do more: a code from the terminal, or a passkey, in place."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Locator, Page, expect

from tests.web.live_hub import LiveHub
from tests.web.signing_in import READY, open_view, sign_in
from tests.web.test_journey_compass import settled, shown

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PASSKEYS = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def autonomy(page: Page) -> Locator:
    return page.get_by_role("switch", name="Autopilot")


def question(page: Page) -> Locator:
    return page.locator("dialog.again[open]")


async def started_anew(hub: LiveHub, page: Page) -> None:
    """Start the hub anew, which forgets who confirmed, and wait until the page is live again."""
    hub.stop()
    hub.start()
    await page.reload()
    await page.wait_for_selector(READY, state="attached")
    await open_view(page, "settings")


async def is_autonomous(hub: LiveHub) -> bool:
    return bool((await hub.call("GET", "/api/v1/crosspoll/config"))["autonomous"])


async def test_a_code_from_the_terminal_confirms_in_place(hub: LiveHub, desktop: Page) -> None:
    await sign_in(desktop, hub)
    await started_anew(hub, desktop)
    await autonomy(desktop).click()
    copied = question(desktop).locator(".command-line code")
    await expect(copied).to_have_text(re.compile(r" confirm$"))
    await expect(question(desktop).get_by_role("button", name="Copy")).to_be_visible()
    await expect(question(desktop)).to_contain_text("It shows a code.")
    await desktop.keyboard.press("Escape")
    await expect(autonomy(desktop)).to_have_attribute("aria-checked", "false")
    assert not await is_autonomous(hub)
    await autonomy(desktop).click()
    field = question(desktop).get_by_role("textbox")
    await field.fill("WRNG-CODE")
    await field.press("Enter")
    await expect(question(desktop).get_by_role("alert")).to_contain_text("invalid or has expired")
    said = hub.pulse("confirm").stdout
    await field.fill(said.splitlines()[0])  # a whole code is tried at once
    await expect(question(desktop)).to_have_count(0)
    await expect(autonomy(desktop)).to_have_attribute("aria-checked", "true")
    assert await is_autonomous(hub)


async def test_stopping_is_never_asked_again(hub: LiveHub, desktop: Page) -> None:
    await sign_in(desktop, hub)
    await started_anew(hub, desktop)
    await desktop.get_by_role("button", name="Stop or pause Pulse").first.click()
    await desktop.locator("dialog[open] .level.bad").click()
    await expect(desktop.locator("dialog[open]")).to_have_count(0)
    assert not (await hub.call("GET", "/api/v1/crosspoll/status"))["enabled"]


async def test_a_passkey_confirms_and_is_asked_for_high_risk(hub: LiveHub, desktop: Page) -> None:
    cdp = await desktop.context.new_cdp_session(desktop)
    await cdp.send("WebAuthn.enable")
    await cdp.send("WebAuthn.addVirtualAuthenticator", {"options": PASSKEYS})
    code = urlsplit(await hub.pairing_link()).fragment
    await desktop.goto(f"http://localhost:{hub.port}/#{code}")
    await desktop.wait_for_selector(READY, state="attached")
    await open_view(desktop, "devices")
    await desktop.get_by_role("button", name="Add a passkey").click()
    await expect(desktop.get_by_text("Passkey · localhost")).to_be_visible()
    await started_anew(hub, desktop)
    await autonomy(desktop).click()
    await question(desktop).get_by_role("button", name="Confirm with your passkey").click()
    await expect(question(desktop)).to_have_count(0)
    await expect(autonomy(desktop)).to_have_attribute("aria-checked", "true")

    await started_anew(hub, desktop)
    await open_view(desktop, "inbox")
    card = await hub.ask("Deploy to production?", risk="high")
    one = await shown(desktop, card)
    await one.get_by_role("button", name="Yes").click()
    await one.get_by_role("button", name="Yes, run it").click()
    await question(desktop).get_by_role("button", name="Confirm with your passkey").click()
    await expect(question(desktop)).to_have_count(0)
    await settled(hub, card, "confirmed", "executed")
