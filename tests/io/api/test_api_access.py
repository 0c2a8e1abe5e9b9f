"""Who may do what: tokens and scopes, hosts and origins, devices."""

import asyncio
from pathlib import Path

import httpx
import pytest

from hub.contract.topics import DeviceAddress
from hub.contract.words import Verb
from hub.domain.delivery import Device
from hub.domain.requests import SaveClient
from hub.domain.storage import Client, PutClient, PutDevice
from hub.domain.suggestion import Answer
from hub.io.access.tokens import Access, sha256
from hub.io.api.endpoints import ENDPOINTS
from hub.io.http.errors import NotSignedInError
from tests.fakes.hub_api import NOON
from tests.io.api.running import Api as RunningTestApi
from tests.io.api.running import Behind, problem, running


def a_client(*scopes: str) -> Client:
    return Client(
        id="client_1", user="anna", name="script", token_sha256=sha256("secret"), scopes=scopes, created_at=NOON
    )


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.slow
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer nope", "Basic bG9jYWwtdG9rZW4=", "local-token"])
async def test_nothing_without_a_valid_token(api: RunningTestApi, header: str) -> None:
    for endpoint in ENDPOINTS:
        if endpoint.scope is None:
            continue
        path = endpoint.path.replace("{", "").replace("}", "")
        response = await api.http.request(endpoint.methods[0], path, headers={"Authorization": header})
        assert problem(response).code == "not-signed-in"
        assert response.headers["www-authenticate"].startswith("Bearer")
    assert api.behind.hub_api.requests == []


async def test_the_document_needs_a_token_too(api: RunningTestApi) -> None:
    assert problem(await api.http.get("/api/v1/openapi.json", headers=bearer("nope"))).code == "not-signed-in"


async def test_a_token_reaches_as_far_as_its_scopes() -> None:
    behind = Behind()
    await behind.write(PutClient(client=a_client("read")))
    async with running(behind) as api:
        mine = bearer("secret")
        assert (await api.http.get("/api/v1/crosspoll/status", headers=mine)).status_code == 200
        response = await api.http.post("/api/v1/predictions/pred_1/confirm", headers=mine)
        assert problem(response).code == "out-of-scope"
        assert "insufficient_scope" in response.headers["www-authenticate"]
        assert problem(await api.http.post("/api/v1/ask", headers=mine)).code == "out-of-scope"
        assert problem(await api.http.get("/api/v1/tokens", headers=mine)).code == "out-of-scope"
    assert behind.hub_api.requests == []


async def test_a_token_that_may_read_trains_no_model_and_chooses_none() -> None:
    """Which model is asked decides what is suggested; and what counts as exported, what a training is offered on."""
    behind = Behind()
    await behind.write(PutClient(client=a_client("read")))
    model = {"name": "evil", "by": "local", "pairs": 60}
    asked = {"exported": {"through": 9}, "models": model, "back": {}}
    async with running(behind) as api:
        for place, body in asked.items():
            path = f"/api/v1/training/{place}"
            assert problem(await api.http.post(path, json=body, headers=bearer("secret"))).code == "out-of-scope"
            assert problem(await api.http.post(path, json=body, headers=bearer("nope"))).code == "not-signed-in"
        for path in ("/api/v1/training", "/api/v1/training/pairs"):
            assert problem(await api.http.get(path, headers=bearer("nope"))).code == "not-signed-in"
    assert behind.hub_api.requests == []


async def test_an_answer_names_the_client_as_its_device() -> None:
    behind = Behind()
    await behind.write(PutClient(client=a_client("answer")))
    async with running(behind) as api:
        await api.http.post("/api/v1/predictions/pred_1/reject", headers=bearer("secret"))
    (request,) = behind.hub_api.requests
    assert isinstance(request, Answer)
    assert (request.verb, request.device, request.by) == (Verb.REJECT, "client_1", "anna")


