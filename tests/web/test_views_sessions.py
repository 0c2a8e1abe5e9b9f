"""Sessions: who needs somebody, the day in lanes, and the spirit that says so once, beside everything else."""

import contextlib
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.web.chromium import SIZES
from tests.web.fake_cards import PROMPTS
from tests.web.fake_world import HOSTILE, LOG
from tests.web.pages import open_page, until, until_so
from tests.web.test_views_insight import CUT_TEXTS
from tests.web.views_pages import ViewsHub, live, opened, settled

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

COVERED = """(node) => {
  const box = node.getBoundingClientRect();
  return [...document.querySelectorAll("#view, nav, .kill, .light, .banners")].filter((one) => {
    const other = one.getBoundingClientRect();
    const isBeside = other.right <= box.left || other.left >= box.right;
    const isApart = isBeside || other.bottom <= box.top || other.top >= box.bottom;
    return other.width > 0 && other.height > 0 && !isApart;
  }).map((one) => one.className || one.id);
}"""
"""What of the page lies under the bubble, or over it."""
HIDE, SHOW = (
    f"""() => {{
  Object.defineProperty(document, "visibilityState", {{ configurable: true, get: () => "{state}" }});
  document.dispatchEvent(new Event("visibilitychange"));
}}"""
    for state in ("hidden", "visible")
)
PLAYING = """() => document.getAnimations().filter((one) => one.playState === "running"
  && one.effect.target.closest(".light")).length"""


@contextlib.asynccontextmanager
async def troubled(
    browser: Browser,
    hash_: str = "#/activity/sessions",
    *,
    size: str = "desktop",
    **options: Any,  # noqa: ANN401  whatever Playwright takes
) -> AsyncIterator[tuple[Page, ViewsHub]]:
    """Open a page while one session needs somebody."""
    hub = ViewsHub()
    with hub:
        hub.status["world"] = hub.views.world.status()
        async with open_page(browser, hub, size, path=f"/{hash_}", **options) as page:
            await page.locator("html[data-complete=yes]").wait_for(state="attached")
            yield page, hub


def group(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=re.compile(f"^{name}"))


def bubble(page: Page) -> Locator:
    return page.locator(".bubble")


async def test_what_needs_somebody_comes_first_with_all_that_one_needs_to_know(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, _):
        names = ["Need you 1", "Waiting to be checked 1", "Working 1", "Recently verified 1"]
        assert await page.locator(".sessions-groups h2:visible").all_text_contents() == names
        stuck = group(page, "Need you")
        for words in ("abc123", "Book a flight to Tokyo", "It needs: solve captcha", "Last report: captcha", "2 tries"):
            await expect(stuck).to_contain_text(words)
        await expect(group(page, "Waiting")).to_contain_text("Done when: https://127.0.0.1:8443/health")
        await expect(group(page, "Working")).to_contain_text(f"Count {HOSTILE}")
        await expect(group(page, "Working")).to_contain_text("reported by the session itself")
        await expect(group(page, "Recently verified")).to_contain_text("checked by proof · unconfirmed")


async def test_the_question_is_the_same_card_as_on_mission_control_and_is_answered_there(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, hub):
        card = hub.add(source="ask")
        hub.views.world.sessions[0]["predictionId"] = card["id"]
        hub.push("prediction.new", prediction=card)
        hub.status["world"] = hub.views.world.status()
        hub.tell_status()
        question = group(page, "Need you").locator(".card")
        await expect(question.locator(".prompt")).to_have_text(PROMPTS[0])
        await question.get_by_role("button", name="Yes").click()
        await until(hub, lambda: bool(hub.asked("POST", f"{card['id']}/confirm")))
        await expect(question).to_be_hidden()


async def test_a_day_has_a_lane_for_each_session_and_says_it_in_words(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, _):
        lanes = page.locator(".lane[data-session]")
        ids = await lanes.evaluate_all("(nodes) => nodes.map((node) => node.dataset.session)")
        assert ids == ["tests", "abc123", "deploy-7", "nightly"]
        says = lanes.nth(1).locator(".lane-says")
        await expect(says).to_have_text(
            re.compile(
                r"^stuck · .* to .* · worked 1 .* waited 30 .* for an answer · silent for 22 .* · 2 tries · abc123$"
            )
        )
        assert await lanes.nth(1).locator(".look-silent").count() == 1
        assert await lanes.nth(1).locator(".look-again, .look-hatch").count() == 2
        assert await lanes.nth(0).locator(".look-done").count() == 1
        assert await lanes.nth(2).locator(".look-before").count() == 1
        assert await page.locator(".lane").last.locator(".look-event").count() == 12
        await expect(page.locator(".day .note")).to_have_text(re.compile("^2 lines could not be read"))


