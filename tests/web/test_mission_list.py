"""The cards as a list, several answered at once with one undo; and the box to ask."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.web.chromium import until_steady
from tests.web.fake_hub import FakeHub
from tests.web.pages import open_page, until, until_so

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
CLEAR_OF_FIELD = """() => {
  const [toast, field] = ["#toasts", ".askbox"].map((name) => document.querySelector(name).getBoundingClientRect());
  return toast.top >= field.bottom || toast.bottom <= field.top;
}"""


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with four open cards, one of them risky."""
    with FakeHub() as made:
        for risk in ("low", "low", "medium", "high"):
            made.add(risk=risk)
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def listed(chromium: Browser, fake: FakeHub) -> AsyncIterator[Page]:
    """The inbox with the cards as a list."""
    async with open_page(chromium, fake) as page:
        await page.get_by_role("button", name="List").click()
        await expect(page.locator(".card-row")).to_have_count(4)
        yield page


async def test_several_are_answered_at_once_and_taken_back_with_one_undo(listed: Page, fake: FakeHub) -> None:
    await listed.get_by_role("checkbox", name="Select all").check()
    await listed.locator(".list-bar").get_by_role("button", name="Approve").click()
    await expect(listed.locator(".card-row")).to_have_count(1)  # the risky one wants a yes of its own
    await listed.locator("#toasts").get_by_role("button", name="Undo").click()
    await expect(listed.locator(".card-row")).to_have_count(4)
    await listed.get_by_role("checkbox", name="Select all").check()
    await listed.locator(".list-bar").get_by_role("button", name="Dismiss").click()
    await until(fake, lambda: len(fake.asked("POST", "/reject")) == 4)
    assert fake.asked("POST", "/confirm") == []


async def test_on_a_phone_both_answers_to_several_stand_side_by_side(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone") as page:
        await page.get_by_role("button", name="List").click()
        answers = page.locator(".list-bar button")
        await expect(answers).to_have_text(["Dismiss", "Approve"])
        no, yes = [await answers.nth(each).bounding_box() for each in range(2)]
        assert no is not None
        assert yes is not None
        assert no["y"] == yes["y"]
        assert no["x"] + no["width"] < yes["x"]


async def test_keys_go_from_row_to_row_and_answer_the_one_with_the_focus(listed: Page, fake: FakeHub) -> None:
    await listed.locator(".card-row").first.focus()
    await listed.keyboard.press("ArrowDown")
    await until_steady(listed)
    await listed.keyboard.press("a")
    await until(fake, lambda: bool(fake.asked("POST", "pred_0002/confirm")))
    await listed.keyboard.press("Space")
    await expect(listed.locator(".list-bar")).to_contain_text("1 selected")


async def test_a_risky_card_asks_again_where_it_is_shown_whole(listed: Page, fake: FakeHub) -> None:
    await listed.locator('.card-row[data-id="pred_0004"]').get_by_role("button", name="Approve").click()
    await listed.get_by_role("button", name="Yes, run it").click()
    await until(fake, lambda: bool(fake.asked("POST", "pred_0004/confirm")))


async def test_what_is_asked_becomes_a_card_or_a_task(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        box = page.get_by_role("textbox", name="Add a task or an idea…")
        await box.fill("Look for dead code")
        await page.keyboard.press("Enter")
        await until(fake, lambda: bool(fake.asked("POST", "/trigger")))
        assert fake.asked("POST", "/trigger") == [{"hint": "Look for dead code", "force": True}]
        await expect(page.locator(".toast")).to_contain_text("nothing worth suggesting")
        await box.fill("Buy milk")
        await page.get_by_role("radio", name="Add as a task").check()
        await page.keyboard.press("Enter")
        await until(fake, lambda: bool(fake.asked("POST", "/tasks")))
        await expect(page.locator(".recent")).to_contain_text("Buy milk")


async def test_a_question_is_no_task_until_the_person_says_so(chromium: Browser, fake: FakeHub) -> None:
    fake.agents = []
    async with open_page(chromium, fake) as page:
        box = page.get_by_role("textbox", name="Add a task or an idea…")
        await box.fill("Buy milk")
        await expect(page.get_by_role("radio", name="Add as a task")).to_be_checked()
        await box.fill("What changed?")
        await expect(page.get_by_role("radio", name="Add as a task")).not_to_be_checked()
        await page.keyboard.press("Enter")
        await until(fake, lambda: bool(fake.asked("POST", "/trigger")))
        assert fake.asked("POST", "/trigger") == [{"hint": "What changed?", "force": True}]
        await box.fill("Who calls?")
        await page.get_by_role("radio", name="Add as a task").check()
        await box.press("End")
        await box.press_sequentially(" Anna?")
        await expect(page.get_by_role("radio", name="Add as a task")).to_be_checked()


async def test_a_menu_takes_less_of_this_and_it_can_be_undone(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await expect(page.locator('.card[data-depth="0"] .menu')).to_have_text("Show less often")
        await expect(page.get_by_role("button", name="Show less often, or never").first).to_be_visible()
        await page.locator('.card[data-depth="0"] .menu').click()
        there = page.get_by_role("dialog").get_by_role("link", name="You can undo all of these in Settings")
        await expect(there).to_have_attribute("href", "#/settings/interruptions")
        await expect(
            page.get_by_role("dialog").get_by_role("button", name="Never suggest this in shop")
        ).to_be_visible()
        stop = await page.locator(".kill .icon path").get_attribute("d")
        drawn = page.get_by_role("dialog").locator(".choices .icon path")
        assert stop not in await drawn.evaluate_all("(all) => all.map((one) => one.getAttribute('d'))")
        await page.get_by_role("dialog").get_by_role("button", name="Suggest nothing more for shop").click()
        await until(fake, lambda: bool(fake.asked("POST", "/never")))
        [said] = fake.asked("POST", "/never")
        assert (said["about"], said["cardHash"]) == ("repository", "hash1")
        await page.locator("#toasts").get_by_role("button", name="Undo").click()
        await until(fake, lambda: bool(fake.asked("POST", "pred_0001/undo")))


async def test_a_menu_can_ask_always_and_the_card_stays(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await page.locator('.card[data-depth="0"] .menu').click()
        await page.get_by_role("dialog").get_by_role("button", name="Always ask me about this").click()
        await until(fake, lambda: bool(fake.asked("POST", "/mutes")))
        assert fake.asked("POST", "/mutes") == [{"degree": "ask", "predictionId": "pred_0001"}]
        await expect(page.locator("#toasts")).to_contain_text("Pulse always asks you about things like this.")
        await page.locator("#toasts").get_by_role("button", name="Undo").click()
        await until(fake, lambda: bool(fake.asked("DELETE", "/mutes/mute_new")))
        await expect(page.get_by_text("1 of 4")).to_be_visible()


async def test_on_a_phone_no_message_lies_over_the_field_that_is_written_in(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone", locale="de-DE") as page:
        box = page.locator(".askbox input[type=text]")
        await box.fill("Milch kaufen")
        await page.locator(".askbox input[value=task]").check()
        await box.press("Enter")
        await expect(page.locator(".toast")).to_be_visible()
        await until_so(page, CLEAR_OF_FIELD)
        await page.evaluate("document.querySelector('#toasts').classList.add('high')")
        assert await page.evaluate(CLEAR_OF_FIELD), "nor where it has to stand at the top"
