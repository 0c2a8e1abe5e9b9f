"""The inbox under a thumb: nothing hangs over, what scrolls, what buzzes; and what a card leaves out or names."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, Page, expect

from tests.web.fake_cards import PROMPTS
from tests.web.fake_hub import FakeHub
from tests.web.gestures import swipe
from tests.web.pages import front, open_page, prompt_in_front, until, until_so

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

OUTSIDE = """() => {
  const card = document.querySelector('.card[data-depth="0"]').getBoundingClientRect();
  return [...document.querySelectorAll('.card[data-depth="0"] button')].filter((one) => one.offsetParent)
    .filter((one) => one.getBoundingClientRect().right > card.right).map((one) => one.textContent);
}"""
FEEL = "globalThis.felt = []; navigator.vibrate = (ms) => felt.push(ms); 0"
SCROLL_PX, STEPS = 250, 12
TITLE = (200, 20)
"""Somewhere that means nothing, in CSS pixels."""


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with three open cards."""
    with FakeHub() as made:
        for _ in range(3):
            made.add()
        yield made


async def drag(page: Page, selector: str, down_px: int) -> None:
    """Drag with one finger that begins on an element."""
    box = await page.locator(selector).first.bounding_box()
    assert box is not None
    devtools = await page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, fingers in (
        ("touchStart", [{"x": x, "y": y}]),
        *(("touchMove", [{"x": x, "y": y + down_px * step / STEPS}]) for step in range(1, STEPS + 1)),
        ("touchEnd", []),
    ):
        await devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    await devtools.detach()


@pytest.mark.parametrize("size", ["narrow", "phone", "desktop"])
@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
async def test_no_button_hangs_over_its_card(chromium: Browser, fake: FakeHub, size: str, language: str) -> None:
    async with open_page(chromium, fake, size, locale=language) as page:
        assert await page.evaluate(OUTSIDE) == []
        await expect(page.locator(".kill span")).to_be_visible()


AT_REST = """() => new Promise((done) => {
  let last = -1, frames = 0;
  const look = () => {
    frames = scrollY === last ? frames + 1 : 0;
    last = scrollY;
    frames < 10 ? requestAnimationFrame(look) : done();
  };
  look();
})"""
"""Ten frames at the same place."""


async def test_a_finger_scrolls_over_the_buttons_and_back_over_the_text(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "narrow", reduced_motion="reduce") as page:
        await drag(page, '.card[data-depth="0"] .answers', -SCROLL_PX)
        await until_so(page, "() => scrollY > 100")
        await page.evaluate(AT_REST)  # what of the first drag is still to be drawn would add to the second
        await page.evaluate("scrollTo(0, 100)")
        await drag(page, '.card[data-depth="0"] .facts', SCROLL_PX)
        await until_so(page, "() => scrollY === 0")
        await expect(prompt_in_front(page)).to_have_text(PROMPTS[0])
        assert fake.asked("POST", "pred_0001") == []


@pytest.mark.parametrize("way", ["left", "right", "up"])
async def test_a_tap_right_after_a_swipe_counts(chromium: Browser, fake: FakeHub, way: str) -> None:
    async with open_page(chromium, fake, "phone") as page:
        await page.evaluate("addEventListener('click', () => { globalThis.clicked = true; })")
        await swipe(page, front(page), way, touch=True)
        await page.touchscreen.tap(*TITLE)
        await until_so(page, "() => globalThis.clicked")


async def test_an_approval_by_touch_is_felt_and_a_dismissal_is_not(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone", reduced_motion="no-preference") as page:
        await page.evaluate(FEEL)
        await swipe(page, front(page), "left", touch=True)
        await expect(prompt_in_front(page)).to_have_text(PROMPTS[1])
        await until(fake, lambda: bool(fake.asked("POST", "/reject")))
        assert await page.evaluate("felt") == []
        await front(page).get_by_role("button", name="Approve").tap()
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
        assert len(await page.evaluate("felt")) == 1


async def test_who_wants_less_motion_feels_nothing(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone", reduced_motion="reduce") as page:
        await page.evaluate(FEEL)
        await front(page).get_by_role("button", name="Approve").tap()
        await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
        assert await page.evaluate("felt") == []


async def test_a_question_is_not_more_or_less_sure(chromium: Browser, fake: FakeHub) -> None:
    fake.cards["pred_0001"].update(source="ask", confidence=1.0)
    async with open_page(chromium, fake) as page:
        await expect(front(page).locator(".facts")).to_contain_text("expires")
        await expect(front(page).locator(".confidence")).to_be_hidden()
        await page.keyboard.press("i")
        await expect(page.get_by_role("dialog").locator(".figures").last).to_contain_text("Asked by")
        await expect(page.get_by_role("dialog").locator(".figures").last).not_to_contain_text("Confidence")


async def test_a_device_is_called_what_the_person_calls_it(chromium: Browser, fake: FakeHub) -> None:
    fake.devices.append({"surface": "phone", "device": "pixel", "title": "Red phone"})
    async with open_page(chromium, fake) as page:
        await until(fake, lambda: bool(fake.asked("GET", "/devices")))
        fake.settle(fake.cards["pred_0001"], "approve")
        await expect(front(page).locator(".settled")).to_contain_text("You approved it on Red phone · ")


async def test_the_name_of_a_device_that_was_paired_meanwhile_is_learnt(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await until(fake, lambda: bool(fake.asked("GET", "/devices")))
        fake.devices.append({"surface": "watch", "device": "mine", "title": "Old watch"})
        fake.settle(fake.cards["pred_0001"], "reject", surface="watch", device="mine")
        await expect(front(page).locator(".settled")).to_contain_text("You dismissed it on Old watch · ")