async def test_each_status_has_a_shape_of_its_own(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, _):
        shapes = """(look) => {
          const { y, height } = document.querySelector(`.lane rect.look-${look}`).getBBox();
          return `${y} ${height}`;
        }"""
        found = [await page.evaluate(shapes, look) for look in ("work", "check", "stuck")]
        assert len(set(found)) == 3


async def test_the_whole_day_stands_in_a_table(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, _):
        await page.get_by_text("Show the day as a table").click()
        rows = page.locator(".day-table tbody tr")
        await expect(rows).to_have_count(14 + 3 + 2 + 12)
        await expect(rows.filter(has_text="forged: verified").filter(has_text="all done")).to_have_count(1)
        await expect(rows.filter(has_text=re.compile("waited 10 min.* for an answer"))).to_have_count(1)
        await expect(rows.filter(has_text=HOSTILE).first).to_be_visible()


async def test_a_search_asks_the_hub_and_says_what_it_found(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, hub):
        await page.get_by_role("searchbox").fill("tokyo")
        await expect(page.locator(".lane")).to_have_count(1)
        assert hub.views.world.asked[-1][1] == "tokyo"
        await page.get_by_role("searchbox").fill("nonsense")
        await expect(page.get_by_text("Nothing on this day contains “nonsense”.")).to_be_visible()


async def test_other_days_are_a_step_away_and_today_is_the_last(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, hub):
        after = page.get_by_role("button", name="Next day")
        await expect(after).to_be_disabled()
        await page.get_by_role("button", name="Previous day").click()
        await expect(page.get_by_text("Nothing happened on this day.")).to_be_visible()
        await after.click()
        await expect(page.locator(".lane[data-session]")).to_have_count(4)
        await page.get_by_label("Day", exact=True).fill("2026-01-09")
        await expect(page.get_by_role("heading", name="Sessions on Friday 9 January 2026")).to_be_visible()
        assert hub.views.world.asked[-1][0] == "2026-01-09"


async def test_the_whole_day_is_shown_on_request(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, _):
        whole = page.get_by_role("button", name="Whole day")
        await whole.click()
        await expect(whole).to_have_attribute("aria-pressed", "true")
        await expect(page.locator(".day-axis span")).to_have_count(7)
        texts = await page.locator(".day-axis span").all_inner_texts()
        assert (texts[0], texts[-1]) == ("00:00", "00:00")


