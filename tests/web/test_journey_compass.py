"""A person with the page open: pairs, sees, answers by hand and by key, is told of others, and outlives a crash."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from tests.web.chromium import Complaints, new_page, until_steady
from tests.web.conftest import assert_quiet
from tests.web.gestures import swipe
from tests.web.live_hub import LiveHub, live_hub
from tests.web.signing_in import READY, sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
]
SETTLED_S_MAX = 90
LOOK_S = 0.2
"""The page keeps an answer back for some seconds, so that it can be taken back: asking all that time costs as much."""


@pytest.fixture(scope="module")
def hub(shared_hub: LiveHub) -> LiveHub:
    """One hub for all; a test that needs it to be as it was begun takes `fresh_hub`."""
    return shared_hub


@pytest.fixture
def fresh_hub(tmp_path: Path) -> Iterator[LiveHub]:
    with live_hub(tmp_path) as made:
        yield made


class SignedIn(NamedTuple):
    """A page that is signed in and holds still, what it complained about, and whether it is used by touch."""

    page: Page
    complaints: Complaints
    touch: bool


@pytest_asyncio.fixture(loop_scope="session", scope="module", params=["desktop", "phone"])
async def signed_in(request: pytest.FixtureRequest, chromium: Browser, hub: LiveHub) -> AsyncIterator[SignedIn]:
    """One of each size for all tests that answer a card of their own and wait for it."""
    async with new_page(chromium, request.param) as (page, complaints):
        await sign_in(page, hub)
        yield SignedIn(page, complaints, request.param == "phone")


@pytest.fixture
def at(signed_in: SignedIn) -> Iterator[Page]:
    yield signed_in.page
    assert_quiet(signed_in.complaints)


@pytest_asyncio.fixture(loop_scope="session")
async def swiped(signed_in: SignedIn) -> AsyncIterator[tuple[Page, bool]]:
    """The page, and whether it is used by touch; the phone's moves meanwhile, the desktop's holds still."""
    page, complaints, touch = signed_in
    if touch:
        await page.emulate_media(reduced_motion="no-preference")
    yield page, touch
    await page.emulate_media(reduced_motion="reduce")
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
    await until_steady(page)
    return one


async def settled(hub: LiveHub, card: dict[str, Any], *statuses: str) -> dict[str, Any]:
    """Wait until the hub has it so."""
    return await came_to(hub, card, lambda now: now["status"] in statuses)


async def came_to(hub: LiveHub, card: dict[str, Any], is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until the hub has what the page showed at once: its own answer follows later."""
    async with asyncio.timeout(SETTLED_S_MAX), hub.client() as client:
        while True:
            now: dict[str, Any] = (await client.get(f"/api/v1/predictions/{card['id']}")).json()
            if is_so(now):
                return now
            await asyncio.sleep(LOOK_S)


KEY_IS_OUT_OF_REACH = """async () => {
  const { privateKey } = await PulseStore.get("facts", "session");
  const refusal = await crypto.subtle.exportKey("jwk", privateKey).catch((error) => error.name);
  return [privateKey.extractable, refusal];
}"""


def by(card: dict[str, Any]) -> tuple[str, str, str]:
    return card["settled"]["verb"], card["settled"]["surface"], card["settled"]["humanInput"]


async def test_the_link_that_is_printed_signs_in_once(fresh_hub: LiveHub, desktop: Page, chromium: Browser) -> None:
    link = json.loads(fresh_hub.said)["link"]
    await desktop.goto(link)
    await desktop.wait_for_selector(READY, state="attached")
    assert "pair" not in desktop.url
    assert await desktop.context.cookies() == []
    assert await desktop.evaluate(KEY_IS_OUT_OF_REACH) == [False, "InvalidAccessError"]
    async with new_page(chromium) as (other, _complaints):
        await other.goto(link)
        await other.locator("p[role=alert]").wait_for()
        assert await other.locator(READY).count() == 0


async def test_it_stays_signed_in(hub: LiveHub, desktop: Page) -> None:
    await sign_in(desktop, hub)
    await desktop.goto(hub.api)
    await desktop.wait_for_selector(READY, state="attached")


async def test_a_card_shows_what_is_asked(hub: LiveHub, at: Page) -> None:
    card = await hub.ask("Publish version 2.1?")
    one = await shown(at, card)
    await expect(one.locator(".prompt")).to_have_text("Publish version 2.1?")
    await expect(one).to_contain_text("ask")
    await at.keyboard.press("i")
    await expect(at.locator("dialog[open]")).to_contain_text("Publish version 2.1?")
    await at.keyboard.press("Escape")
    await at.keyboard.press("a")
    await settled(hub, card, "confirmed", "executed")


@pytest.mark.parametrize(("way", "verb", "status"), [("right", "approve", "confirmed"), ("left", "reject", "rejected")])
async def test_a_swipe_answers(hub: LiveHub, swiped: tuple[Page, bool], way: str, verb: str, status: str) -> None:
    page, touch = swiped
    card = await hub.ask(f"Swipe {way}?")
    await swipe(page, await shown(page, card), way, touch=touch)
    assert by(await settled(hub, card, status, "executed")) == (verb, "browser", "tap")


