"""WCAG 2.2 AA with axe-core: every view and dialogue, dark and light, on a phone and on a desktop; and 320 px wide."""

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.web.chromium import SIZES, new_page, until_steady
from tests.web.conftest import assert_quiet
from tests.web.live_hub import LiveHub
from tests.web.node_tools import installed
from tests.web.signing_in import READY, open_view, sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
    pytest.mark.needs_node,
]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
QUESTIONS = (
    ("Deploy the shop to production?", "high"),
    ("Delete 14 merged branches?", "medium"),
    ("הפעל את הבדיקות 🧪 عربى", "low"),
)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def hub(shared_hub: LiveHub) -> LiveHub:
    """A hub with open cards of every risk, and one that was answered."""
    for question, risk in QUESTIONS:
        await shared_hub.ask(question, risk=risk)
    answered = await shared_hub.ask("Restart the cache?")
    await shared_hub.call("POST", f"/api/v1/predictions/{answered['id']}/reject", {"reason": "not now"})
    return shared_hub


@pytest_asyncio.fixture(
    scope="module",
    loop_scope="session",
    params=[(size, look) for size in ("desktop", "phone") for look in ("light", "dark")],
    ids="-".join,
)
async def looked(request: pytest.FixtureRequest, chromium: Browser, hub: LiveHub) -> AsyncIterator[Page]:
    """A page that is signed in, of each size and look; its tests share it."""
    size, look = request.param
    async with new_page(chromium, size, color_scheme=look, reduced_motion="reduce") as (page, complaints):
        await sign_in(page, hub)
        await page.evaluate(axe())
        yield page
        assert_quiet(complaints)


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=["narrow", "wide"])
async def sized(request: pytest.FixtureRequest, chromium: Browser, hub: LiveHub) -> AsyncIterator[tuple[Page, int]]:
    """A page that is signed in, as narrow and as wide as there are, and its width in pixels; its tests share it."""
    async with new_page(chromium, request.param) as (page, complaints):
        await sign_in(page, hub)
        yield page, SIZES[request.param]["viewport"]["width"]
        assert_quiet(complaints)


def axe() -> str:
    return (installed() / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


async def violations(page: Page) -> list[str]:
    """Return what axe has to say, one line for each element, once the page stands still."""
    await page.locator("body:not(:has([aria-busy=true]))").wait_for(state="attached")
    await page.evaluate(STILL)
    options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
    found: list[dict[str, Any]] = (await page.evaluate("(options) => axe.run(document, options)", options))[
        "violations"
    ]
    return [
        f"{one['id']}: {node['target']} {node['html'][:160]} {node['failureSummary'].splitlines()[1].strip()}"
        for one in found
        for node in one["nodes"]
    ]


async def assert_accessible(page: Page) -> None:
    found = await violations(page)
    if found:
        pytest.fail("\n".join(found), pytrace=False)


async def details(page: Page) -> None:
    await page.locator(".card").first.press("i")
    await page.wait_for_selector("dialog[open]")


async def snooze(page: Page) -> None:
    await until_steady(page)
    await page.locator(".card").first.press("s")
    await page.wait_for_selector("dialog[open]")


async def keys(page: Page) -> None:
    await page.keyboard.press("?")
    await page.wait_for_selector("dialog[open]")


async def kill_switch(page: Page) -> None:
    await page.locator(".kill").click()
    await page.wait_for_selector("dialog[open]")


Opening = Callable[[Page], Coroutine[Any, Any, None]]


@pytest.mark.parametrize("view", ["inbox", "activity", "sessions", "trends", "drives", "settings", "devices"])
async def test_a_view_has_no_violations(looked: Page, view: str) -> None:
    await open_view(looked, view)
    await assert_accessible(looked)


@pytest.mark.parametrize("opening", [details, snooze, keys, kill_switch])
async def test_a_dialogue_has_no_violations(looked: Page, opening: Opening) -> None:
    await open_view(looked, "inbox")
    await opening(looked)
    try:
        await assert_accessible(looked)
    finally:
        await looked.keyboard.press("Escape")
        await looked.wait_for_selector("dialog[open]", state="detached")


@pytest.mark.parametrize("look", ["light", "dark"])
async def test_the_pairing_screen_has_no_violations(chromium: Browser, hub: LiveHub, look: str) -> None:
    async with new_page(chromium, "phone", color_scheme=look) as (page, _complaints):
        await page.goto(hub.api)
        await page.wait_for_selector("input")
        await page.evaluate(axe())
        await assert_accessible(page)


@pytest.mark.parametrize("view", ["inbox", "activity", "sessions", "trends", "drives", "settings", "devices"])
async def test_nothing_hangs_over_the_edge(sized: tuple[Page, int], view: str) -> None:
    page, width = sized
    await open_view(page, view)
    assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_everything_can_be_reached_by_key(desktop: Page, hub: LiveHub) -> None:
    """Tab goes through the page, never gets stuck, and always shows where it is."""
    await sign_in(desktop, hub)
    seen: list[str] = []
    for _ in range(60):
        await desktop.keyboard.press("Tab")
        at = await desktop.evaluate(FOCUSED)
        if at["name"] in seen[:1]:
            break
        assert at["visible"], f"{at['name']} does not show that it has the focus"
        seen.append(at["name"])
    assert any("card" in name for name in seen), seen
    assert any("kill" in name for name in seen), seen
    assert await desktop.locator(READY).count() == 1


STILL = """Promise.allSettled(document.getAnimations()
  .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
  .map((one) => one.finished))"""
FOCUSED = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const text = at.textContent.trim().slice(0, 40);
  const name = `${at.tagName}.${at.className}#${at.id} ${text} ${at.getAttribute("href") ?? ""}`;
  return { name, visible: ring || style.boxShadow !== "none" || at === document.body };
}"""