async def test_where_nothing_is_it_says_how_to_begin(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions", empty=True) as (page, _):
        lines = (await page.locator(".sessions-empty pre").inner_text()).splitlines()
        assert [re.findall(r"\[agent:(\w+)\]", line) for line in lines] == [["start"], ["active"], ["finish"]]
        assert all(line.startswith("echo '[agent:") and line.endswith(f"' >> '{LOG}'") for line in lines)


async def test_what_is_new_comes_by_itself(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/sessions") as (page, hub):
        await live(hub)
        hub.views.world.sessions[1] |= {"status": "verified", "checkedBy": "model"}
        hub.status["world"] = hub.views.world.status()
        hub.tell_status()
        await expect(group(page, "Recently verified")).to_contain_text("checked by a model")
        await expect(group(page, "Waiting")).to_be_hidden()


@pytest.mark.parametrize("size", ["narrow", "phone", "wide"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
async def test_it_fits_at_every_width(chromium: Browser, size: str, locale: str) -> None:
    async with troubled(chromium, size=size, locale=locale) as (page, _):
        await settled(page, "#/activity/sessions")
        await expect(bubble(page)).to_be_visible()
        assert await page.evaluate(CUT_TEXTS) == []
        for summary in await page.locator("#view summary").all():
            await summary.click()
        assert await page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["viewport"]["width"]


async def test_printed_it_is_the_sessions_and_the_day_alone(chromium: Browser) -> None:
    async with troubled(chromium) as (page, _):
        await settled(page, "#/activity/sessions")
        await page.emulate_media(media="print")
        for left_out in (".top", ".day-tools", ".nav-bottom"):
            await expect(page.locator(left_out)).to_be_hidden()
        await expect(page.locator(".lane-svg").first).to_be_visible()


@pytest.mark.parametrize("width", [320, 360, 600, 800, 900, 1000, 1200, 1600])
async def test_the_bubble_says_who_needs_help_and_covers_nothing(chromium: Browser, width: int) -> None:
    async with troubled(chromium, "#/", locale="de-DE") as (page, hub):
        await page.set_viewport_size({"width": width, "height": 700})
        hub.views.world.sessions[0]["asks"] = "solve the captcha that stands on the third page of the form"
        await expect(bubble(page)).to_contain_text("abc123 braucht Hilfe: solve captcha")
        assert await bubble(page).evaluate(COVERED) == []
        link = await bubble(page).get_by_role("link").bounding_box()
        assert link is not None
        assert link["width"] >= 60
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_the_bubble_is_told_politely_and_leads_to_the_session(chromium: Browser) -> None:
    async with troubled(chromium, "#/") as (page, _):
        told = page.get_by_role("status").filter(has=bubble(page))
        await expect(told).to_have_attribute("aria-live", "polite")
        await expect(page.locator(".spirit")).to_have_attribute("data-mood", "failed")
        await bubble(page).get_by_role("link").click()
        await expect(page.locator('.session[data-session="abc123"]')).to_be_focused()
        await page.get_by_role("link", name="Inbox").first.click()
        await page.locator(".spirit").click()
        await expect(page.locator('.session[data-session="abc123"]')).to_be_focused()


async def test_what_was_put_aside_stays_so_until_the_session_asks_anew(chromium: Browser) -> None:
    async with troubled(chromium, "#/") as (page, hub):
        await live(hub)
        await bubble(page).get_by_role("button", name="Hide").focus()
        await page.keyboard.press("Enter")
        await expect(bubble(page)).to_have_count(0)
        await expect(page.locator(".spirit")).to_be_focused()
        await expect(page.locator(".spirit")).to_have_attribute("data-mood", "failed")
        await page.reload()
        await page.locator("html[data-complete=yes]").wait_for(state="attached")
        hub.status["world"] = {**hub.views.world.status(), "active": 7}
        hub.tell_status()
        await expect(page.locator(".spirit")).to_have_attribute("data-mood", "failed")
        await expect(bubble(page)).to_have_count(0)
        hub.views.world.sessions[0]["asks"] = "the password"
        hub.status["world"] = {**hub.views.world.status(), "active": 8}
        hub.tell_status()
        await expect(bubble(page)).to_contain_text("abc123 needs help: the password")


async def test_of_several_pages_one_shows_the_bubble_and_another_takes_over(chromium: Browser) -> None:
    async with troubled(chromium, "#/") as (page, hub):
        await expect(bubble(page)).to_be_visible()
        other = await page.context.new_page()
        await other.goto(f"{hub.origin}/#/activity")
        await other.locator("html[data-complete=yes]").wait_for(state="attached")
        await expect(other.locator(".bubble-place")).to_have_count(1)
        await expect(bubble(other)).to_have_count(0)
        await page.evaluate(HIDE)
        await expect(bubble(other)).to_be_visible()
        await expect(bubble(page)).to_have_count(0)
        await page.evaluate(SHOW)
        await other.close()
        await expect(bubble(page)).to_be_visible()


async def test_putting_it_aside_on_one_page_does_so_on_all(chromium: Browser) -> None:
    async with troubled(chromium, "#/") as (page, hub):
        other = await page.context.new_page()
        await other.goto(f"{hub.origin}/#/activity")
        await other.locator("html[data-complete=yes]").wait_for(state="attached")
        await bubble(page).get_by_role("button").click()
        await page.evaluate(HIDE)
        await other.locator(".bubble-place").wait_for(state="attached")
        await expect(bubble(other)).to_have_count(0)


async def test_the_bubble_goes_when_the_session_goes_on(chromium: Browser) -> None:
    async with troubled(chromium, "#/") as (page, hub):
        await live(hub)
        await expect(bubble(page)).to_be_visible()
        hub.views.world.sessions[0]["status"] = "active"
        hub.status["world"] = hub.views.world.status()
        hub.tell_status()
        await expect(bubble(page)).to_have_count(0)
        await expect(page.locator(".spirit")).to_have_attribute("data-mood", "working")
        hub.status["world"] |= {"verifiedAt": "2026-01-09T10:00:00Z"}
        hub.tell_status()
        await expect(page.locator(".spirit")).to_have_attribute("data-mood", "verified")


async def test_nothing_moves_where_nobody_looks_or_movement_is_unwanted(chromium: Browser) -> None:
    async with troubled(chromium, "#/", reduced_motion="no-preference") as (page, hub):
        await live(hub)
        hub.views.world.sessions[0]["status"] = "active"
        hub.status["world"] = hub.views.world.status()
        hub.tell_status()
        await expect(page.locator(".spirit")).to_have_attribute("data-mood", "working")
        assert await page.evaluate(PLAYING) > 0
        await page.evaluate(HIDE)
        assert await page.evaluate(PLAYING) == 0
        await page.evaluate(SHOW)
        assert await page.evaluate(PLAYING) > 0
        await page.emulate_media(reduced_motion="reduce")
        await until_so(page, f"() => ({PLAYING})() === 0")
        await expect(page.locator(".spirit")).to_contain_text("working")
