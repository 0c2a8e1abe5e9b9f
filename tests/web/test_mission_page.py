"""The inbox in a real browser, on a fake hub: what is shown, and every way to answer."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from msgspec import to_builtins
from playwright.async_api import Browser, Page, Route, expect

from hub.domain.provenance import say
from tests.web.chromium import new_page, until_steady
from tests.web.fake_cards import PROMPTS, problem, settlement
from tests.web.fake_hub import FakeHub
from tests.web.gestures import swipe
from tests.web.pages import front, open_page, prompt_in_front, until

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

SWIPES = {"right": "/confirm", "left": "/reject"}
CLICKED = """(card) => navigator.serviceWorker.dispatchEvent(
  new MessageEvent("message", { data: { type: "pulse:open", card } }))"""


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    """A hub with five open cards."""
    with FakeHub() as made:
        for _ in range(5):
            made.add()
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def mission(chromium: Browser, fake: FakeHub) -> AsyncIterator[Page]:
    """The inbox on a desktop."""
    async with open_page(chromium, fake) as page:
        yield page


async def test_a_card_shows_what_it_is_about(mission: Page) -> None:
    card = front(mission)
    await expect(card.locator(".prompt")).to_have_text(PROMPTS[0])
    await expect(card.locator(".place")).to_contain_text("shop")
    await expect(card.locator(".confidence")).to_contain_text("72%")
    await expect(card.locator(".badges")).to_have_text("new")
    await expect(card.locator(".facts")).to_contain_text("2 min ago")
    await expect(card.locator(".facts")).to_contain_text("expires in 2")
    await expect(card.locator(".facts")).to_contain_text("suggested by your model")
    await expect(mission.locator(".count")).to_have_text("1 of 5 cards")


async def test_agents_recent_tasks_and_the_autonomous_state_are_there(mission: Page) -> None:
    await expect(mission.locator('.agent[data-channel="research"]')).to_contain_text("5.4k tokens")
    await expect(mission.locator(".recent")).to_contain_text("Deploy compass")
    await expect(mission.locator(".state-line")).to_contain_text("not now")
    await expect(mission.locator(".state-line")).to_contain_text("asks before it runs anything")
    await expect(mission.locator(".kill")).to_be_visible()


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("way", ["right", "left"])
async def test_a_swipe_answers_with_mouse_and_finger(chromium: Browser, fake: FakeHub, size: str, way: str) -> None:
    async with open_page(chromium, fake, size) as page:
        await swipe(page, front(page), way, touch=size == "phone")
        await expect(prompt_in_front(page)).to_have_text(PROMPTS[1])
        await until(fake, lambda: bool(fake.asked("POST", f"pred_0001{SWIPES[way]}")))
        [body] = fake.asked("POST", SWIPES[way])
        assert (body["cardHash"], body["surface"], body["device"], body["humanInput"]) == (
            "hash1",
            "browser",
            "laptop",
            "tap",
        )
        assert body["idempotencyKey"]


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_swipe_up_asks_when_and_snoozes_until_then(chromium: Browser, fake: FakeHub, size: str) -> None:
    async with open_page(chromium, fake, size) as page:
        await swipe(page, front(page), "up", touch=size == "phone")
        await page.get_by_role("button", name="In an hour").click()
        await until(fake, lambda: bool(fake.asked("POST", "/snooze")))
        [body] = fake.asked("POST", "/snooze")
        wait_s = (datetime.fromisoformat(body["until"]) - datetime.now(UTC)).total_seconds()
        assert wait_s == pytest.approx(3_600, abs=60)
        await expect(page.locator(".count")).to_have_text("1 of 4 cards")


async def test_a_short_swipe_springs_back_and_answers_nothing(mission: Page, fake: FakeHub) -> None:
    box = await front(mission).bounding_box()
    assert box is not None
    await mission.mouse.move(box["x"] + 200, box["y"] + 60)
    await mission.mouse.down()
    await mission.mouse.move(box["x"] + 225, box["y"] + 62, steps=4)
    await expect(front(mission)).to_have_attribute("data-lean", "approve")
    await mission.mouse.up()
    await expect(front(mission)).to_have_attribute("data-lean", "")
    await expect(prompt_in_front(mission)).to_have_text(PROMPTS[0])
    assert fake.asked("POST", "/confirm") == []


@pytest.mark.parametrize(
    ("key", "ending"), [("a", "/confirm"), ("ArrowRight", "/confirm"), ("d", "/reject"), ("ArrowLeft", "/reject")]
)
async def test_keys_answer(mission: Page, fake: FakeHub, key: str, ending: str) -> None:
    await front(mission).focus()
    await mission.keyboard.press(key)
    await until(fake, lambda: bool(fake.asked("POST", ending)))
    assert fake.asked("POST", ending)[0]["humanInput"] == "key"
    await expect(prompt_in_front(mission)).to_have_text(PROMPTS[1])


async def test_an_undo_waits_for_the_answer_that_is_on_its_way(mission: Page, fake: FakeHub) -> None:
    go_on = fake.held["/confirm"] = threading.Event()
    await until_steady(mission)
    await mission.keyboard.press("a")
    await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
    await mission.keyboard.press("u")
    go_on.set()
    await until(fake, lambda: bool(fake.asked("POST", "/undo")))


@pytest.mark.parametrize(("name", "ending"), [("Approve", "/confirm"), ("Dismiss", "/reject")])
async def test_buttons_answer(mission: Page, fake: FakeHub, name: str, ending: str) -> None:
    await front(mission).get_by_role("button", name=name).click()
    await until(fake, lambda: bool(fake.asked("POST", ending)))
    assert fake.asked("POST", ending)[0]["humanInput"] == "tap"


async def test_keys_go_from_card_to_card_and_round(mission: Page) -> None:
    for key, prompt in (("j", 1), ("j", 2), ("k", 1), ("k", 0), ("k", 4)):
        await mission.keyboard.press(key)
        await expect(prompt_in_front(mission)).to_have_text(PROMPTS[prompt])
    await expect(mission.locator(".count")).to_have_text("5 of 5 cards")
    await mission.get_by_role("button", name="Next card").click()
    await expect(mission.locator(".count")).to_have_text("1 of 5 cards")


async def test_a_dismissal_waits_for_a_reason_and_takes_it_along(mission: Page, fake: FakeHub) -> None:
    await until_steady(mission)
    await mission.keyboard.press("d")
    assert fake.asked("POST", "/reject") == []
    await mission.get_by_role("button", name="Bad timing").click()
    await until(fake, lambda: bool(fake.asked("POST", "/reject")))
    assert fake.asked("POST", "/reject")[0]["reason"] == "Bad timing"


async def test_a_dismissal_can_have_words_of_its_own(mission: Page, fake: FakeHub) -> None:
    await until_steady(mission)
    await mission.keyboard.press("d")
    await mission.get_by_role("button", name="Other").click()
    await mission.get_by_label("Why not?").fill("the branch is gone")
    await mission.keyboard.press("Enter")
    await until(fake, lambda: bool(fake.asked("POST", "/reject")))
    assert fake.asked("POST", "/reject")[0]["reason"] == "the branch is gone"


async def test_a_dismissal_that_waits_is_sent_by_the_next_answer(mission: Page, fake: FakeHub) -> None:
    await until_steady(mission)
    await mission.keyboard.press("d")
    await until_steady(mission)
    await mission.keyboard.press("a")
    await until(fake, lambda: bool(fake.asked("POST", "/confirm")))
    assert len(fake.asked("POST", "pred_0001/reject")) == 1


async def test_a_dismissal_that_waits_is_sent_when_the_page_is_left(mission: Page, fake: FakeHub) -> None:
    await until_steady(mission)
    await mission.keyboard.press("d")
    await mission.goto("about:blank")
    await until(fake, lambda: bool(fake.asked("POST", "pred_0001/reject")))


async def test_what_was_sent_on_leaving_and_got_lost_is_sent_at_the_next_start(mission: Page, fake: FakeHub) -> None:
    await mission.route("**/reject", lambda route: route.abort())
    await until_steady(mission)
    await mission.keyboard.press("d")
    await mission.goto("about:blank")
    await mission.unroute("**/reject")
    await mission.goto(fake.origin)
    await until(fake, lambda: bool(fake.asked("POST", "pred_0001/reject")))
    await expect(mission.locator(".count")).to_contain_text("of 4 cards")


KEPT = "async () => (await PulseStore.all('answers')).map(({ verb }) => verb)"
KEPT_S_MAX = 30.0


async def until_kept(page: Page, verbs: list[str]) -> None:
    """Wait until these answers lie in the browser."""
    async with asyncio.timeout(KEPT_S_MAX):
        while await page.evaluate(KEPT) != verbs:
            pass


async def test_a_browser_that_dies_within_the_moment_of_an_answer_sends_it_at_its_next_start(
    mission: Page, fake: FakeHub
) -> None:
    await until_steady(mission)
    await mission.keyboard.press("d")
    await until_kept(mission, ["reject"])
    await crash(mission)
    assert fake.asked("POST", "/reject") == []
    again = await mission.context.new_page()
    await again.goto(fake.origin)
    await until(fake, lambda: bool(fake.asked("POST", "pred_0001/reject")))
    await until_kept(again, [])
    assert len(fake.asked("POST", "/reject")) == 1


async def crash(page: Page) -> None:
    """End a page's process as a kill does: no script hears of it."""
    async with page.expect_event("crash"):
        session = await page.context.new_cdp_session(page)
        crashing = asyncio.ensure_future(session.send("Page.crash"))
    crashing.cancel()


