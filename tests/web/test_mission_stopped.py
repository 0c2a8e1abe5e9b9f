"""While Pulse is stopped: no yes is offered, every place says so, and starting again stands beside."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.web.fake_cards import Json, problem
from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page, until
from tests.web.test_mission_permissions import asking

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

COLOUR = "(node) => getComputedStyle(node).color"
HELD = "Pulse is stopped. You can approve this once you start it again."


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub whose emergency stop is on."""
    with FakeHub() as made:
        made.status.update(stopped("emergency"))
        yield made


def stopped(by: str) -> Json:
    return {"enabled": False, "state": "disabled", "killedBy": by}


def answers(fake: FakeHub) -> list[Json]:
    return [body for method, path, body in fake.requests if method == "POST" and "/predictions/" in path]


async def assert_held(yes: Locator) -> None:
    await expect(yes).to_have_attribute("aria-disabled", "true")
    await expect(yes).to_have_accessible_description(HELD)


async def test_a_yes_is_held_says_why_and_is_free_again_after_the_start(chromium: Browser, fake: FakeHub) -> None:
    fake.add(prompt="Run the tests")
    async with open_page(chromium, fake) as page:
        card = front(page)
        yes = card.locator('[data-verb="approve"]')
        await expect(card.locator(".held")).to_contain_text(HELD)
        await assert_held(yes)
        await yes.dispatch_event("click")
        await page.keyboard.press("a")
        await expect(card.locator(".prompt")).to_have_text("Run the tests")
        await expect(page.locator("#say-now")).to_have_text(HELD)
        assert answers(fake) == []
        await expect(card.get_by_role("button", name="Start again")).to_have_count(0)
        starts = page.get_by_role("button", name="Start again")
        await expect(starts).to_have_count(1)  # one way to start, in the place of Stop
        await starts.click()
        sheet = page.get_by_role("dialog", name="Stopped")
        await expect(sheet).to_contain_text("You may need your passkey, or a code")
        await sheet.get_by_role("button", name="Start again").click()
        await until(fake, lambda: {"emergencyStop": False} in fake.asked("PATCH", "/config"))
        await expect(card.locator(".held")).to_be_hidden()
        await expect(yes).not_to_have_attribute("aria-disabled", "true")


async def test_the_banner_says_what_is_off(chromium: Browser, fake: FakeHub) -> None:
    fake.status.update(stopped("run-time"))
    async with open_page(chromium, fake, "phone") as page:
        await expect(page.locator(".banner.off")).to_contain_text("no request can be approved")


async def test_a_stopped_inbox_says_so_without_a_tick(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, "phone") as page:
        await expect(page.locator(".calm")).to_have_count(0)
        await expect(page.locator(".empty .big")).to_have_text("Pulse is stopped.")


async def test_the_sheet_of_stop_says_how_to_start_again(chromium: Browser, fake: FakeHub) -> None:
    fake.status.update(enabled=True, state="watching", killedBy="")
    async with open_page(chromium, fake, "phone") as page:
        await page.locator(".kill").click()
        sheet = page.get_by_role("dialog", name="Stop")
        await expect(sheet).to_contain_text("“Start again” then replaces Stop")
        await expect(sheet).to_contain_text("needs your passkey, or a code from the computer that runs Pulse")


async def test_stop_is_the_one_way_to_stop_on_the_inbox(chromium: Browser, fake: FakeHub) -> None:
    """A switch beside it said "Pulse on", and stopped with one press what Stop asks about first."""
    fake.status.update(enabled=True, state="watching", killedBy="")
    async with open_page(chromium, fake) as page:
        await expect(page.locator(".kill")).to_have_text("Stop")
        await expect(page.get_by_role("switch")).to_have_count(0)


async def test_stop_waits_for_no_file(chromium: Browser, fake: FakeHub) -> None:
    fake.status.update(enabled=True, state="watching", killedBy="")
    async with open_page(chromium, fake, may_lose=True) as page:
        await page.route("**/*.js", lambda route: route.abort())  # from here on nothing more is loaded
        await page.locator(".kill").click()
        await expect(page.get_by_role("dialog", name="Stop")).to_be_visible()


async def test_a_no_goes_out_while_pulse_is_stopped(chromium: Browser, fake: FakeHub) -> None:
    asking(fake)
    async with open_page(chromium, fake) as page:
        await front(page).get_by_role("button", name="No", exact=True).click()
        await until(fake, lambda: bool(answers(fake)))


