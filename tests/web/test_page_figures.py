"""What the page promises in figures, at every width, in both languages, dark and light.

WCAG 2.2 AA with contrast, nothing that moves while it loads, nothing that hangs over, and distances on a grid of 4 px.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from tests.house.source import ROOT
from tests.web.chromium import new_page
from tests.web.fake_cards import Json, result
from tests.web.pages import READY
from tests.web.test_mission_permissions import asking
from tests.web.test_page_accessibility import assert_accessible, axe
from tests.web.views_pages import ViewsHub, settled

browsers = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_node,
]
WIDTHS = {390: 844, 768: 1024, 1280: 800, 1920: 1080}
"""Pixels, and how high such a screen is."""
ADDRESSES = (
    "#/",
    "#/activity",
    "#/activity/story/pred-0003",
    "#/activity/sessions",
    "#/activity/trends",
    "#/activity/drives",
    "#/settings",
    "#/settings/alone",
    "#/settings/interruptions",
    "#/settings/agents",
    "#/settings/devices",
    "#/settings/limits",
    "#/settings/work",
)
WATCH = """window.shifts = [];
new PerformanceObserver((list) => list.getEntries().filter((one) => !one.hadRecentInput).forEach((one) =>
  window.shifts.push(`${location.hash} ${one.value.toFixed(4)} ${one.sources.map(({ node }) => node?.className)}`),
)).observe({ type: "layout-shift", buffered: true });"""
QUIET = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done, { timeout: 500 })));
})"""
"""Long enough for what was drawn last to have been painted."""
OVER = "document.documentElement.scrollWidth - screen.width"
PATH = "/home/anna/projects/storefront-of-the-shop/packages/checkout-with-vouchers/src/components/summary.tsx"
BREAKS = """(node) => {
  const words = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const ends = [];
  const range = document.createRange();
  for (let text = words.nextNode(), before = null; text; text = words.nextNode()) {
    for (let place = 0; place < text.length; place += 1) {
      range.setStart(text, place);
      range.setEnd(text, place + 1);
      const { top } = range.getBoundingClientRect();
      if (before && top > before.top + 4) ends.push(before.letter);
      before = { top, letter: text.data[place] };
    }
  }
  return ends;
}"""
"""The last letter of each line but the last."""
DISTANCE = re.compile(r"(?:^|[;{\s])(?:padding|margin|gap|row-gap|column-gap)[\w-]*\s*:\s*([^;}]+)")
REM = re.compile(r"-?(\d*\.?\d+)rem")
GRID_PX, REM_PX = 4, 16
DAY_MINUTES, AFTER_MIDNIGHT_MINUTES = 24 * 60, 19


def filled(hub: ViewsHub) -> None:
    """Let a hub have a bit of everything: a blocked agent, cards, and what failed."""
    asking(hub, options=[{"id": "rm", "label": "Always allow rm *", "lasts": "session", "refuses": False}])
    for _ in range(3):
        hub.add()
    hub.add(status="failed", prompt="Run the checker", result=result(), offers=["retry"], executionId="exec_1")


def first_day(hub: ViewsHub) -> None:
    hub.views.empty = True
    hub.agents, hub.tasks, hub.repositories = [], [], []


def context(width: int, **more: object) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": WIDTHS[width]}, **more}


def zone_after_midnight() -> str:
    """Return a zone, to the minute, in which today has just begun: the heading of yesterday stands in the window."""
    now = datetime.now(UTC)
    ahead = (AFTER_MIDNIGHT_MINUTES - now.hour * 60 - now.minute + DAY_MINUTES // 2) % DAY_MINUTES - DAY_MINUTES // 2
    hours, minutes = divmod(abs(ahead), 60)
    return f"GMT{'-' if ahead < 0 else '+'}{hours:02}:{minutes:02}"


async def opened_at(page: Page, hub: ViewsHub, hash_: str) -> None:
    """Load the page at an address, from nothing."""
    await page.goto("about:blank")
    await page.goto(f"{hub.origin}/{hash_}")
    await page.wait_for_selector(READY, state="attached")
    await settled(page, hash_)
    await page.wait_for_selector("html[data-complete]", state="attached")
    await page.evaluate(QUIET)


class TestInABrowser:
    """Every address at every width."""

    pytestmark = browsers

    @pytest.mark.parametrize("language", ["en-GB", "de-DE"])
    @pytest.mark.parametrize("width", WIDTHS)
    async def test_nothing_violates_wcag_or_hangs_over(self, chromium: Browser, width: int, language: str) -> None:
        with ViewsHub() as hub:
            filled(hub)
            async with new_page(chromium, "desktop", **context(width, locale=language)) as (page, complaints):
                await opened_at(page, hub, "#/")
                await page.evaluate(axe())
                for hash_ in ADDRESSES:
                    await page.evaluate("(hash) => { location.hash = hash; }", hash_)
                    await settled(page, hash_)
                    await page.evaluate(QUIET)
                    assert await page.evaluate(OVER) <= 0, hash_
                    for look in ("light", "dark"):
                        await page.emulate_media(color_scheme=look)
                        await assert_accessible(page)
                assert complaints.texts == []

    @pytest.mark.parametrize("hub_of", [filled, first_day], ids=["busy", "first-day"])
    @pytest.mark.parametrize("width", WIDTHS)
    async def test_nothing_moves_while_it_loads(
        self, chromium: Browser, width: int, hub_of: Callable[[ViewsHub], None]
    ) -> None:
        with ViewsHub() as hub:
            hub_of(hub)
            async with new_page(chromium, "desktop", **context(width, timezone_id=zone_after_midnight())) as (page, _):
                await page.add_init_script(WATCH)
                moved: Json = {}
                for hash_ in ADDRESSES:
                    await opened_at(page, hub, hash_)
                    shifts = await page.evaluate("window.shifts")
                    moved |= {hash_: shifts} if shifts else {}
                assert moved == {}

    async def test_a_path_breaks_at_its_separators(self, chromium: Browser) -> None:
        with ViewsHub() as hub:
            asking(hub, text=f"cat {PATH}", marks=[], effects=["reads"])
            hub.add(prompt=f"Look at {PATH}")
            async with new_page(chromium, "desktop", **context(390)) as (page, _):
                await opened_at(page, hub, "#/")
                for place in ("pre.asked", ".prompt"):
                    shown = page.locator(f'.card[data-depth="0"] {place}').first
                    ends = await shown.evaluate(BREAKS)
                    assert ends, place
                    assert set(ends) <= {"/", " ", "-"}, place
                    await page.keyboard.press("j")


def test_distances_lie_on_the_grid() -> None:
    styles: list[Path] = sorted((ROOT / "surfaces" / "web" / "page").glob("*.css"))
    assert styles
    off = [
        f"{path.name}: {rem}rem"
        for path in styles
        for values in DISTANCE.findall(re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL))
        for rem in REM.findall(values)
        if float(rem) * REM_PX % GRID_PX
    ]
    assert off == []