async def test_what_was_taken_back_is_not_kept(mission: Page, fake: FakeHub) -> None:
    await until_steady(mission)
    await mission.keyboard.press("d")
    await mission.keyboard.press("u")
    await expect(mission.locator(".count")).to_have_text("1 of 5 cards")
    await until_steady(mission)
    await mission.keyboard.press("d")
    await until_kept(mission, ["reject"])
    await mission.keyboard.press("u")
    await until_kept(mission, [])
    assert fake.asked("POST", "/reject") == []


async def test_a_dismissal_that_waits_is_taken_back_without_a_word(mission: Page, fake: FakeHub) -> None:
    await until_steady(mission)
    await mission.keyboard.press("d")
    await expect(prompt_in_front(mission)).to_have_text(PROMPTS[1])
    await mission.keyboard.press("u")
    await expect(mission.locator(".count")).to_have_text("1 of 5 cards")
    assert fake.asked("POST", "/reject") == []
    assert fake.asked("POST", "/undo") == []


@pytest.mark.parametrize("how", ["key", "tap"])
async def test_an_answer_is_undone(mission: Page, fake: FakeHub, how: str) -> None:
    await until_steady(mission)
    await mission.keyboard.press("a")
    await expect(mission.locator(".toast")).to_contain_text("Approved.")
    if how == "key":
        await mission.keyboard.press("u")
    else:
        await mission.get_by_role("button", name="Undo").click()
    await until(fake, lambda: fake.cards["pred_0001"]["status"] == "cancelled")
    await expect(mission.get_by_role("region", name="Recent tasks")).to_contain_text(f"{PROMPTS[0]}withdrawn")


