"""What most journeys begin with: a browser that opens a pairing link and is signed in."""

from playwright.async_api import Page

from tests.web.live_hub import LiveHub

READY = "html[data-ready=yes]"
VIEWS = {
    "inbox": "#/",
    "activity": "#/activity",
    "sessions": "#/activity/sessions",
    "trends": "#/activity/trends",
    "drives": "#/activity/drives",
    "settings": "#/settings",
    "devices": "#/settings/devices",
}


async def sign_in(page: Page, hub: LiveHub) -> None:
    """Open a fresh pairing link and wait until the page is ready."""
    await page.goto(await hub.pairing_link())
    await page.wait_for_selector(READY, state="attached")


async def open_view(page: Page, name: str) -> None:
    """Go to a view and wait until it is drawn."""
    await page.evaluate("(hash) => { location.hash = hash; }", VIEWS[name])
    place, _, part = VIEWS[name].removeprefix("#/").partition("/")
    here = f'[data-view="{place or "inbox"}"][data-part="{part}"]'
    drawn = f"body{here}:not(:has(#view [aria-busy=true])) #view > *"
    await page.locator(drawn).first.wait_for(state="attached")
