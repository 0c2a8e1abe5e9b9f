"""Ways that lead on: from a story to the card that it asks about, and back to a set-up list that was hidden."""

import pytest
from playwright.async_api import Browser, expect

from tests.web.fake_cards import PROMPTS
from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page, prompt_in_front
from tests.web.views_pages import opened

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]


async def test_a_story_that_waits_for_an_answer_leads_to_its_card_in_the_inbox(chromium: Browser) -> None:
    with FakeHub() as fake:
        for _ in range(3):
            fake.add()
        async with open_page(chromium, fake) as page:
            await page.evaluate("location.hash = '#/activity/story/pred_0003'")
            await page.locator(".episode-head").get_by_role("link", name="Answer").click()
            await expect(prompt_in_front(page)).to_have_text(PROMPTS[2])
            await expect(front(page)).to_be_focused()
            await expect(front(page).get_by_role("button", name="Approve")).to_be_visible()
            await expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "hide", "undo"), [("en-GB", "Hide", "Undo"), ("de-DE", "Ausblenden", "Zurücknehmen")]
)
async def test_a_hidden_set_up_list_comes_back(chromium: Browser, language: str, hide: str, undo: str) -> None:
    with FakeHub() as fake:
        async with open_page(chromium, fake, locale=language) as page:
            begin = page.locator(".begin")
            await begin.get_by_role("button", name=hide).click()
            await expect(begin).to_be_hidden()
            await page.locator(".toast").get_by_role("button", name=undo).click()
            await expect(begin).to_be_visible()


@pytest.mark.parametrize(("language", "search"), [("en-GB", "set up"), ("de-DE", "ausgeblendet")])
async def test_settings_find_a_set_up_list_that_was_hidden(chromium: Browser, language: str, search: str) -> None:
    async with opened(chromium, "#/settings/devices") as (page, _):
        await page.evaluate(f"localStorage.setItem('pulse.lang', '{language[:2]}')")
        await page.evaluate("localStorage.setItem('pulse.set-up-away', 'yes')")
        await page.reload()
        await page.get_by_role("searchbox").fill(search)
        knob = page.locator(".control-row", has_text="set up" if language == "en-GB" else "einzurichten").get_by_role(
            "switch"
        )
        await expect(knob.first).to_have_attribute("aria-checked", "false")
        await knob.first.click()
        assert await page.evaluate("localStorage.getItem('pulse.set-up-away')") == "no"