async def test_a_risky_card_wants_a_second_yes_in_place(chromium: Browser, fake: FakeHub) -> None:
    fake.cards["pred_0001"]["risk"] = "high"
    async with open_page(chromium, fake, "phone") as page:
        await expect(front(page).locator(".badges")).to_contain_text("risky")
        await swipe(page, front(page), "right", touch=True)
        await expect(front(page).get_by_role("group")).to_contain_text("This is risky")
        assert fake.asked("POST", "/confirm") == []
        await page.get_by_role("button", name="Cancel").click()
        await expect(front(page).get_by_role("button", name="Approve")).to_be_visible()
        await until_steady(page)
        await page.keyboard.press("a")
        await page.get_by_role("button", name="Yes, run it").click()
        await until(fake, lambda: bool(fake.asked("POST", "pred_0001/confirm")))


async def test_a_risky_card_is_approved_by_the_same_key_twice(chromium: Browser, fake: FakeHub) -> None:
    fake.cards["pred_0001"]["risk"] = "high"
    async with open_page(chromium, fake) as page:
        await until_steady(page)
        await page.keyboard.press("a")
        await expect(front(page).get_by_role("group")).to_be_visible()
        await until_steady(page)
        await page.keyboard.press("a")
        await until(fake, lambda: bool(fake.asked("POST", "pred_0001/confirm")))


