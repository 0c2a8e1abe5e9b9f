"""WCAG 2.2 AA with axe-core for what the views show only on request: tables, episodes, empty states, dialogues."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from tests.web.test_page_accessibility import assert_accessible, axe
from tests.web.views_pages import Look, opened

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
Opening = Callable[[Page], Coroutine[Any, Any, None]]


async def as_it_is(_page: Page) -> None:
    """Open nothing."""


async def unfold_all(page: Page) -> None:
    for summary in await page.locator("#view summary").all():
        if not await summary.evaluate("(node) => node.parentElement.open"):
            await summary.click()


async def pair(page: Page) -> None:
    await page.get_by_role("button", name="Pair a device").click()
    await page.wait_for_selector("svg.qr")


async def stop(page: Page) -> None:
    await page.get_by_role("button", name="Stop everything").click()
    await page.wait_for_selector("dialog[open]")


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize(
    ("hash_", "opening", "empty"),
    [
        ("#/history", as_it_is, False),
        ("#/history", as_it_is, True),
        ("#/history/pred-0000", unfold_all, False),
        ("#/sessions", unfold_all, False),
        ("#/sessions", as_it_is, True),
        ("#/drives", unfold_all, False),
        ("#/drives", as_it_is, True),
        ("#/insight", unfold_all, False),
        ("#/insight", as_it_is, True),
        ("#/controls", unfold_all, False),
        ("#/controls", pair, False),
        ("#/controls", stop, False),
    ],
)
async def test_no_violations(chromium: Browser, hash_: str, opening: Opening, *, empty: bool, size: str) -> None:
    async with opened(chromium, hash_, size=size, empty=empty) as (page, _):
        await opening(page)
        await page.evaluate(axe())
        await page.evaluate(ALL_DRAWN)
        grounds = set()
        for look in LOOKS:
            await page.emulate_media(color_scheme=look)
            await assert_accessible(page)
            grounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert len(grounds) == len(LOOKS)


async def test_less_motion_is_none_even_for_colours(chromium: Browser) -> None:
    """A transition of one millisecond for everything would be one of colours, too, passed on from parent to child."""
    async with opened(chromium, "#/history") as (page, _):
        colour = await page.evaluate("""() => {
          document.body.style.color = "rgb(1, 2, 3)";
          return getComputedStyle(document.querySelector(".past-prompt")).color;
        }""")
        assert colour == "rgb(1, 2, 3)"
