"""Several cards that come at once: a list by themselves, an answer for each, one way back, then all the others."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from tests.web.fake_hub import FakeHub
from tests.web.pages import open_page, until

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

HEAR = """() => {
  globalThis.heard = [];
  const [say, ALL] = [document.getElementById("say"), { childList: true, characterData: true, subtree: true }];
  new MutationObserver(() => say.textContent && heard.push(say.textContent.trim())).observe(say, ALL);
}"""
"""Keeps what is said to screen readers from then on."""


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with three open cards."""
    with FakeHub() as made:
        for _ in range(3):
            made.add()
        yield made


async def test_each_is_answered_by_itself_and_can_be_taken_back(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        one, two, _ = fake.cards.values()
        fake.push("digest.ready", digestId="dg_1", cards=[two, one], more=0, away=None)
        rows = page.locator(".card-row")
        await expect(rows).to_have_count(2)
        await expect(page.get_by_text("2 things are waiting for you.")).to_be_visible()
        assert await rows.first.get_attribute("data-id") == two["id"]
        await rows.first.get_by_role("button", name="Dismiss").click()
        await expect(rows).to_have_count(1)
        await page.locator("#toasts").get_by_role("button", name="Undo").click()
        await expect(rows).to_have_count(2)
        await rows.first.get_by_role("button", name="Approve").click()
        await until(fake, lambda: any(path.endswith(f"{two['id']}/confirm") for _, path, _ in fake.requests))
        await expect(rows).to_have_count(1)


async def test_all_of_them_are_a_press_away_and_the_stack_comes_back(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        fake.push("digest.ready", digestId="dg_1", cards=list(fake.cards.values())[:2], more=1, away=None)
        await page.get_by_role("button", name="Show all (3)").click()
        await expect(page.get_by_text("2 things are waiting for you.")).to_be_hidden()
        await expect(page.get_by_text("1 of 3")).to_be_visible()


async def test_what_is_shown_again_among_all_is_not_called_new(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        fake.push("digest.ready", digestId="dg_1", cards=list(fake.cards.values())[:2], more=1, away=None)
        await expect(page.locator(".card-row")).to_have_count(2)
        await page.evaluate(HEAR)
        await page.get_by_role("button", name="Show all (3)").click()
        await expect(page.get_by_text("1 of 3")).to_be_visible()
        fake.push("prediction.new", prediction=fake.add(prompt="Look at the broken link"))
        await expect(page.locator("#say")).to_contain_text("New: Look at the broken link")
        heard = await page.evaluate("heard")
        assert [text for text in heard if text.startswith("New: ")] == ["New: Look at the broken link"]


async def test_one_that_comes_while_some_are_shown_by_themselves_is_announced_then(
    chromium: Browser, fake: FakeHub
) -> None:
    async with open_page(chromium, fake) as page:
        fake.push("digest.ready", digestId="dg_1", cards=list(fake.cards.values())[:2], more=1, away=None)
        await expect(page.locator(".card-row")).to_have_count(2)
        fake.push("prediction.new", prediction=fake.add(prompt="Look at the broken link"))
        await expect(page.locator("#say")).to_contain_text("New: Look at the broken link")
        await expect(page.get_by_role("button", name="Show all (4)")).to_be_visible()