async def test_every_way_to_say_yes_to_an_agent_is_held(chromium: Browser, fake: FakeHub) -> None:
    asking(fake)
    async with open_page(chromium, fake) as page:
        card = front(page)
        await assert_held(card.locator('[data-verb="approve"]'))
        await assert_held(card.locator('[data-option="always"]'))
        await expect(card.locator('[data-option="stop"]')).not_to_have_attribute("aria-disabled", "true")
        await card.locator('[data-option="always"]').dispatch_event("click")
        await card.get_by_role("button", name="Change it").click()
        editor = page.get_by_role("dialog").locator(".editor")
        await editor.locator("textarea").fill("ls")
        await assert_held(editor.get_by_role("button", name="Run"))
        await editor.get_by_role("button", name="Run").dispatch_event("click")
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert answers(fake) == []


async def test_a_list_holds_its_yes_as_well(chromium: Browser, fake: FakeHub) -> None:
    fake.add(prompt="Run the tests")
    fake.add(prompt="Write the notes")
    async with open_page(chromium, fake) as page:
        await page.get_by_role("button", name="List").click()
        await expect(page.locator(".list > .held")).to_contain_text(HELD)
        for yes in await page.locator(".list [data-starts]").all():
            await assert_held(yes)
        await page.locator(".card-row [data-starts]").first.dispatch_event("click")
        await page.locator(".list-bar input").check()
        await page.locator(".list-bar [data-starts]").dispatch_event("click")
        await expect(page.locator("#say-now")).to_have_text(HELD)
        await expect(page.locator(".card-row")).to_have_count(2)
        assert answers(fake) == []


async def test_the_header_and_its_dialog_follow_the_state(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        header = page.locator(".kill")
        await expect(header).to_have_text("Start again")
        danger = await page.locator(".banner.off").evaluate(COLOUR)
        assert await header.evaluate(COLOUR) != danger  # to start is no danger
        await expect(page.locator(".state-line")).to_contain_text("stopped")
        await expect(page.get_by_role("button", name="Pause")).to_have_count(0)
        await header.click()
        sheet = page.get_by_role("dialog", name="Stopped")
        await expect(sheet).to_contain_text("You may need your passkey, or a code")
        await sheet.get_by_role("button", name="Start again").click()
        await expect(header).to_have_text("Stop")
        fake.status.update(enabled=True, state="paused", killedBy="")
        fake.push("crosspoll.status", status=dict(fake.status))
        await expect(page.locator(".spirit .word")).to_contain_text("paused")
        await header.click()
        await expect(page.get_by_role("dialog", name="Paused").get_by_role("button", name="Resume")).to_be_visible()


async def test_where_the_settings_file_says_off_no_button_promises_a_start(chromium: Browser, fake: FakeHub) -> None:
    fake.status.update(stopped("file"))
    fake.add(prompt="Run the tests")
    async with open_page(chromium, fake) as page:
        await expect(front(page).locator(".held")).to_contain_text("switched off in its settings file")
        await expect(page.get_by_role("button", name="Start again")).to_have_count(0)
        await page.locator(".kill").click()
        dialog = page.get_by_role("dialog", name="Stopped")
        await expect(dialog.locator("code")).to_have_text("crosspoll.enabled = true")


async def test_a_pause_holds_no_yes(chromium: Browser, fake: FakeHub) -> None:
    fake.status.update(enabled=True, state="paused", killedBy="", reason="paused by you")
    fake.add(prompt="Run the tests")
    async with open_page(chromium, fake) as page:
        await expect(front(page).locator(".held")).to_be_hidden()
        await front(page).locator('[data-verb="approve"]').click()
        await until(fake, lambda: bool(answers(fake)))


@pytest.mark.parametrize("size", ["phone", "desktop"])
async def test_a_refusal_names_no_command_and_lies_over_no_button_of_the_card(
    chromium: Browser, fake: FakeHub, size: str
) -> None:
    fake.status.update(enabled=True, state="watching", killedBy="")
    asking(fake, risk="low")
    refusal = problem(403, "rail-kill", "Pulse is stopped: `pulse resume --emergency` lifts it.")
    async with open_page(chromium, fake, size) as page:
        yes = front(page).locator('[data-verb="approve"]')
        box, window = await yes.bounding_box(), page.viewport_size
        assert box is not None
        assert window is not None
        foot = 80 if size == "phone" else 30
        await page.set_viewport_size(
            {**window, "height": round(box["y"] + box["height"]) + foot}
        )  # a message lies there
        fake.refuse_next = (403, refusal)
        await yes.dispatch_event("click")
        await expect(page.locator(".toast.bad")).to_have_text(
            "Pulse is stopped, so nothing was started. Start it again first."
        )
        await expect(yes).to_be_visible()
        await assert_clear(page)


async def assert_clear(page: Page) -> None:
    """Fail if the message lies over a button of the card in front."""
    toast = await page.locator("#toasts").bounding_box()
    assert toast is not None
    for button in await front(page).locator(".answers button").all():
        box = await button.bounding_box()
        assert box is not None
        beside = box["y"] >= toast["y"] + toast["height"] or box["y"] + box["height"] <= toast["y"]
        assert beside, (box, toast)
