"""Drives: bars with their reasons, why Pulse wakes or not, the last days, and weights that are changed and put back."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.web.chromium import SIZES
from tests.web.fake_views import refusal
from tests.web.test_views_insight import CUT_TEXTS
from tests.web.views_pages import ViewsHub, live, opened

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
HOUR_LATER = """() => {
  const real = Date.now;
  Date.now = () => real() + 3_600_000;
  dispatchEvent(new Event("pulse:tick"));
}"""
CHART = "Pressure over time"


def weights(hub: ViewsHub) -> list[Any]:
    """Return what was asked for so far."""
    return [body for _, path, body in hub.views.asked if path == "/drives/weights"]


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=f"Weight: {name}")


def meter(page: Page, name: str) -> Locator:
    return page.get_by_role("meter", name=name)


async def test_the_heaviest_comes_first_with_what_stands_open(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, _):
        names = await page.locator(".drive-list .drive-name").all_text_contents()
        assert names == ["Goals", "Unfinished work", "System"]
        await expect(meter(page, "Goals")).to_have_attribute("aria-valuetext", "3.4 of 5.0")
        await expect(meter(page, "Total")).to_have_attribute("aria-valuetext", "4.5 of 5.0")
        await expect(page.get_by_text('<img src=x onerror="alert(1)"> is not tested')).to_be_visible()
        await expect(page.get_by_text("Plan March")).to_be_hidden()
        await page.get_by_text("22 more").click()
        await expect(page.get_by_text("Plan March")).to_be_visible()
        await expect(page.get_by_text("20 more, with less pressure, are hidden.")).to_be_visible()


async def test_one_sentence_says_why_it_does_not_wake_and_another_when_it_will(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, _):
        said = page.get_by_role("region", name="Will Pulse wake?")
        await expect(said).to_contain_text("The total pressure is 4.5 of 5.0")
        await expect(said).to_contain_text(
            re.compile(r"If nothing changes, Pulse wakes in 2\d min \((\w+ )?\d\d:\d\d\)\.")
        )
        await expect(said).to_contain_text("Done.")
        await expect(said.get_by_role("link")).to_have_attribute("href", "#card=pred-0000")


async def test_why_it_woke_and_why_not_is_told_in_the_pages_language(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives", language="de-DE") as (page, _):
        said = page.get_by_role("region", name="Wacht Pulse auf?")
        await expect(said).to_contain_text(
            re.compile(r"Druck ist insgesamt 4,5 von 5,0; ab (\w+\. )?\d\d:\d\d reicht er von selbst\.")
        )
        woke = "Pulse ist aufgewacht: der Druck war insgesamt 5,2 von 5,0, am meisten von „System“ (2,6)."
        await expect(said).to_contain_text(woke)
        await expect(page.get_by_text("am meisten von „Ziele“ (2,6).").first).to_be_visible()
        await expect(page.get_by_text("total pressure")).to_have_count(0)


async def test_every_time_of_day_is_written_in_one_form(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives", language="en-US") as (page, _):
        said = page.get_by_role("region", name="Will Pulse wake?")
        text = await said.inner_text()
        times = re.findall(r"\d\d:\d\d(?:\s[AP]M)?", text)
        assert len(times) >= 2
        assert not [time for time in times if time.endswith("M")], text


async def test_a_bar_fills_by_itself_unless_movement_is_unwanted(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, _):
        await page.evaluate(HOUR_LATER)
        await expect(meter(page, "Goals")).to_have_attribute("aria-valuetext", "3.4 of 5.0")
        await page.emulate_media(reduced_motion="no-preference")
        await page.evaluate("dispatchEvent(new Event('pulse:tick'))")
        await expect(meter(page, "Goals")).to_have_attribute("aria-valuetext", "4.0 of 5.0")


async def test_what_was_opened_stays_open_when_the_hub_says_something_new(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, hub):
        await live(hub)
        await page.get_by_text("22 more").click()
        hub.views.drives.weights["goals"] = 0.2
        hub.status["drives"] = {"top": "unfinished", "total": 1.8}
        hub.tell_status()
        await expect(meter(page, "Goals")).to_have_attribute("aria-valuetext", "0.7 of 5.0")
        await expect(page.locator(".drive-list .drive-name").first).to_have_text("Unfinished work")
        await expect(page.get_by_text("Plan March")).to_be_visible()


async def test_a_weight_is_sent_once_when_it_is_let_go_and_can_be_taken_back(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, hub):
        goals = slider(page, "Goals")
        await goals.focus()
        for _ in range(4):
            await page.keyboard.press("ArrowRight")
        await expect(goals).to_have_attribute("aria-valuetext", "1.2")
        await expect(meter(page, "Goals")).to_have_attribute("aria-valuetext", "4.1 of 5.0")
        assert weights(hub) == [{"name": "goals", "weight": 1.2}]
        await page.get_by_role("button", name="Undo").click()
        await expect(goals).to_have_attribute("aria-valuetext", "1")
        await expect(goals).to_be_focused()
        await expect(meter(page, "Goals")).to_have_attribute("aria-valuetext", "3.4 of 5.0")
        assert weights(hub) == [{"name": "goals", "weight": 1.2}]
        assert hub.views.asked[-1][1] == "/drives/weights/mut-1/undo"


async def test_a_refused_weight_is_explained_and_put_back(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, hub):
        system = slider(page, "System")
        hub.views.refusal = refusal("The system's weight is locked.", "Change config.toml.")
        await system.fill("0.5")
        said = "The system's weight is locked. Change config.toml. The weight stays at 1.5."
        await expect(system).to_have_accessible_description(said)
        await expect(system).to_have_value("1.5")
        await expect(page.get_by_role("button", name="Undo")).to_have_count(0)


async def test_a_weight_that_the_hub_looked_at_and_did_not_take_is_put_back(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, hub):
        hub.views.drives.lets = False
        system = slider(page, "System")
        await system.fill("0.5")
        await expect(system).to_have_accessible_description(
            "Ten changes this hour are enough. Wait. The weight stays at 1.5."
        )
        await expect(system).to_have_value("1.5")


async def test_a_change_that_waits_is_sent_when_the_view_is_left(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, hub):
        await slider(page, "People").fill("2")
        await page.get_by_role("link", name="Settings").first.click()
        await expect(page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
        assert weights(hub) == [{"name": "social", "weight": 2}]


async def test_the_chart_is_read_by_key_and_a_wake_leads_to_its_card(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, _):
        chart = page.get_by_role("slider", name=CHART)
        await chart.focus()
        await expect(chart).to_have_attribute("aria-valuetext", re.compile(r"^\d\d:\d\d: Goals \d\.\d, "))
        for _ in range(3):
            await page.keyboard.press("ArrowLeft")
        await expect(chart).to_have_attribute("aria-valuetext", re.compile(r"Pulse woke up because .*Done\.$"))
        await page.keyboard.press("Enter")
        await expect(page.locator("dialog.details")).to_be_visible()
        assert page.url.endswith("#card=pred-0000")


async def test_the_numbers_stand_in_a_table_and_the_wakes_in_a_list(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives") as (page, _):
        figure = page.get_by_role("figure", name=CHART)
        await figure.get_by_text("The numbers in a table").click()
        await expect(figure.get_by_role("row")).to_have_count(1 + 25 + 2)
        await expect(page.get_by_role("region", name="When Pulse woke").get_by_role("listitem")).to_have_count(2)
        await page.get_by_role("button", name="7 days").click()
        await expect(page.get_by_role("button", name="7 days")).to_be_focused()
        await expect(page.get_by_text("some points are left out")).to_be_visible()


async def test_when_nothing_presses_one_kind_sentence_says_so(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/drives", empty=True) as (page, _):
        await expect(page.get_by_text("Pressure builds up here as work stays open")).to_be_visible()
        await expect(page.locator("#view").get_by_role("meter")).to_have_count(0)
        await expect(page.locator("#view").get_by_role("slider")).to_have_count(0)
        await expect(page.locator("#view").get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize("size", ["narrow", "phone", "wide"])
async def test_it_fits_at_every_width(chromium: Browser, size: str) -> None:
    async with opened(chromium, "#/activity/drives", size=size) as (page, _):
        await expect(page.locator(".chart-svg")).to_have_count(1)
        assert await page.evaluate(CUT_TEXTS) == []
        for summary in await page.locator("#view summary").all():
            await summary.click()
        assert await page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["viewport"]["width"]