async def test_details_tell_everything_and_run_another_text(mission: Page, fake: FakeHub) -> None:
    fake.add(status="executed", settled=settlement("approve"))
    await mission.keyboard.press("i")
    details = mission.get_by_role("dialog")
    await expect(details).to_contain_text("3 modules changed")
    await expect(details.locator(".verdicts li")).to_have_count(6)
    await expect(details.locator('.verdicts li[data-outcome="ask"]')).to_contain_text("72% is less than the 85%")
    await expect(details).to_contain_text("1 of 1 approved")
    await expect(details.locator(".figures").last).to_contain_text("US$0.05")
    run = details.get_by_role("button", name="Run this instead")
    await expect(run).to_be_disabled()
    await details.get_by_label("Run this instead").fill("Run only the slow tests")
    await run.click()
    await until(fake, lambda: bool(fake.asked("POST", "/edit")))
    assert fake.asked("POST", "/edit")[0]["prompt"] == "Run only the slow tests"
    await expect(details).to_have_count(0)


async def test_e_opens_the_editor_and_escape_closes_it(mission: Page) -> None:
    await mission.keyboard.press("e")
    await expect(mission.locator("#edit-prompt")).to_be_focused()
    await mission.keyboard.press("Escape")
    await expect(mission.get_by_role("dialog")).to_have_count(0)
    await expect(prompt_in_front(mission)).to_have_text(PROMPTS[0])


