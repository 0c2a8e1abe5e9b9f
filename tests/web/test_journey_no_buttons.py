"""Web Push in a real Firefox whose notifications have no buttons: the text leads to the card in one click."""

from collections.abc import AsyncIterator

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


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def at() -> AsyncIterator[Desk]:
    async with desk(has_buttons=False) as made:
        yield made


async def test_each_notification_has_its_text_alone_and_a_click_opens_its_card(at: Desk) -> None:
    assert await at.firefox.script("Notification.maxActions ?? 'missing'") in {0, "missing"}
    cards = [await at.hub.ask(text) for text in ("Send the newsletter?", "Water the plants?")]
    shown = [await at.notified(card) for card in cards]
    assert [[key for key in one.actions.values() if key != "default"] for one in shown] == [[], []]
    for card, one in zip(cards, shown, strict=True):
        at.desktop.tap(one)
        await at.firefox.until_open(card["id"])
    pages = [address for address in await at.firefox.addresses() if address != "about:blank"]
    assert [cards[1]["id"] in address for address in pages] == [True]
