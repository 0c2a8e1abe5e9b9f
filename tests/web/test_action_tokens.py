"""The token on a notification: good for one card, one device, the verbs offered, once, and until the card expires."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from tests.web.live_hub import LiveHub, live_hub
from tests.web.push_service import PushService, running_push_service
from tests.web.subscriber import Subscriber, changed, subscribed

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_mosquitto]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def service() -> AsyncIterator[PushService]:
    async with running_push_service() as made:
        yield made


@pytest.fixture(scope="module")
def hub(service: PushService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHub]:
    folder: Path = tmp_path_factory.mktemp("hub")
    with live_hub(folder, f'[web]\npush_hosts = ["{service.origin}"]\n') as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def browser(hub: LiveHub, service: PushService) -> AsyncIterator[Subscriber]:
    async with subscribed(hub, service) as made:
        yield made


def code(answer: httpx.Response) -> str:
    assert answer.is_client_error, answer.text
    return str(answer.json()["code"])


async def test_a_push_says_what_a_worker_needs_and_no_more(hub: LiveHub, browser: Subscriber) -> None:
    card = await hub.ask("Deploy the shop?", risk="high")
    said = await browser.pushed(card["id"])
    data = said["notification"]["data"]
    assert said["web_push"] == 8030
    assert said["notification"]["navigate"] == f"{hub.api}/#card={card['id']}"
    assert said["notification"]["tag"] == card["id"]
    assert (data["cardId"], data["cardHash"], data["risk"]) == (card["id"], card["cardHash"], "high")
    assert hub.token not in str(said)


async def test_a_token_answers_its_card_and_the_same_answer_again_is_no_error(
    hub: LiveHub, browser: Subscriber
) -> None:
    card = await hub.ask("Clear the cache?")
    token = (await browser.pushed(card["id"]))["notification"]["data"]["token"]
    first = await browser.act(token, "approve", "d-1")
    assert first.json()["prediction"]["status"] in {"confirmed", "executed"}
    settled = (await hub.card(card["id"]))["settled"]
    assert (settled["surface"], settled["device"], settled["humanInput"]) == ("browser", browser.device, "tap")
    again = await browser.act(token, "approve", "d-1")
    assert again.json()["repeated"] is True
    assert code(await browser.act(token, "reject", "d-2")) == "already-settled"


async def test_a_token_alone_answers_nothing(hub: LiveHub, browser: Subscriber) -> None:
    card = await hub.ask("Who carried this?")
    token = (await browser.pushed(card["id"]))["notification"]["data"]["token"]
    assert code(await browser.act_signed_out(token, "approve", "d-0")) == "not-signed-in"
    assert (await hub.card(card["id"]))["status"] == "pending"


async def test_a_forged_token_is_refused(hub: LiveHub, browser: Subscriber) -> None:
    card = await hub.ask("Drop the table?")
    token = (await browser.pushed(card["id"]))["notification"]["data"]["token"]
    for forged in (changed(token), token[:-1] + ("A" if token[-1] != "A" else "B"), "x.y", "." * 50, token + "="):
        assert code(await browser.act(forged, "approve", "d-3")) == "bad-token"
    assert (await hub.card(card["id"]))["status"] == "pending"


async def test_a_yes_counts_only_beside_the_cards_own_text(hub: LiveHub, browser: Subscriber) -> None:
    card = await hub.ask("Wipe the disk?")
    note = (await browser.pushed(card["id"]))["notification"]
    token, text = note["data"]["token"], note["body"]
    for shown in ("", "Show the time?", text[:-1], f"Show the time?\n{text}"):
        browser.bodies[token] = shown
        assert code(await browser.act(token, "approve", "d-8")) == "not-shown"
    assert (await hub.card(card["id"]))["status"] == "pending"
    browser.bodies[token] = text
    assert (await browser.act(token, "approve", "d-8")).is_success


async def test_what_is_of_high_risk_is_approved_on_the_page_alone(hub: LiveHub, browser: Subscriber) -> None:
    card = await hub.ask("Wipe both disks?", risk="high")
    token = (await browser.pushed(card["id"]))["notification"]["data"]["token"]
    assert code(await browser.act(token, "approve", "d-9")) == "not-shown"
    assert (await browser.act(token, "reject", "d-9")).is_success


async def test_a_verb_that_was_not_offered_is_refused(hub: LiveHub, browser: Subscriber) -> None:
    card = await hub.ask("Wipe the disk?", risk="high")
    data = (await browser.pushed(card["id"]))["notification"]["data"]
    assert "edit" not in data["verbs"]
    assert (await browser.act(data["token"], "edit", "d-4")).is_client_error
    assert (await hub.card(card["id"]))["status"] == "pending"


async def test_an_expired_token_is_refused(hub: LiveHub, browser: Subscriber) -> None:
    card = await hub.ask("Quick: now?", timeout_s=1)
    token = (await browser.pushed(card["id"]))["notification"]["data"]["token"]
    await hub.call("GET", f"/api/v1/ask/{card['id']}?wait=5")
    assert code(await browser.act(token, "approve", "d-5")) in {"expired", "bad-token", "already-settled"}
    assert (await hub.card(card["id"]))["status"] == "expired"


async def test_a_revoked_device_can_answer_nothing(hub: LiveHub, browser: Subscriber) -> None:
    card = await hub.ask("Still allowed?")
    token = (await browser.pushed(card["id"]))["notification"]["data"]["token"]
    await hub.call("DELETE", f"/api/v1/devices/browser/{browser.device}")
    assert (await browser.act(token, "approve", "d-6")).is_client_error
    assert (await hub.card(card["id"]))["status"] == "pending"
    assert (await browser.http.get("/api/v1/session")).status_code == 401


async def test_a_changed_text_needs_a_new_look(hub: LiveHub, browser: Subscriber) -> None:
    """Each token is bound to what was shown: that of one card does nothing to another."""
    one, other = await hub.ask("Card one?"), await hub.ask("Card two?")
    token = (await browser.pushed(one["id"]))["notification"]["data"]["token"]
    assert (await browser.act(token, "approve", "d-7")).is_success
    assert (await hub.card(other["id"]))["status"] == "pending"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://10.0.0.1/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://evil.example.org/x",
        "https://updates.push.services.mozilla.com.evil.example.org/x",
        "https://updates.push.services.mozilla.com@evil.example.org/x",
    ],
)
async def test_a_hostile_endpoint_is_never_sent_to(
    hub: LiveHub, browser: Subscriber, service: PushService, endpoint: str
) -> None:
    """It is refused, or taken and seen as dead; either way the hub goes on and others are told."""
    async with subscribed(hub, service) as hostile:
        hostile.endpoint = endpoint
        await hostile.subscribe()
        card = await hub.ask("Anybody there?")
        assert (await browser.pushed(card["id"]))["notification"]["tag"] == card["id"]
