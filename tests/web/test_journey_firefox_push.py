"""Web Push end to end in a real Firefox with no page open: shown, answered from the notification, carried out."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.web.pushed_firefox import Desk, desk

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_dbus,
    pytest.mark.needs_firefox,
    pytest.mark.needs_mosquitto,
]
WAIT_S_MAX = 40
LOOK_S = 0.1


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def at() -> AsyncIterator[Desk]:
    async with desk() as made:
        yield made


async def until(at: Desk, card: dict[str, Any], *statuses: str) -> dict[str, Any]:
    """Wait until the hub has the card so."""
    async with asyncio.timeout(WAIT_S_MAX):
        while True:
            now = await at.hub.card(card["id"])
            if now["status"] in statuses:
                return now
            await asyncio.sleep(LOOK_S)


async def until_ledger(at: Desk, card: dict[str, Any], *states: str) -> None:
    """Wait until the ledger has one of these states of the card's delivery to the browser."""
    async with asyncio.timeout(WAIT_S_MAX):
        while True:
            why = await at.hub.call("GET", f"/api/v1/predictions/{card['id']}/why")
            lines = [step["text"] for step in why["steps"] if step["kind"] == "delivery"]
            new = " ".join(line for line in lines if line.startswith("the card to browser/"))
            if any(f": {state}" in new for state in states):
                return
            await asyncio.sleep(LOOK_S)


def buttons(actions: Any) -> list[str]:  # noqa: ANN401  label to key
    return [label for label, key in actions.items() if key != "default"]


async def test_a_card_is_shown_answered_and_carried_out_without_a_page(at: Desk) -> None:
    card = await at.hub.suggest("List the stale branches")
    shown = await at.notified(card)
    assert buttons(shown.actions) == ["Approve", "Dismiss"]
    await until_ledger(at, card, "shown")
    before = at.count
    at.desktop.click(shown, "Approve")
    done = await until(at, card, "executed")
    assert (done["settled"]["surface"], done["settled"]["humanInput"]) == ("browser", "tap")
    outcome = await at.desktop.shown.first(lambda one: "pproved" in one.title, after=before)
    assert buttons(outcome.actions) == []
    await until_ledger(at, card, "acted")
    assert await at.firefox.addresses() == ["about:blank"]


async def test_dismiss_on_the_notification(at: Desk) -> None:
    card = await at.hub.ask("Send the newsletter?")
    at.desktop.click(await at.notified(card), "Dismiss")
    assert (await until(at, card, "rejected"))["settled"]["surface"] == "browser"


async def test_a_risky_card_cannot_be_approved_from_a_notification(at: Desk) -> None:
    card = await at.hub.ask("Drop the production database?", risk="high")
    shown = await at.notified(card)
    assert buttons(shown.actions) == ["Open", "Dismiss"]
    at.desktop.click(shown, "Dismiss")
    await until(at, card, "rejected")


async def test_what_is_settled_elsewhere_replaces_the_notification(at: Desk) -> None:
    card = await at.hub.ask("Who is quicker?")
    shown = await at.notified(card)
    before = at.count
    await at.hub.call("POST", f"/api/v1/predictions/{card['id']}/confirm", {})
    replaced = await at.desktop.shown.first(
        lambda one: one.replaces == shown.id or "pproved" in one.title, after=before
    )
    assert "api" in replaced.title.lower() + replaced.body.lower()
    assert "Approve" not in replaced.actions


async def test_putting_it_away_is_no_answer_and_is_in_the_ledger(at: Desk) -> None:
    card = await at.hub.ask("Just look?")
    at.desktop.dismiss(await at.notified(card))
    await until_ledger(at, card, "cleared")
    assert (await at.hub.card(card["id"]))["status"] == "pending"


async def test_a_button_pressed_too_late_says_who_was_first(at: Desk) -> None:
    card = await at.hub.ask("Pressed too late?")
    shown = await at.notified(card)
    await at.hub.call("POST", f"/api/v1/predictions/{card['id']}/reject", {})
    before = at.count
    at.desktop.click(shown, "Approve")
    told = await at.desktop.shown.first(lambda one: "Pressed too late?" in one.body, after=before)
    assert "Approve" not in told.actions
    assert (await at.hub.card(card["id"]))["status"] == "rejected"


async def test_hostile_text_is_only_text(at: Desk) -> None:
    text = "<b>bold</b> &amp; <img src=x> \u05de\u05d7\u05e7 \U0001f9ea go?"
    card = await at.hub.ask(text)
    shown = await at.notified(card)
    assert "<" not in shown.title + shown.body
    at.desktop.click(shown, "Dismiss")
    await until(at, card, "rejected")


async def test_a_tap_opens_the_page_on_the_card(at: Desk) -> None:
    card = await at.hub.ask("Open me?")
    at.desktop.tap(await at.notified(card))
    await at.firefox.until_open(card["id"])


async def test_the_hub_is_killed_and_the_button_still_works_afterwards(at: Desk) -> None:
    card = await at.hub.ask("Across a crash?")
    shown = await at.notified(card)
    at.hub.kill()
    await asyncio.to_thread(at.hub.start)
    at.desktop.click(shown, "Approve")
    assert (await until(at, card, "confirmed", "executed"))["settled"]["surface"] == "browser"
