"""WCAG 2.2 AA with axe-core for what the views show only on request: tables, episodes, empty states, dialogues."""

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.web.signing_in import open_view
from tests.web.test_page_accessibility import assert_accessible, axe
from tests.web.views_pages import Look, opened, settled

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_node,
]
ALL_DRAWN = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { content-visibility: visible !important }");
  document.adoptedStyleSheets.push(sheet);
}"""
"""What is out of sight keeps the colours that it was drawn in until somebody scrolls there."""
LOOKS: tuple[Look, ...] = ("light", "dark")
FULL, EMPTY = ([(size, empty) for size in ("desktop", "phone")] for empty in (False, True))
Opening = Callable[[Page], Coroutine[Any, Any, None]]


async def as_it_is(_page: Page) -> None:
    """Open nothing."""


async def unfold_all(page: Page) -> None:
    for summary in await page.locator("#view summary:visible").all():
        if not await summary.evaluate("(node) => node.parentElement.open"):
            await summary.click()


async def pair(page: Page) -> None:
    await page.get_by_role("button", name="Pair a device").click()
    await page.wait_for_selector("svg.qr")


async def connect(page: Page) -> None:
    await page.get_by_role("button", name="Connect: Gemini CLI").click()
    await page.wait_for_selector("dialog[open]")


async def stop(page: Page) -> None:
    await page.get_by_role("button", name="Stop everything").click()
    await page.wait_for_selector("dialog[open]")


OPENINGS = [
    ("#/activity", as_it_is),
    ("#/activity/story/pred-0000", unfold_all),
    ("#/activity/sessions", unfold_all),
    ("#/activity/drives", unfold_all),
    ("#/activity/trends", unfold_all),
    ("#/settings/alone", as_it_is),
    ("#/settings/interruptions", unfold_all),
    ("#/settings/agents", connect),
    ("#/settings/devices", unfold_all),
    ("#/settings/limits", as_it_is),
    ("#/settings/work", as_it_is),
    ("#/settings/devices", pair),
    ("#/settings/general", stop),
]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def looked(request: pytest.FixtureRequest, chromium: Browser) -> AsyncIterator[Page]:
    """A page of each size, on a hub with a year behind it or with nothing; its tests share it."""
    size, empty = request.param
    async with opened(chromium, "#/activity", size=size, empty=empty) as (page, _):
        await page.evaluate(axe())
        await page.evaluate(ALL_DRAWN)
        yield page


async def assert_accessible_in_each_look(page: Page, hash_: str, opening: Opening) -> None:
    """Draw the view anew, open what is to be open, and look at it light and dark; leave no dialogue open."""
    await open_view(page, "inbox")
    await page.evaluate("(hash) => { location.hash = hash; }", hash_)
    await settled(page, hash_)
    await opening(page)
    grounds = set()
    for look in LOOKS:
        await page.emulate_media(color_scheme=look)
        await assert_accessible(page)
        grounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == len(LOOKS)
    await page.keyboard.press("Escape")
    await page.wait_for_selector("dialog[open]", state="detached")


@pytest.mark.parametrize("looked", FULL, indirect=True)
@pytest.mark.parametrize(("hash_", "opening"), OPENINGS)
async def test_no_violations(looked: Page, hash_: str, opening: Opening) -> None:
    await assert_accessible_in_each_look(looked, hash_, opening)


@pytest.mark.parametrize("looked", EMPTY, indirect=True)
@pytest.mark.parametrize("hash_", ["#/activity", "#/activity/sessions", "#/activity/drives", "#/activity/trends"])
async def test_no_violations_where_there_is_nothing_yet(looked: Page, hash_: str) -> None:
    await assert_accessible_in_each_look(looked, hash_, as_it_is)


async def test_less_motion_is_none_even_for_colours(chromium: Browser) -> None:
    """A transition of one millisecond for everything would be one of colours, too, passed on from parent to child."""
    async with opened(chromium, "#/activity") as (page, _):
        colour = await page.evaluate("""() => {
          document.body.style.color = "rgb(1, 2, 3)";
          return getComputedStyle(document.querySelector(".past-prompt")).color;
        }""")
        assert colour == "rgb(1, 2, 3)"
