"""What slides under a finger is not answered: twice pressed, pressed too early, by mouse, finger and key."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.web.chromium import until_steady
from tests.web.fake_cards import PROMPTS
from tests.web.fake_hub import FakeHub
from tests.web.gestures import stroke_over, with_finger
from tests.web.pages import front, open_page, prompt_in_front, until

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

SOON_S = 0.25
"""Between the taps of a double tap."""
LATE_S = 0.3
"""After the next card came: too early for it, too late for a double click."""
CONFIRM_S = 6.5
"""Longer than a second yes was once waited for."""


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with three open cards."""
    with FakeHub() as made:
        for _ in range(3):
            made.add()
        yield made


async def middle(button: Locator) -> tuple[float, float]:
    box = await button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def answered(page: Page, fake: FakeHub) -> int:
    """Return how many cards were answered, once nothing more is on its way."""
    await until_steady(page)
    return len(fake.asked("POST", "/confirm")) + len(fake.asked("POST", "/reject"))


@pytest.mark.parametrize("shape", ["stack", "list"])
async def test_a_double_click_answers_one_card(chromium: Browser, fake: FakeHub, shape: str) -> None:
    async with open_page(chromium, fake) as page:
        if shape == "list":
            await page.get_by_role("button", name="List").click()
        card = page.locator(".card-row").first if shape == "list" else front(page)
        await until_steady(page)
        await page.mouse.dblclick(*await middle(card.get_by_role("button", name="Approve")), delay=60)
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
        assert await answered(page, fake) == 1


@pytest.mark.parametrize("name", ["Approve", "Dismiss"])
async def test_a_double_tap_answers_one_card(chromium: Browser, fake: FakeHub, name: str) -> None:
    async with open_page(chromium, fake, "phone") as page:
        at = await middle(front(page).get_by_role("button", name=name))
        await page.touchscreen.tap(*at)
        await asyncio.sleep(SOON_S)
        await page.touchscreen.tap(*at)
        await until(fake, lambda: bool(fake.asked("POST", "/confirm") or fake.asked("POST", "/reject")))
        assert await answered(page, fake) == 1


async def test_a_key_pressed_twice_answers_one_card(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await page.keyboard.press("a")
        await asyncio.sleep(SOON_S)
        await page.keyboard.press("a")
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
        assert await answered(page, fake) == 1


async def test_a_swipe_begun_too_early_answers_nothing(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone", reduced_motion="reduce") as page:
        stroke = await stroke_over(front(page), "right")
        await page.touchscreen.tap(*await middle(front(page).get_by_role("button", name="Approve")))
        await with_finger(page, stroke)
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
        assert await answered(page, fake) == 1


@pytest.mark.parametrize(("language", "words"), [("en-GB", "had just moved"), ("de-DE", "war gerade erst da")])
async def test_a_press_that_came_too_early_is_told_and_counts_the_next_time(
    chromium: Browser, fake: FakeHub, language: str, words: str
) -> None:
    async with open_page(chromium, fake, locale=language) as page:
        at = await middle(front(page).locator('[data-verb="approve"]'))
        await page.mouse.click(*at)
        await expect(page.locator(".deck .moved")).to_be_hidden()
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
        await until_steady(page)
        await page.evaluate("document.querySelector('.mission .center').style.paddingTop = '40px'")
        await asyncio.sleep(LATE_S + 0.05)
        await page.mouse.click(at[0], at[1] + 40)
        await expect(page.locator(".deck .moved")).to_contain_text(words)
        assert await answered(page, fake) == 1
        await page.mouse.click(at[0], at[1] + 40)
        await until(fake, lambda: len(fake.asked("POST", "/confirm")) == 2)


async def test_a_double_click_on_yes_is_not_the_second_yes_of_a_risky_card(chromium: Browser) -> None:
    with FakeHub() as fake:
        fake.add(risk="high")
        async with open_page(chromium, fake) as page:
            at = await middle(front(page).get_by_role("button", name="Approve"))
            await page.mouse.dblclick(*at)
            again = front(page).get_by_role("button", name="Yes, run it")
            await expect(again).to_be_visible()
            assert await answered(page, fake) == 0
            await asyncio.sleep(CONFIRM_S)
            await again.click()  # it waits for as long as it takes
            await until(fake, lambda: bool(fake.asked("POST", "/confirm")))


@pytest.mark.parametrize("way", ["Escape", "elsewhere"])
async def test_the_second_yes_goes_away_by_escape_or_a_press_elsewhere(chromium: Browser, way: str) -> None:
    with FakeHub() as fake:
        fake.add(risk="high")
        async with open_page(chromium, fake) as page:
            await front(page).get_by_role("button", name="Approve").click()
            await expect(front(page).locator(".confirm")).to_be_visible()
            await (page.keyboard.press("Escape") if way == "Escape" else page.mouse.click(5, 400))
            await expect(front(page).locator(".confirm")).to_be_hidden()
            await expect(prompt_in_front(page)).to_have_text(PROMPTS[0])
            await expect(front(page).get_by_role("button", name="Approve")).to_be_visible()
