"""The page as an app: manifest, icons, service worker, start without a network; and the policy that guards it."""

import json
import struct
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Page

from tests.fakes.plain_http import plain_client
from tests.web.chromium import new_page
from tests.web.live_hub import LiveHub
from tests.web.signing_in import READY, sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
]
SIZES_WANTED = {"192x192", "512x512"}
"""What Chromium asks of an app that can be installed."""
PNG_SIZE = struct.Struct(">II")
PNG_SIZE_AT = 16

CONTROLLED = """new Promise((done) => {
  const look = () => navigator.serviceWorker.controller && done(true);
  navigator.serviceWorker.addEventListener("controllerchange", look);
  look();
})"""


@pytest.fixture
def chromium(whole_chromium: Browser) -> Browser:
    """Whether a page can be installed is for the browser to say, not for its engine."""
    return whole_chromium


@pytest.fixture
def worker() -> bool:
    """It is what shows the page without a network."""
    return True


@pytest.fixture(scope="module")
def hub(shared_hub: LiveHub) -> LiveHub:
    return shared_hub


async def fetched(hub: LiveHub, path: str) -> httpx.Response:
    async with plain_client(hub.api) as client:
        answer = await client.get(path)
    assert answer.status_code == 200, path
    return answer


async def test_the_manifest_says_what_an_app_needs(hub: LiveHub) -> None:
    answer = await fetched(hub, "/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest: dict[str, Any] = json.loads(answer.content)
    assert manifest["name"]
    assert len(manifest["short_name"]) <= 12
    assert manifest["display"] == "standalone"
    assert (await fetched(hub, manifest["start_url"])).headers["content-type"].startswith("text/html")
    assert manifest.get("scope", "/") == "/"
    assert {"theme_color", "background_color", "id"} <= manifest.keys()
    assert {icon["sizes"] for icon in manifest["icons"]} >= SIZES_WANTED
    assert any("maskable" in icon.get("purpose", "") for icon in manifest["icons"])


async def test_every_icon_is_there_in_its_size(hub: LiveHub) -> None:
    manifest = (await fetched(hub, "/manifest.webmanifest")).json()
    for icon in manifest["icons"]:
        answer = await fetched(hub, icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = PNG_SIZE.unpack_from(answer.content, PNG_SIZE_AT)
            assert icon["sizes"] == f"{width}x{height}"


async def test_chromium_finds_nothing_that_keeps_it_from_being_installed(desktop: Page, hub: LiveHub) -> None:
    await sign_in(desktop, hub)
    devtools = await desktop.context.new_cdp_session(desktop)
    found = await devtools.send("Page.getInstallabilityErrors")
    errors = [one["errorId"] for one in found["installabilityErrors"]]
    assert [error for error in errors if error != "in-incognito"] == []  # the tests' contexts are private ones
    assert (await devtools.send("Page.getAppManifest"))["errors"] == []


async def test_it_starts_without_a_network_and_shows_what_was_there(page: Page, hub: LiveHub) -> None:
    question = "Shown while away?"
    await hub.ask(question)
    await sign_in(page, hub)
    await page.get_by_text(question).first.wait_for()
    await controlled(page)
    await page.context.set_offline(True)
    await page.goto(hub.api)
    await page.wait_for_selector(READY, state="attached")
    await page.get_by_text(question).first.wait_for()
    await page.locator(".banner.lost").wait_for()
    await page.context.set_offline(False)
    await page.locator(".banner.lost").wait_for(state="detached")


async def test_the_service_worker_is_in_charge_of_everything(desktop: Page, hub: LiveHub) -> None:
    await sign_in(desktop, hub)
    await controlled(desktop)
    assert await desktop.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)") == f"{hub.api}/"


async def controlled(page: Page) -> None:
    await page.evaluate(CONTROLLED)


async def test_the_policy_lets_nothing_in_from_elsewhere(hub: LiveHub) -> None:
    for path in ("/", "/sw.js", "/app/js/main.js"):
        headers = (await fetched(hub, path)).headers
        policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert (policy["script-src"], policy["style-src"]) == ("'self'", "'self'")
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert policy["require-trusted-types-for"] == "'script'"
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("code", ["eval('1')", "document.body.innerHTML = '<b>x</b>'", "new Function('1')"])
async def test_the_policy_is_enforced(chromium: Browser, hub: LiveHub, code: str) -> None:
    """In a task of the page's own: what is evaluated from outside may do anything."""
    told = "addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective))"
    later = f"setTimeout(() => {{ try {{ {code}; }} catch {{ /* refused */ }} }})"
    async with new_page(chromium) as (page, _wanted):
        await page.goto(hub.api)
        directive = await page.evaluate(f"new Promise((done) => {{ {told}; {later}; }})")
    assert directive in {"script-src", "require-trusted-types-for"}
