"""A person with the page open: pairs, sees, answers by hand and by key, is told of others, and outlives a crash."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from tests.web.chromium import new_page
from tests.web.conftest import assert_quiet
from tests.web.gestures import swipe
from tests.web.live_hub import LiveHub
from tests.web.signing_in import READY, sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
]
SETTLED_S_MAX = 90
LOOK_S = 0.02


@pytest_asyncio.fixture(loop_scope="session", params=["desktop", "phone"])
async def at(
    request: pytest.FixtureRequest, chromium: Browser, shared_hub: LiveHub
) -> AsyncIterator[tuple[Page, bool]]:
    """A page that is signed in, and whether it is used by touch; the phone's moves, the desktop's holds still."""
    motion = "no-preference" if request.param == "phone" else "reduce"
    async with new_page(chromium, request.param, reduced_motion=motion) as (page, complaints):
        await sign_in(page, shared_hub)
        yield page, request.param == "phone"
        assert_quiet(complaints)


def card_of(page: Page, card: dict[str, Any]) -> Locator:
    return page.locator(f'.card[data-id="{card["id"]}"]:not(.ghost)')


async def shown(page: Page, card: dict[str, Any]) -> Locator:
    """Return the card once it lies on top of the pile: the newest one does unless another has the attention."""
    one = card_of(page, card)
    await one.wait_for(state="attached")
    for _ in range(await page.locator(".card").count()):
        if await one.evaluate("(node) => !node.inert && !node.matches('[aria-hidden=true]')"):
            break
        await page.keyboard.press("j")
    return one


async def settled(hub: LiveHub, card: dict[str, Any], *statuses: str) -> dict[str, Any]:
    """Wait until the hub has it so."""
    async with asyncio.timeout(SETTLED_S_MAX), hub.client() as client:
        while True:
            now: dict[str, Any] = (await client.get(f"/api/v1/predictions/{card['id']}")).json()
            if now["status"] in statuses:
                return now
            await asyncio.sleep(LOOK_S)


KEY_IS_OUT_OF_REACH = """async () => {
  const { privateKey } = await PulseStore.get("facts", "session");
  const refusal = await crypto.subtle.exportKey("jwk", privateKey).catch((error) => error.name);
  return [privateKey.extractable, refusal];
}"""


def by(card: dict[str, Any]) -> tuple[str, str, str]:
    return card["settled"]["verb"], card["settled"]["surface"], card["settled"]["humanInput"]


async def test_the_link_that_is_printed_signs_in_once(hub: LiveHub, desktop: Page, chromium: Browser) -> None:
    link = json.loads(hub.said)["link"]
    await desktop.goto(link)
    await desktop.wait_for_selector(READY, state="attached")
    assert "pair" not in desktop.url
    assert await desktop.context.cookies() == []
    assert await desktop.evaluate(KEY_IS_OUT_OF_REACH) == [False, "InvalidAccessError"]
    async with new_page(chromium) as (other, _complaints):
        await other.goto(link)
        await other.locator("p[role=alert]").wait_for()
        assert await other.locator(READY).count() == 0


async def test_it_stays_signed_in(hub: LiveHub, page: Page) -> None:
    await sign_in(page, hub)
    await page.goto(hub.api)
    await page.wait_for_selector(READY, state="attached")


async def test_a_card_shows_what_is_asked(shared_hub: LiveHub, at: tuple[Page, bool]) -> None:
    page, _ = at
    card = await shared_hub.ask("Publish version 2.1?")
    one = await shown(page, card)
    await expect(one.locator(".prompt")).to_have_text("Publish version 2.1?")
    await expect(one).to_contain_text("ask")
    await page.keyboard.press("i")
    await expect(page.locator("dialog[open]")).to_contain_text("Publish version 2.1?")
    await page.keyboard.press("Escape")
    await page.keyboard.press("a")
    await settled(shared_hub, card, "confirmed", "executed")


@pytest.mark.parametrize(("way", "verb", "status"), [("right", "approve", "confirmed"), ("left", "reject", "rejected")])
async def test_a_swipe_answers(shared_hub: LiveHub, at: tuple[Page, bool], way: str, verb: str, status: str) -> None:
    page, touch = at
    card = await shared_hub.ask(f"Swipe {way}?")
    await swipe(page, await shown(page, card), way, touch=touch)
    assert by(await settled(shared_hub, card, status, "executed")) == (verb, "browser", "tap")


@pytest.mark.parametrize(("key", "verb", "status"), [("a", "approve", "confirmed"), ("d", "reject", "rejected")])
async def test_a_key_answers(shared_hub: LiveHub, at: tuple[Page, bool], key: str, verb: str, status: str) -> None:
    page, _ = at
    card = await shared_hub.ask(f"Press {key}?")
    await (await shown(page, card)).press(key)
    assert by(await settled(shared_hub, card, status, "executed")) == (verb, "browser", "key")


async def test_a_swipe_up_snoozes_for_as_long_as_is_chosen(shared_hub: LiveHub, at: tuple[Page, bool]) -> None:
    page, touch = at
    card = await shared_hub.ask("Later?")
    await swipe(page, await shown(page, card), "up", touch=touch)
    await page.locator("dialog[open] button").first.wait_for()
    await page.locator("dialog[open] .body button, dialog[open] .choices button, dialog[open] button").nth(1).click()
    await card_of(page, card).wait_for(state="detached")
    now = await shared_hub.card(card["id"])
    assert now["status"] == "pending"
    assert now["snoozedUntil"]


async def test_an_answer_can_be_taken_back(shared_hub: LiveHub, at: tuple[Page, bool]) -> None:
    page, _ = at
    card = await shared_hub.suggest("List the stale branches")
    await (await shown(page, card)).press("d")
    await settled(shared_hub, card, "rejected")
    await page.keyboard.press("u")
    await settled(shared_hub, card, "pending")
    await (await shown(page, card)).press("d")
    await page.locator("#toasts button", has_text="Undo").click()
    await expect(await shown(page, card)).to_have_attribute("data-phase", "open")
    assert (await shared_hub.card(card["id"]))["status"] == "pending"
    await shared_hub.call("POST", f"/api/v1/predictions/{card['id']}/reject", {})


async def test_a_dismissal_can_say_why(shared_hub: LiveHub, at: tuple[Page, bool]) -> None:
    page, _ = at
    card = await shared_hub.ask("With a reason?")
    await (await shown(page, card)).press("d")
    chip = page.locator("#toasts .chips button").first
    reason = await chip.text_content()
    await chip.click()
    assert (await settled(shared_hub, card, "rejected"))["settled"]["reason"] == reason


async def test_a_risky_card_wants_a_second_yes(shared_hub: LiveHub, at: tuple[Page, bool]) -> None:
    page, _ = at
    card = await shared_hub.ask("Drop the old database?", risk="high")
    one = await shown(page, card)
    await one.press("a")
    await one.locator(".confirm button.bad").wait_for()
    assert (await shared_hub.card(card["id"]))["status"] == "pending"
    await one.locator(".confirm button.bad").click()
    await settled(shared_hub, card, "confirmed", "executed")


async def test_what_is_settled_elsewhere_shows_in_place(shared_hub: LiveHub, at: tuple[Page, bool]) -> None:
    page, _ = at
    card = await shared_hub.ask("Who is first?")
    one = await shown(page, card)
    body = {"humanInput": "tap"}
    await shared_hub.call("POST", f"/api/v1/predictions/{card['id']}/confirm", body)
    await expect(one.locator(".settled")).to_contain_text("over the API")


async def test_a_late_answer_is_told_who_was_first(hub: LiveHub, desktop: Page) -> None:
    """The feed is cut, so that the page cannot know."""
    await sign_in(desktop, hub)
    card = await hub.ask("Too late?")
    one = await shown(desktop, card)
    await desktop.route("**/confirm", lambda route: settle_first(hub, card, route))
    await one.press("a")
    await expect(desktop.locator("#toasts")).to_contain_text("first")
    assert (await hub.card(card["id"]))["status"] == "rejected"


async def settle_first(hub: LiveHub, card: dict[str, Any], route: Any) -> None:  # noqa: ANN401  Playwright's route
    await hub.call("POST", f"/api/v1/predictions/{card['id']}/reject")
    await route.continue_()


async def test_a_hub_that_is_killed_and_started_again_leaves_the_page_right(hub: LiveHub, page: Page) -> None:
    await sign_in(page, hub)
    kept, gone = await hub.ask("Still open after the crash?"), await hub.ask("Answered before the crash?")
    await shown(page, kept)
    await hub.call("POST", f"/api/v1/predictions/{gone['id']}/confirm", {})
    hub.kill()
    await page.locator(".banner.lost").wait_for()
    await asyncio.to_thread(hub.start)
    fresh = await hub.ask("Asked after the crash?")
    await shown(page, fresh)
    await page.locator(".banner.lost").wait_for(state="detached")
    await (await shown(page, kept)).press("a")
    await settled(hub, kept, "confirmed", "executed")
    assert (await hub.card(gone["id"]))["settled"]["surface"] == "api"


async def test_an_answer_given_while_the_hub_is_away_is_sent_when_it_is_back(hub: LiveHub, page: Page) -> None:
    await sign_in(page, hub)
    mine, theirs = await hub.ask("Answered offline?"), await hub.ask("Settled meanwhile?")
    await shown(page, mine)
    await page.wait_for_selector("html[data-complete=yes]", state="attached")
    await page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    await page.context.set_offline(True)
    await (await shown(page, theirs)).press("a")
    await (await shown(page, mine)).press("a")
    await hub.call("POST", f"/api/v1/predictions/{theirs['id']}/reject")
    await page.context.set_offline(False)
    assert by(await settled(hub, mine, "confirmed", "executed")) == ("approve", "browser", "key")
    assert (await hub.card(theirs["id"]))["status"] == "rejected"


async def test_the_kill_switch_stops_everything_and_lets_it_go_on(hub: LiveHub, page: Page) -> None:
    await sign_in(page, hub)
    await page.locator(".kill").click()
    await page.locator("dialog[open] .level.bad").click()
    await page.locator(".banner.off").wait_for()
    assert (await hub.call("GET", "/api/v1/crosspoll/status"))["enabled"] is False
    await page.locator(".banner.off button").click()
    await page.locator("dialog[open] .level.main").click()
    await page.locator(".banner.off").wait_for(state="detached")
    assert (await hub.call("GET", "/api/v1/crosspoll/status"))["enabled"] is True
