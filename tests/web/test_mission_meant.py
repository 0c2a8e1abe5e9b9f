"""Only what a person sees and means is an answer: keys out of sight, and a yes to some risk."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from tests.web.chromium import until_steady
from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page, until, until_so

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with five open cards."""
    with FakeHub() as made:
        for _ in range(5):
            made.add()
        yield made


async def test_arrows_scroll_and_what_is_out_of_sight_is_not_answered(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, viewport={"width": 900, "height": 420}, reduced_motion="reduce") as page:
        await page.locator("main").focus()
        await page.keyboard.press("ArrowDown")
        await until_so(page, "() => scrollY > 0")
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        await until_steady(page)
        await page.keyboard.press("a")
        await expect(page.locator("#say")).to_contain_text("nothing was answered")
        await expect(front(page)).to_be_in_viewport(ratio=0.6)
        assert fake.asked("POST", "/confirm") == []


async def test_some_risk_can_be_taken_back_before_anything_begins(chromium: Browser, fake: FakeHub) -> None:
    fake.cards["pred_0001"]["risk"] = "medium"
    async with open_page(chromium, fake) as page:
        await until_steady(page)
        await page.keyboard.press("a")
        await page.get_by_role("button", name="Undo").click()
        await expect(page.locator(".count")).to_contain_text("of 5 cards")
        await until_steady(page)
        await page.keyboard.press("a")
        await until(fake, lambda: bool(fake.asked("POST", "pred_0001/confirm")))
        assert len(fake.asked("POST", "pred_0001/confirm")) == 1