async def test_a_new_token_works_at_once_until_it_is_revoked(api: RunningTestApi) -> None:
    made = (await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": ["read", "read", "ask"]})).json()
    (request,) = api.behind.hub_api.requests
    assert isinstance(request, SaveClient)
    assert request.client.token_sha256 == sha256(made["token"])
    assert made["token"] not in repr(request)
    assert made["client"]["scopes"] == ["read", "ask"]

    listed = (await api.http.get("/api/v1/tokens")).json()
    assert [one["id"] for one in listed["tokens"]] == [made["client"]["id"]]
    assert "token" not in listed["tokens"][0]
    assert (await api.http.get("/api/v1/tasks", headers=bearer(made["token"]))).status_code == 200

    assert (await api.http.delete(f"/api/v1/tokens/{made['client']['id']}")).status_code == 200
    assert problem(await api.http.get("/api/v1/tasks", headers=bearer(made["token"]))).code == "not-signed-in"
    again = await api.http.delete(f"/api/v1/tokens/{made['client']['id']}")
    assert problem(again).code == "unknown-token"


async def test_the_local_token_cannot_be_revoked_or_seen(api: RunningTestApi) -> None:
    assert problem(await api.http.delete("/api/v1/tokens/local")).code == "unknown-token"
    assert (await api.http.get("/api/v1/tokens")).json()["count"] == 0


@pytest.mark.slow
async def test_tokens_are_bounded(api: RunningTestApi) -> None:
    body = {"name": "x", "scopes": ["read"]}
    codes = [(await api.http.post("/api/v1/tokens", json=body)).status_code for _ in range(101)]
    assert (codes.count(201), codes[-1]) == (100, 409)


def test_revoked_clients_are_not_let_in() -> None:
    revoked = Client(
        id="c", user="anna", name="x", token_sha256=sha256("t"), scopes=("read",), created_at=NOON, revoked_at=NOON
    )
    with pytest.raises(NotSignedInError):
        Access((revoked,)).of_token("t")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8420", "localhost.evil.example", "127.0.0.2", ""])
async def test_other_names_for_this_machine_are_refused(api: RunningTestApi, host: str) -> None:
    response = await api.http.get("/api/v1/health", headers={"Host": host})
    assert problem(response).code == "wrong-host"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:9000", "[::1]:8420", "[::1]"])
async def test_loopback_names_are_fine_on_any_port(api: RunningTestApi, host: str) -> None:
    assert (await api.http.get("/api/v1/health", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize("origin", ["null", "http://evil.example", "http://localhost:3000", "http://127.0.0.1"])
async def test_pages_of_others_may_change_nothing(api: RunningTestApi, origin: str) -> None:
    response = await api.http.post("/api/v1/predictions/p/confirm", headers={"Origin": origin})
    assert problem(response).code == "wrong-origin"
    assert api.behind.hub_api.requests == []


async def test_our_own_page_may(api: RunningTestApi) -> None:
    response = await api.http.post("/api/v1/predictions/p/confirm", headers={"Origin": api.address})
    assert response.status_code == 200


async def test_devices_are_paired_listed_and_shut_out(api: RunningTestApi) -> None:
    body = {"surface": "phone", "device": "pixel", "profile": "phone"}
    login = (await api.http.post("/api/v1/devices", json=body)).json()
    assert (login["clientId"], login["password"]) == ("phone-pixel", "password-1")
    device = Device(user="anna", surface="phone", device="pixel", profile="phone", online=True)
    await api.behind.write(PutDevice(device=device))
    listed = (await api.http.get("/api/v1/devices")).json()
    assert [(one["surface"], one["device"], one["online"]) for one in listed["devices"]] == [("phone", "pixel", True)]
    assert (await api.http.delete("/api/v1/devices/phone/pixel")).json()["device"] == "pixel"
    assert DeviceAddress(surface="phone", device="pixel") not in api.behind.pairing.passwords


async def test_devices_that_cannot_be(api: RunningTestApi) -> None:
    body = {"surface": "phone", "device": "pixel", "profile": "toaster"}
    assert problem(await api.http.post("/api/v1/devices", json=body)).status == 400
    assert problem(await api.http.delete("/api/v1/devices/phone/none")).code == "unknown-device"


async def test_too_many_requests_in_flight_are_turned_away(
    api: RunningTestApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.io.server.concurrency_limits.REQUESTS_MAX", 1)
    monkeypatch.setattr("hub.io.server.concurrency_limits.IN_PERSON_RESERVED", 0)
    waiting = asyncio.create_task(api.http.post("/api/v1/ask", json={"question": "?", "waitS": 300}))
    while (response := await api.http.get("/api/v1/crosspoll/status")).status_code == 200:
        assert not waiting.done()
    assert (problem(response).code, response.headers["retry-after"]) == ("busy", "1")
    waiting.cancel()
    with pytest.raises((asyncio.CancelledError, httpx.HTTPError)):
        await waiting


def test_no_token_is_in_the_code_that_logs() -> None:
    """Nothing here logs at all: uvicorn's access log is off, and the package has no logger of its own."""
    folder = Path(__file__).resolve().parents[3] / "hub" / "io" / "http"
    assert [path.name for path in folder.glob("*.py") if "import logging" in path.read_text(encoding="utf-8")] == []
