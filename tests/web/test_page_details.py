"""What a newcomer to the page trips over: places that jump, texts that are cut, names that are read broken."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, Page, expect

from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page
from tests.web.views_pages import opened, settled

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
SECTIONS = ("general", "alone", "interruptions", "agents", "devices", "limits", "work")
RUNS_PX_MAX = 45
PATH = "Clean /usr/local/share/build and src/hub/io"


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with three open cards, the first of which names paths."""
    with FakeHub() as made:
        for _ in range(3):
            made.add()
        made.cards["pred_0001"]["prompt"] = PATH
        yield made


async def names(page: Page, role: str) -> list[str]:
    """Return the accessible names of a role, as the browser gives them to a screen reader."""
    session = await page.context.new_cdp_session(page)
    nodes = (await session.send("Accessibility.getFullAXTree"))["nodes"]
    return [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == role and "name" in node]


async def test_a_path_is_read_whole_and_still_breaks_after_its_separators(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone") as page:
        await expect(front(page)).to_be_visible()
        assert PATH in await names(page, "article")
        assert await front(page).locator(".prompt").inner_text() == PATH
        assert await page.evaluate("document.querySelectorAll('wbr').length") == 0
        await page.locator(".prompt").first.evaluate("node => (node.style.width = '7rem')")
        torn = """() => [...document.querySelectorAll('.card[data-depth="0"] .prompt .breaks')]
          .filter((part) => !part.textContent.includes(' '))
          .filter((part) => [...part.getClientRects()].filter(({ width }) => width > 0).length > 1).length"""
        assert await page.evaluate(torn) == 0
        assert await page.locator(".prompt .breaks").count() > 3
        runs = front(page).locator(".runs")  # it has the room, so nothing breaks
        assert await runs.evaluate("node => node.getClientRects()[0].height") < RUNS_PX_MAX
        await expect(runs.locator("code")).to_have_text("/usr/bin/make test")  # what is said of it is no part of it
        await expect(runs).to_have_text("▶ /usr/bin/make test in shop")


async def test_the_next_card_is_brought_into_sight(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone", reduced_motion="reduce") as page:
        following = page.get_by_role("button", name="Next card")
        await page.evaluate("scrollTo(0, document.querySelector('.deck-foot').offsetTop - 60)")
        await following.click()
        await expect(page.locator(".count")).to_contain_text("2 of 3")
        await expect(front(page)).to_be_in_viewport(ratio=0.8)


KEYS, TOUCH = "Press ? to see the keys", "Swipe to answer"


NARROW = {"width": 390, "height": 844}


async def test_a_window_as_narrow_as_a_phone_hints_at_no_keys(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, viewport=NARROW) as page:
        await expect(front(page)).to_be_visible()
        await expect(page.get_by_text(KEYS)).to_be_hidden()


@pytest.mark.parametrize(("size", "shown", "hidden"), [("desktop", KEYS, TOUCH), ("phone", TOUCH, KEYS)])
async def test_only_what_the_device_has_is_hinted_at(
    chromium: Browser, fake: FakeHub, size: str, shown: str, hidden: str
) -> None:
    async with open_page(chromium, fake, size) as page:
        await expect(page.get_by_text(shown)).to_be_visible()
        await expect(page.get_by_text(hidden)).to_be_hidden()


async def test_the_heading_of_the_settings_stays_where_it_is(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, _):
        tops = set()
        for section in SECTIONS:
            await page.evaluate("part => (location.hash = `#/settings/${part}`)", section)
            await expect(page.locator(f'[data-section="{section}"][aria-current]')).to_be_visible()
            tops.add(await page.get_by_role("heading", level=1).evaluate("node => node.getBoundingClientRect().top"))
        assert len(tops) == 1


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
async def test_no_field_of_the_settings_cuts_its_value_on_a_phone(chromium: Browser, language: str) -> None:
    async with opened(chromium, "#/settings/interruptions", size="phone", language=language) as (page, _):
        inputs = "[...document.querySelectorAll('#view input')]"
        cut = f"() => {inputs}.filter((one) => one.scrollWidth > one.clientWidth).length"
        await page.locator(".wide input").evaluate("node => (node.value = '09:00, 13:00, 17:00, 21:00')")
        assert await page.evaluate(cut) == 0


async def test_a_grant_names_its_agent_and_leaves_no_empty_room(chromium: Browser) -> None:
    async with opened(chromium, "#/settings/work") as (page, _):
        await page.get_by_role("link", name="What you see less often").click()
        await settled(page, "#/settings/interruptions")
        await expect(page.get_by_role("region", name="Less often, never, always ask")).to_be_visible()
        await page.evaluate("location.hash = '#/settings/general'")
        power = page.locator(".power")
        await expect(power).to_be_visible()
        empty = "node => [...node.children].filter((one) => !one.textContent && one.checkVisibility()).length"
        assert await power.evaluate(empty) == 0


async def test_an_episode_is_told_in_the_page_s_language(chromium: Browser) -> None:
    async with opened(chromium, "#/activity/story/pred-0000", language="de-DE") as (page, _):
        await page.get_by_text("Details", exact=True).click()
        await expect(page.locator('.step[data-kind="sensed"]')).to_contain_text("Was Pulse wusste.")
        await expect(page.locator('.step[data-kind="sensed"]')).to_contain_text("Du hattest dich seit 40 Minuten nicht")


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_the_titles_of_the_places_share_one_line(chromium: Browser, size: str) -> None:
    async with opened(chromium, "#/", size=size) as (page, _):
        title = page.locator("#view h1")
        lines: dict[str, float] = {}
        for hash_ in ("#/", "#/activity", "#/settings"):
            await page.evaluate("(hash) => (location.hash = hash)", hash_)
            await settled(page, hash_)
            lines[hash_] = await title.evaluate("node => node.getBoundingClientRect().top")
        assert len(set(lines.values())) == 1, lines
        await page.evaluate("location.hash = '#/activity'")
        await page.locator(".exports summary").click()
        await expect(page.locator(".exports button").first).to_be_visible()
        assert await title.evaluate("node => node.getBoundingClientRect().top") == lines["#/activity"]


async def test_on_a_phone_no_figure_of_activity_covers_its_name(chromium: Browser) -> None:
    async with opened(chromium, "#/activity", size="phone", language="de-DE") as (page, _):
        covered = """(tiles) => tiles.filter((tile) => {
          const words = document.createRange();
          words.selectNodeContents(tile.querySelector('.overview-name'));
          const figure = tile.querySelector('.overview-figure').getBoundingClientRect();
          return words.getBoundingClientRect().right > figure.left;
        }).map((tile) => tile.innerText)"""
        assert await page.locator(".overview-tile").count()
        assert await page.locator(".overview-tile").evaluate_all(covered) == []
