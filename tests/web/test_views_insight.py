"""Insight: every chart has its values by key, by pointer and in a table, at every width."""

import re

import pytest
from playwright.async_api import Browser, expect

from tests.web.chromium import SIZES
from tests.web.fake_views_data import chances, day
from tests.web.views_pages import opened, settled

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
CHARTS = (
    "Approval over time",
    "Suggestions and interruptions",
    "Did you approve as often as expected?",
    "Cost and limits",
    "By kind of work",
)
CUT_TEXTS = """() => [...document.querySelectorAll('.chart-svg')].flatMap((chart) => {
  const edge = chart.closest('figure').getBoundingClientRect();
  return [...chart.querySelectorAll('text')].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < edge.left || box.right > edge.right;
  }).map((text) => text.textContent);
})"""


async def test_every_chart_has_a_name_and_its_numbers_in_a_table(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/trends") as (page, _):
        for name in CHARTS:
            figure = page.get_by_role("figure", name=name)
            await figure.get_by_text("The numbers in a table").click()
            await expect(figure.get_by_role("columnheader").first).to_be_visible()
            assert await figure.get_by_role("row").count() > 1
        rows = page.get_by_role("figure", name=CHARTS[0]).get_by_role("row")
        await expect(rows).to_have_count(31)


async def test_the_share_approved_is_told_as_one_of_suggestions(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/trends") as (page, _):
        await expect(page.get_by_role("figure", name="Approval over time")).to_contain_text(
            re.compile(r"\d+ of \d+ answers to suggestions")
        )


async def test_arrow_keys_read_the_values(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/trends") as (page, _):
        chart = page.get_by_role("slider", name="Suggestions and interruptions")
        await chart.focus()
        await page.keyboard.press("Home")
        await expect(chart).to_have_attribute("aria-valuenow", "0")
        await expect(chart).to_have_attribute(
            "aria-valuetext", re.compile(r"^\w+day,? .+: 3 suggestions, 1 interruption$")
        )
        await page.keyboard.press("ArrowRight")
        await expect(
            page.get_by_role("figure", name="Suggestions and interruptions").locator(".chart-read")
        ).to_contain_text("7 suggestions")
        await page.keyboard.press("End")
        await expect(chart).to_have_attribute("aria-valuenow", "29")


async def test_the_pointer_reads_the_values(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/trends") as (page, _):
        chart = page.get_by_role("slider", name="Did you approve as often as expected?")
        await chart.scroll_into_view_if_needed()
        bubble = await chart.locator("circle.chart-bubble").nth(2).bounding_box()
        assert bubble is not None
        await page.mouse.move(bubble["x"] + bubble["width"] / 2 + 4, bubble["y"] + bubble["height"] / 2)
        said = page.get_by_role("figure", name="Did you approve as often as expected?").locator(".chart-read")
        await expect(said).to_have_text("75% expected, 72% approved, 30 answers")


async def test_a_span_is_chosen_and_remembered_and_a_year_is_told_in_weeks(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/trends") as (page, _):
        await page.get_by_role("button", name="1 year").click()
        chart = page.get_by_role("slider", name="Approval over time")
        await expect(chart).to_have_attribute("aria-valuemax", "52")
        await expect(page.get_by_role("button", name="1 year")).to_be_focused()
        await page.reload()
        await settled(page, "#/activity/trends")
        await expect(page.get_by_role("button", name="1 year")).to_have_attribute("aria-pressed", "true")


async def test_without_data_there_is_no_chart_but_a_sentence(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/trends", empty=True) as (page, _):
        await expect(page.locator(".insight .chart-empty")).to_have_text(
            "Trends appear once you have answered a few suggestions."
        )
        await expect(page.locator(".chart, .tile")).to_have_count(0)
        await expect(page.locator("#view").get_by_role("button")).to_have_count(0)


async def test_a_chart_is_there_once_it_has_something_to_show(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        hub.views.figures = {"days": [day("2026-03-01", 1)], "chances": chances(0)}
        await page.evaluate("(hash) => { location.hash = hash; }", "#/activity/trends")
        await expect(page.get_by_role("figure", name="Suggestions and interruptions")).to_be_visible()
        for name in ("Approval over time", "Did you approve as often as expected?"):
            await expect(page.get_by_role("figure", name=name)).to_have_count(0)
        await expect(page.locator(".tile", has_text="Done")).to_have_count(0)


@pytest.mark.parametrize("size", ["narrow", "phone", "desktop", "wide"])
async def test_charts_fit_their_place_at_every_width(chromium: Browser, size: str) -> None:
    async with opened(chromium, "#/activity/trends", size=size) as (page, _):
        await expect(page.locator(".chart-svg")).to_have_count(3)
        assert await page.evaluate(CUT_TEXTS) == []
        for summary in await page.get_by_text("The numbers in a table").all():
            await summary.click()
        assert await page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["viewport"]["width"]
