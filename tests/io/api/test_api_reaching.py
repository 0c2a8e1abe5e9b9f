"""Devices without a connection: push addresses, gateways, signed action tokens and receipts."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.address import WebPushAddress
from hub.contract.api import AnswerReply
from hub.contract.permission import PermissionAnswer
from hub.contract.words import DeliveryState, Verb
from hub.domain.requests import ChangeDevice, DeviceDecision, Refused, ReportReceipt, SetAddress, TryDevice
from hub.domain.storage import AddCard, Client, PutClient
from hub.io.access.tokens import sha256
from hub.where import Grant, mint
from tests.conformance.store.samples import card
from tests.fakes.hub_api import NOON, a_prediction
from tests.io.api.browser import Browser, NewBrowser, signed_in
from tests.io.api.running import Api, Behind, problem, running

ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/abc"
CARD = card("pred_1")
GRANT = Grant(
    card_id=CARD.id,
    card_hash="h",
    surface="browser",
    device="desk",
    verbs=(Verb.APPROVE, Verb.REJECT),
    expires_at=NOON + timedelta(hours=1),
)


def subscription(api: Api, **changed: str) -> dict[str, object]:
    return {
        "address": {
            "kind": "web-push",
            "endpoint": ENDPOINT,
            "p256dh": "B" * 87,
            "auth": "a" * 22,
            "origin": api.address,
            **changed,
        }
    }


async def a_gateway(api: Api) -> dict[str, str]:
    token = api.running.admit("web push", ("deliver",), carries=("browser",))
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
async def browser(api: Api, new_browser: NewBrowser) -> Browser:
    await api.behind.write(AddCard(card=CARD))
    return await signed_in(api, new_browser())


async def test_a_browser_says_where_its_push_service_finds_it(api: Api, browser: Browser) -> None:
    path = f"/api/v1/devices/browser/{browser.device}/address"
    assert (await browser.http.put(path, json=subscription(api))).is_success
    set_address = api.behind.hub_api.requests[-1]
    assert isinstance(set_address, SetAddress)
    assert isinstance(set_address.push, WebPushAddress)
    assert set_address.push.endpoint == ENDPOINT
    assert api.behind.surfaces.needed == ["browser"]
    assert (await browser.http.delete(path)).is_success
    assert api.behind.hub_api.requests[-1] == replace(set_address, push=None)


@pytest.mark.parametrize(
    "changed",
    [
        {"endpoint": "javascript:alert(1)"},
        {"endpoint": "https://x\u200b"},
        {"p256dh": "short"},
        {"auth": "{}"},
        {"kind": "carrier-pigeon"},
        {"origin": "not an origin"},
        {"lang": "x y"},
    ],
)
async def test_a_hostile_address_is_refused(api: Api, browser: Browser, changed: dict[str, str]) -> None:
    path = f"/api/v1/devices/browser/{browser.device}/address"
    assert problem(await browser.http.put(path, json=subscription(api, **changed))).code == "invalid-body"


async def test_a_tap_never_leads_to_a_foreign_page(api: Api, browser: Browser) -> None:
    path = f"/api/v1/devices/browser/{browser.device}/address"
    answer = await browser.http.put(path, json=subscription(api, origin="https://evil.example"))
    assert problem(answer).code == "wrong-origin"


async def test_addresses_are_for_their_gateway_alone(api: Api, browser: Browser) -> None:
    assert problem(await browser.http.get("/api/v1/addresses/browser")).code == "out-of-scope"
    listed = await api.http.get("/api/v1/addresses/browser", headers=await a_gateway(api))
    assert listed.json() == {"user": "anna", "addresses": []}
    login = await api.http.post("/api/v1/gateways", json={"surface": "browser"}, headers=await a_gateway(api))
    assert login.json()["device"] == "gateway"
    assert ENDPOINT not in (await browser.http.get("/api/v1/devices")).text


async def test_a_newer_gateway_shuts_an_older_one_out(api: Api) -> None:
    old = await a_gateway(api)
    new = await a_gateway(api)
    assert (await api.http.get("/api/v1/addresses/browser", headers=old)).status_code == 401
    assert (await api.http.get("/api/v1/addresses/browser", headers=new)).status_code == 200


def pushed(api: Api, device: str, surface: str = "browser") -> dict[str, object]:
    """What a device answers with: the token that came with a push to it."""
    token = mint(api.behind.hub_api.secret, replace(GRANT, surface=surface, device=device))
    return {"token": token, "decisionId": "d1", "verb": "approve", "shown": CARD.prompt}


async def test_a_device_answers_with_what_it_was_pushed(api: Api, browser: Browser) -> None:
    api.behind.hub_api.on(DeviceDecision, lambda _request: AnswerReply(prediction=a_prediction(), message="Running."))
    answer = await browser.http.post("/api/v1/actions", json=pushed(api, browser.device))
    assert answer.json()["message"] == "Running."
    request = api.behind.hub_api.requests[-1]
    assert isinstance(request, DeviceDecision)
    said = (str(request.sender), request.decision.card_id, request.replies)
    assert said == (f"browser/{browser.device}", "pred_1", True)


async def test_a_device_takes_a_choice_of_a_question_by_a_button(api: Api, browser: Browser) -> None:
    api.behind.hub_api.on(DeviceDecision, lambda _request: AnswerReply(prediction=a_prediction(), message="Approved."))
    body = {**pushed(api, browser.device), "permission": {"answers": {"q1": ["Red"]}}}
    assert (await browser.http.post("/api/v1/actions", json=body)).is_success
    request = api.behind.hub_api.requests[-1]
    assert isinstance(request, DeviceDecision)
    assert request.decision.permission == PermissionAnswer(answers={"q1": ("Red",)})
    for wrong in ({"q1": "Red"}, {"q1": ["R" * 2_001]}, {f"q{n}": ["Red"] for n in range(9)}):
        refused = await browser.http.post("/api/v1/actions", json={**body, "permission": {"answers": wrong}})
        assert problem(refused).code == "invalid-body"


async def test_whoever_carried_a_token_cannot_answer_with_it(
    api: Api, browser: Browser, new_browser: NewBrowser
) -> None:
    body = pushed(api, browser.device)
    other = await signed_in(api, new_browser())
    made = {"name": "x", "scopes": ["deliver", "answer"], "carries": ["browser"]}
    client = (await api.http.post("/api/v1/tokens", json=made)).json()["token"]
    before = len(api.behind.hub_api.requests)
    for headers in (await a_gateway(api), {"Authorization": f"Bearer {client}"}, {}):
        assert problem(await api.http.post("/api/v1/actions", json=body, headers=headers)).code == "not-this-device"
    assert problem(await other.http.post("/api/v1/actions", json=body)).code == "not-this-device"
    del api.http.headers["Authorization"]
    assert problem(await api.http.post("/api/v1/actions", json=body)).code == "not-signed-in"
    bad = {"Authorization": ""}
    assert problem(await api.http.post("/api/v1/actions", json=body, headers=bad)).code == "not-signed-in"
    assert len(api.behind.hub_api.requests) == before


async def test_other_words_need_leave_to_answer_and_not_only_a_token() -> None:
    client = Client(
        id="client_1",
        user="anna",
        name="Watch",
        token_sha256=sha256("secret"),
        scopes=("read",),
        created_at=NOON,
        surface="watch",
        device="wrist",
    )
    behind = Behind()
    await behind.write(PutClient(client=client))
    async with running(behind) as made:
        body = {**pushed(made, "wrist", "watch"), "verb": "edit", "prompt": "Something else"}
        headers = {"Authorization": "Bearer secret"}
        assert problem(await made.http.post("/api/v1/actions", json=body, headers=headers)).code == "out-of-scope"
    assert behind.hub_api.requests == []


@pytest.mark.parametrize("surface", ["terminal", "discord", "glasses", "lamp", "Browser"])
async def test_only_what_a_push_service_reaches_has_a_gateway(api: Api, surface: str) -> None:
    for headers in (await a_gateway(api), {}):
        answer = await api.http.post("/api/v1/gateways", json={"surface": surface}, headers=headers)
        assert problem(answer).code == "no-gateway"
    assert api.behind.pairing.passwords == {}


@pytest.mark.parametrize("surface", ["phone", "watch"])
async def test_a_gateway_carries_for_its_own_surfaces_alone(api: Api, surface: str) -> None:
    mine = await a_gateway(api)
    answer = await api.http.post("/api/v1/gateways", json={"surface": surface}, headers=mine)
    assert problem(answer).code == "not-your-surface"
    assert problem(await api.http.get(f"/api/v1/addresses/{surface}", headers=mine)).code == "not-your-surface"
    assert api.behind.pairing.passwords == {}


@pytest.mark.parametrize("more", [{"scopes": ["deliver"]}, {"scopes": ["read"], "carries": ["phone"]}])
async def test_leave_to_deliver_names_what_is_carried(api: Api, more: dict[str, object]) -> None:
    assert problem(await api.http.post("/api/v1/tokens", json={"name": "x", **more})).code == "invalid-body"


async def test_leave_to_deliver_of_before_it_named_surfaces_carries_nothing(api: Api) -> None:
    token = api.running.admit("old", ("deliver",))
    mine = {"Authorization": f"Bearer {token}"}
    answer = await api.http.post("/api/v1/gateways", json={"surface": "phone"}, headers=mine)
    assert problem(answer).code == "not-your-surface"


@pytest.mark.parametrize("token", ["x", "e30.x", "", "a" * 1025])
async def test_a_forged_token_is_refused(api: Api, token: str) -> None:
    body = {"token": token, "decisionId": "d1", "verb": "approve"}
    assert problem(await api.http.post("/api/v1/actions", json=body)).code in {"bad-token", "invalid-body"}


async def test_a_token_of_another_hub_is_refused(api: Api) -> None:
    body = {"token": mint(b"another hub's secret", GRANT), "decisionId": "d1", "verb": "approve"}
    assert problem(await api.http.post("/api/v1/actions", json=body)).code == "bad-token"


async def test_what_the_loop_refuses_is_passed_on(api: Api, browser: Browser) -> None:
    gone = Refused(code="expired", status=410, detail="Too late.")
    api.behind.hub_api.on(DeviceDecision, lambda _request: gone)
    assert problem(await browser.http.post("/api/v1/actions", json=pushed(api, browser.device))).code == "expired"


async def test_a_receipt_comes_from_the_device_itself(api: Api, browser: Browser) -> None:
    body = {"deliveryId": "dlv_1", "state": "shown"}
    assert (await browser.http.post("/api/v1/receipts", json=body)).is_success
    request = api.behind.hub_api.requests[-1]
    assert isinstance(request, ReportReceipt)
    assert (request.sender.device, request.receipt.state) == (browser.device, DeliveryState.SHOWN)
    assert problem(await api.http.post("/api/v1/receipts", json=body)).code == "not-a-device"


async def test_a_device_is_renamed_hidden_from_lock_screens_and_tested(api: Api, browser: Browser) -> None:
    path = f"/api/v1/devices/browser/{browser.device}"
    assert (await browser.http.patch(path, json={"title": "Desk", "privacy": "nothing"})).is_success
    assert (await browser.http.post(f"{path}/test")).is_success
    kinds = [type(request) for request in api.behind.hub_api.requests[-2:]]
    assert kinds == [ChangeDevice, TryDevice]
    assert problem(await browser.http.patch(path, json={"privacy": "some"})).code == "invalid-body"