@pytest.mark.parametrize(("key", "verb", "status"), [("a", "approve", "confirmed"), ("d", "reject", "rejected")])
async def test_a_key_answers(hub: LiveHub, at: Page, key: str, verb: str, status: str) -> None:
    card = await hub.ask(f"Press {key}?")
    await (await shown(at, card)).press(key)
    assert by(await settled(hub, card, status, "executed")) == (verb, "browser", "key")


async def test_a_swipe_up_snoozes_for_as_long_as_is_chosen(hub: LiveHub, swiped: tuple[Page, bool]) -> None:
    page, touch = swiped
    card = await hub.ask("Later?")
    await swipe(page, await shown(page, card), "up", touch=touch)
    await page.locator("dialog[open] button").first.wait_for()
    await page.locator("dialog[open] .body button, dialog[open] .choices button, dialog[open] button").nth(1).click()
    await card_of(page, card).wait_for(state="detached")
    assert (await came_to(hub, card, lambda now: now["snoozedUntil"]))["status"] == "pending"


async def test_an_answer_can_be_taken_back(hub: LiveHub, at: Page) -> None:
    card = await hub.suggest("List the stale branches")
    await (await shown(at, card)).press("d")
    await settled(hub, card, "rejected")
    await at.keyboard.press("u")
    await settled(hub, card, "pending")
    await (await shown(at, card)).press("d")
    await at.locator("#toasts button", has_text="Undo").click()
    await expect(await shown(at, card)).to_have_attribute("data-phase", "open")
    assert (await hub.card(card["id"]))["status"] == "pending"
    await hub.call("POST", f"/api/v1/predictions/{card['id']}/reject", {})


async def test_a_dismissal_can_say_why(hub: LiveHub, at: Page) -> None:
    card = await hub.ask("With a reason?")
    await (await shown(at, card)).press("d")
    chip = at.locator("#toasts .chips button").first
    reason = await chip.text_content()
    await chip.click()
    assert (await settled(hub, card, "rejected"))["settled"]["reason"] == reason


async def test_a_risky_card_wants_a_second_yes(hub: LiveHub, at: Page) -> None:
    card = await hub.ask("Drop the old database?", risk="high")
    one = await shown(at, card)
    await one.press("a")
    await one.locator(".confirm button.bad").wait_for()
    assert (await hub.card(card["id"]))["status"] == "pending"
    await one.locator(".confirm button.bad").click()
    await settled(hub, card, "confirmed", "executed")


async def test_what_is_settled_elsewhere_shows_in_place(hub: LiveHub, at: Page) -> None:
    card = await hub.ask("Who is first?")
    one = await shown(at, card)
    body = {"humanInput": "tap"}
    await hub.call("POST", f"/api/v1/predictions/{card['id']}/confirm", body)
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


@pytest.mark.parametrize("worker", [True])
async def test_a_hub_that_is_killed_and_started_again_leaves_the_page_right(fresh_hub: LiveHub, desktop: Page) -> None:
    await sign_in(desktop, fresh_hub)
    kept, gone = await fresh_hub.ask("Still open after the crash?"), await fresh_hub.ask("Answered before the crash?")
    await shown(desktop, kept)
    await fresh_hub.call("POST", f"/api/v1/predictions/{gone['id']}/confirm", {})
    fresh_hub.kill()
    await desktop.locator(".banner.lost").wait_for()
    await asyncio.to_thread(fresh_hub.start)
    fresh = await fresh_hub.ask("Asked after the crash?")
    await shown(desktop, fresh)
    await desktop.locator(".banner.lost").wait_for(state="detached")
    await (await shown(desktop, kept)).press("a")
    await settled(fresh_hub, kept, "confirmed", "executed")
    assert (await fresh_hub.card(gone["id"]))["settled"]["surface"] == "api"


@pytest.mark.parametrize("worker", [True])
async def test_an_answer_given_while_the_hub_is_away_is_sent_when_it_is_back(hub: LiveHub, phone: Page) -> None:
    await sign_in(phone, hub)
    mine, theirs = await hub.ask("Answered offline?"), await hub.ask("Settled meanwhile?")
    await shown(phone, mine)
    await phone.wait_for_selector("html[data-complete=yes]", state="attached")
    await phone.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    await phone.context.set_offline(True)
    await (await shown(phone, theirs)).press("a")
    await (await shown(phone, mine)).press("a")
    await hub.call("POST", f"/api/v1/predictions/{theirs['id']}/reject")
    await phone.context.set_offline(False)
    assert by(await settled(hub, mine, "confirmed", "executed")) == ("approve", "browser", "key")
    assert (await hub.card(theirs["id"]))["status"] == "rejected"


async def test_the_kill_switch_stops_everything_and_lets_it_go_on(hub: LiveHub, page: Page) -> None:
    await sign_in(page, hub)
    await page.locator(".kill").click()
    await page.locator("dialog[open] .level.bad").click()
    await page.locator(".banner.off").wait_for()
    assert (await hub.call("GET", "/api/v1/crosspoll/status"))["enabled"] is False
    await page.locator(".kill").click()
    await page.locator("dialog[open] .level.main").click()
    await page.locator(".banner.off").wait_for(state="detached")
    assert (await hub.call("GET", "/api/v1/crosspoll/status"))["enabled"] is True