async def test_a_long_press_opens_the_details(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await prompt_in_front(page).hover()
        await page.mouse.down()
        await expect(page.get_by_role("dialog")).to_be_visible()
        await page.mouse.up()
        assert fake.asked("POST", "/confirm") == []


async def test_the_question_of_an_agent_cannot_be_reworded(chromium: Browser, fake: FakeHub) -> None:
    fake.cards["pred_0001"] |= {"source": "ask", "editable": False}
    async with open_page(chromium, fake) as page:
        await expect(front(page).locator(".place")).to_have_text("Claude asks")
        await page.keyboard.press("i")
        await expect(page.get_by_role("dialog")).to_be_visible()
        await expect(page.locator("#edit-prompt")).to_have_count(0)


async def test_other_words_for_a_fixed_command_are_not_offered(chromium: Browser, fake: FakeHub) -> None:
    fake.cards["pred_0001"]["editable"] = False
    async with open_page(chromium, fake) as page:
        await page.keyboard.press("e")
        await expect(page.get_by_role("dialog")).to_contain_text("so it cannot be edited")
        await expect(page.locator("#edit-prompt")).to_have_count(0)


async def test_an_address_with_a_card_opens_its_details(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await page.evaluate("location.hash = '#card=pred_0003'")
        await expect(page.get_by_role("dialog")).to_contain_text(PROMPTS[2])


async def test_a_click_on_a_notification_opens_its_card_each_time(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        for _ in range(2):
            await page.evaluate(CLICKED, "pred_0003")
            await expect(page.get_by_role("dialog")).to_contain_text(PROMPTS[2])
            await page.keyboard.press("Escape")
            await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(front(page)).to_contain_text(PROMPTS[2])


async def test_question_mark_shows_the_keys(mission: Page) -> None:
    await mission.keyboard.press("?")
    await expect(mission.get_by_role("dialog")).to_contain_text("Undo the last answer")


async def test_snoozing_at_a_time_of_ones_own(mission: Page, fake: FakeHub) -> None:
    await until_steady(mission)
    await mission.keyboard.press("s")
    field = mission.get_by_label("Another time")
    latest = await field.get_attribute("max")
    assert latest is not None
    await field.fill(latest)
    await mission.get_by_role("button", name="Set", exact=True).click()
    await until(fake, lambda: bool(fake.asked("POST", "/snooze")))


async def test_an_answer_that_came_too_late_shows_who_was_first(mission: Page, fake: FakeHub) -> None:
    taken = {**fake.cards["pred_0001"], "status": "rejected", "settled": settlement("reject")}
    detail = "Somebody was first: dismissed on your phone."
    fake.refuse_next = (409, problem(409, "already-settled", detail, prediction=taken, settled=taken["settled"]))
    await until_steady(mission)
    await mission.keyboard.press("a")
    await expect(front(mission).locator(".settled")).to_contain_text("You dismissed it on your phone")
    await expect(mission.locator(".toast")).to_contain_text(detail)
    await expect(mission.locator(".count")).to_have_text("1 of 4 cards")


async def test_a_refused_answer_brings_the_card_back(mission: Page, fake: FakeHub) -> None:
    fake.refuse_next = (409, problem(409, "rail-cost", "A spending limit does not allow it."))
    await until_steady(mission)
    await mission.keyboard.press("a")
    await expect(mission.locator(".toast")).to_contain_text("A spending limit does not allow it.")
    await expect(mission.locator(".count")).to_contain_text("of 5 cards")


async def test_the_kill_switch_stops_everything_and_starts_again(mission: Page, fake: FakeHub) -> None:
    await mission.locator(".kill").click()
    await mission.get_by_role("button", name="Stop everything").click()
    await until(fake, lambda: bool(fake.asked("PATCH", "/config")))
    assert fake.asked("PATCH", "/config") == [{"emergencyStop": True}]
    await expect(mission.locator(".banner.off")).to_contain_text("even if Pulse or the computer restarts.")
    await mission.locator(".kill").click()
    await mission.get_by_role("dialog").get_by_role("button", name="Start again").click()
    await expect(mission.locator(".banner.off")).to_have_count(0)


async def test_an_empty_stack_says_why_and_lets_pulse_think(chromium: Browser) -> None:
    with FakeHub() as fake:
        fake.status["quiet"] = True
        async with open_page(chromium, fake) as page:
            await expect(page.locator(".empty")).to_contain_text("Quiet hours")
            await page.get_by_role("button", name="Look for suggestions").click()
            await expect(page.locator(".toast")).to_contain_text("nothing worth suggesting")
            assert fake.asked("POST", "/trigger") == [{"force": True}]


async def test_a_message_waits_for_the_part_that_shows_it(chromium: Browser) -> None:
    with FakeHub() as fake:
        async with new_page(chromium) as (page, complaints):
            go_on = asyncio.Event()

            async def held(route: Route) -> None:
                await go_on.wait()
                await route.continue_()

            await page.route("**/undo.js", held)
            await page.goto(fake.origin)
            think = page.get_by_role("button", name="Look for suggestions")
            await think.click()
            await until(fake, lambda: bool(fake.asked("POST", "/trigger")))
            await expect(think).to_be_enabled()  # it has been answered
            go_on.set()
            await expect(page.locator(".toast")).to_contain_text("nothing worth suggesting")
            assert complaints.texts == []


async def test_a_browser_that_is_not_signed_in_is_shown_how_to_pair(chromium: Browser, fake: FakeHub) -> None:
    fake.paired, fake.command = False, "./pulse"
    async with open_page(chromium, fake, ready=".pairing") as page:
        await expect(page.locator("#code-help code").first).to_have_text("pulse open")
        await expect(page.locator("#code-help")).to_contain_text("Run it the way you ran pulse up")
        await page.get_by_label("Code").fill("BAD")
        await page.get_by_role("button", name="Pair this browser").click()
        await expect(page.locator(".pairing .note.bad")).to_contain_text("older than ten minutes")
        await page.get_by_label("Code").fill("GOOD-CODE")
        await page.keyboard.press("Enter")
        await expect(prompt_in_front(page)).to_have_text(PROMPTS[0])
        fake.paired = False
        await page.reload()
        await expect(page.locator("#code-help code").first).to_have_text(f"{fake.command} open")


async def test_a_code_in_the_address_signs_in_and_is_gone_from_it(chromium: Browser, fake: FakeHub) -> None:
    fake.paired = False
    async with new_page(chromium) as (page, complaints):
        decide = asyncio.Event()

        async def held(route: Route) -> None:
            await decide.wait()
            await route.continue_()

        await page.route("**/api/v1/session", held)
        await page.goto(f"{fake.origin}/#pair=GOOD-CODE")
        await expect(page.locator(".pairing")).to_have_text("Pairing this browser…")
        assert "pair" not in page.url
        decide.set()
        await expect(prompt_in_front(page)).to_have_text(PROMPTS[0])
        assert complaints.texts == []


async def test_a_link_that_an_agent_ended_says_so_and_where_another_is_shown(chromium: Browser, fake: FakeHub) -> None:
    fake.paired = False
    async with open_page(chromium, fake, path="/#pair=ENDED-CODE", ready=".pairing form") as page:
        await expect(page.locator(".pairing .note.bad")).to_contain_text("ended when an agent was connected")
        await expect(page.locator(".pairing .note.bad")).to_contain_text("in a terminal outside tmux")
        await expect(page.locator("#code-help code").first).to_have_text("pulse open")


async def test_a_code_in_the_address_that_is_void_is_shown_with_what_to_do(chromium: Browser, fake: FakeHub) -> None:
    fake.paired = False
    async with open_page(chromium, fake, path="/#pair=VOID-CODE", ready=".pairing form") as page:
        await expect(page.locator(".pairing .note.bad")).to_contain_text("older than ten minutes")
        await expect(page.get_by_label("Code")).to_be_focused()
        await expect(page.get_by_label("Code")).to_have_value("VOID-CODE")
        await page.get_by_label("Code").fill("GOOD-CODE")
        await page.keyboard.press("Enter")
        await expect(prompt_in_front(page)).to_have_text(PROMPTS[0])


async def test_german_is_chosen_by_the_browser(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, locale="de-DE") as page:
        await expect(front(page).get_by_role("button", name="Genehmigen")).to_be_visible()
        await expect(page.locator("html")).to_have_attribute("lang", "de")


async def test_a_german_card_is_german_and_an_edit_begins_with_what_would_run(chromium: Browser) -> None:
    fixed = say("Find out why CI{of} fails, and fix it", of=say(" of {name}", name="shop"))
    why = say("The last CI result{branch} is a failure", branch="")
    wordings = {"promptWorded": to_builtins(fixed.wording), "reasoningWorded": to_builtins(why.wording)}
    with FakeHub() as fake:
        fake.add(prompt=fixed.text, reasoning=why.text, **wordings)
        async with open_page(chromium, fake, locale="de-DE") as page:
            german = "Herausfinden, warum CI von shop fehlschlägt, und es beheben"
            await expect(prompt_in_front(page)).to_have_text(german)
            await expect(front(page).locator(".why")).to_have_text("CI ist zuletzt fehlgeschlagen")
            await page.keyboard.press("e")
            await expect(page.locator("dialog .prompt")).to_have_text(german)
            await expect(page.locator("#edit-prompt")).to_have_value(fixed.text)
