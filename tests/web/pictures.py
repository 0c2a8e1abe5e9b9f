"""Draws the pictures of the docs anew: `python -m tests.web.pictures`. Look at them before you commit them.

Those of the README's first screen are of a hub that runs: `python -m tests.web.first_hour`.
"""

import asyncio
from pathlib import Path

from playwright.async_api import Browser

from tests.web.chromium import running_chromium
from tests.web.fake_hub import FakeHub
from tests.web.pages import open_page
from tests.web.views_pages import Look, ViewsHub, opened

IMAGES = Path(__file__).parents[2] / "docs" / "images"
CARDS = 5
EPISODE_DRAWN = "#view:not(:has([aria-busy=true])) .episode-facts"


async def mission(browser: Browser, name: str, size: str, look: Look) -> None:
    """Draw the inbox with a few cards."""
    with ViewsHub() as hub:
        for _ in range(CARDS):
            hub.add()
        async with open_page(browser, hub, size, color_scheme=look, reduced_motion="reduce") as page:
            await page.locator(".aside:not(.is-coming)").wait_for()
            await page.screenshot(path=IMAGES / f"{name}.png")


async def details(browser: Browser, name: str, size: str, look: Look) -> None:
    """Draw the details of a card."""
    with FakeHub() as hub:
        for _ in range(CARDS):
            hub.add()
        async with open_page(browser, hub, size, color_scheme=look, reduced_motion="reduce") as page:
            await page.keyboard.press("i")
            await page.locator("dialog .verdicts").wait_for()
            await page.screenshot(path=IMAGES / f"{name}.png")


async def episode(browser: Browser, name: str, size: str, look: Look) -> None:
    """Draw the story of one suggestion, as one finds it from the history."""
    async with opened(browser, "#/activity", size=size, look=look) as (page, _hub):
        await page.locator('.past[data-fate="executed"]').first.click()
        await page.locator(EPISODE_DRAWN).first.wait_for()
        await page.screenshot(path=IMAGES / f"{name}.png")


async def view(browser: Browser, name: str, hash_: str, size: str, look: Look) -> None:
    """Draw one of the other views."""
    async with opened(browser, hash_, size=size, look=look) as (page, _hub):
        await page.screenshot(path=IMAGES / f"{name}.png")


async def main() -> None:
    """Draw all."""
    async with running_chromium() as browser:
        await mission(browser, "compass", "desktop", "light")
        await mission(browser, "compass-phone", "phone", "dark")
        await details(browser, "compass-details", "desktop", "dark")
        await episode(browser, "compass-episode", "desktop", "light")
        await view(browser, "compass-drives", "#/activity/drives", "desktop", "light")
        await view(browser, "compass-insight", "#/activity/trends", "desktop", "light")
        await view(browser, "compass-controls", "#/settings/interruptions", "desktop", "dark")
        await view(browser, "compass-history", "#/activity", "phone", "light")


if __name__ == "__main__":
    asyncio.run(main())
