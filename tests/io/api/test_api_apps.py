"""A phone or watch that was stolen: it may answer and switch Pulse on and off, and leaves nothing behind."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from hub.contract.surface import Privacy
from hub.contract.words import Origin, Risk, TextSource, Verb
from hub.domain.delivery import Device
from hub.domain.requests import SaveTask, TaskSaved
from hub.domain.storage import AddCard, PutDevice
from hub.io.api.endpoint import never
from hub.io.api.endpoints import ENDPOINTS
from hub.where import Grant, mint
from tests.conformance.store.samples import NOON, card, task
from tests.fakes.plain_http import plain_client
from tests.io.api.running import USER, Api, problem

CONFIG = "/api/v1/crosspoll/config"
LOOSENING = [one for one in ENDPOINTS if one.loosens is not never or one.scope == "admin"]
LETS_IN = [(method, one.path) for one in LOOSENING if not one.of_apps for method in one.methods]
SWITCHES = [(method, one.path) for one in LOOSENING if one.of_apps for method in one.methods]
SAID: dict[str, dict[str, object]] = {
    "/api/v1/mutes": {"degree": "ask", "kind": "run-tests"},
    "/api/v1/terminals": {"word": "x"},
}
NAMES = {"{surface}": "watch", "{device}": "w1", "{id}": "x"}


async def paired(api: Api, profile: str, **more: object) -> tuple[httpx.AsyncClient, dict[str, Any]]:
    """Return a client with the token of an app that was paired by a code, and what it was told."""
    code = (await api.http.post("/api/v1/pairing", json={"profile": profile, **more})).json()["code"]
    told = (await api.http.post("/api/v1/pair", json={"code": code, "title": "Pixel"})).json()
    return plain_client(api.address, {"Authorization": f"Bearer {told['token']}"}), told


@pytest.fixture
async def phone(api: Api) -> AsyncIterator[httpx.AsyncClient]:
    app, told = await paired(api, "phone")
    assert "admin" in told["scopes"]
    async with app:
        yield app


def named(path: str) -> str:
    for name, value in NAMES.items():
        path = path.replace(name, value)
    return path


def test_what_lets_in_is_among_what_is_tried() -> None:
    assert {("POST", f"/api/v1/{one}") for one in ("tokens", "devices", "passkeys", "agents/attached")} <= set(LETS_IN)


@pytest.mark.parametrize(("method", "path"), LETS_IN)
async def test_it_lets_nobody_in_and_shuts_nobody_out(phone: httpx.AsyncClient, method: str, path: str) -> None:
    assert problem(await phone.request(method, named(path), json=SAID.get(path, {}))).code == "out-of-scope"


@pytest.mark.parametrize(("method", "path"), LETS_IN + SWITCHES)
async def test_one_that_only_answers_loosens_nothing(api: Api, method: str, path: str) -> None:
    """Not one wish taken back, not one pause lifted."""
    app, _ = await paired(api, "phone", scopes=["read", "answer"])
    async with app:
        asked = await app.request(method, named(path), json=SAID.get(path, {}))
    assert problem(asked).code == "out-of-scope"


@pytest.mark.parametrize("said", [{}, {"profile": "phone"}, {"purpose": "confirm"}], ids=str)
async def test_it_makes_no_code(phone: httpx.AsyncClient, said: dict[str, str]) -> None:
    assert problem(await phone.post("/api/v1/pairing", json=said)).code == "out-of-scope"


async def test_it_keeps_no_notification_from_another_device(phone: httpx.AsyncClient) -> None:
    assert problem(await phone.delete("/api/v1/devices/watch/w1/address")).code == "out-of-scope"


@pytest.mark.parametrize("profile", ["phone", "watch"])
async def test_one_that_only_answers_ticks_a_task_once_agents_are_connected(api: Api, profile: str) -> None:
    """Its token is a device's, and what it can do the person does there."""
    app, _ = await paired(api, profile, scopes=["read", "answer"])
    await api.http.post("/api/v1/agents/attached", json={"agent": "codex", "attach": True})
    api.behind.hub_api.on(SaveTask, lambda _: TaskSaved(task=task("task_1")))
    async with app:
        assert (await app.patch("/api/v1/tasks/task_1", json={"status": "completed"})).is_success


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "tasks/task_1", {"status": "completed"}),
        ("PUT", "tasks/task_1", {"status": "completed"}),
        ("DELETE", "tasks/task_1", None),
        ("POST", "digest", None),
        ("PUT", "devices/phone/phone1/address", {"address": {"kind": "apns", "token": "ab" * 32}}),
        ("DELETE", "devices/phone/phone1/address", None),
    ],
)
async def test_a_plain_token_changes_nothing_of_the_persons_once_agents_are_connected(
    api: Api, method: str, path: str, body: object
) -> None:
    made = (
        await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": ["read", "answer", "ask", "admin"]})
    ).json()
    async with plain_client(api.address, {"Authorization": f"Bearer {made['token']}"}) as script:
        before = await script.request(method, f"/api/v1/{path}", json=body)
        assert before.status_code != 403
        await api.http.post("/api/v1/agents/attached", json={"agent": "codex", "attach": True})
        asked = await script.request(method, f"/api/v1/{path}", json=body)
    assert problem(asked).code == "token-is-no-person"


@pytest.mark.parametrize(
    ("owner", "origin", "quotes", "risk", "is_taken"),
    [
        ("", Origin.PULSE, (), Risk.LOW, True),
        ("", Origin.PULSE, (), Risk.MEDIUM, False),
        ("", Origin.WORLD, (), Risk.LOW, False),
        ("", Origin.PULSE, (TextSource.AGENT,), Risk.LOW, False),
        ("agent", Origin.PULSE, (), Risk.LOW, False),
    ],
)
async def test_a_plain_token_says_yes_only_to_what_pulse_itself_worded(
    api: Api, owner: str, origin: Origin, quotes: tuple[TextSource, ...], risk: Risk, *, is_taken: bool
) -> None:
    made = (await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": ["read", "answer"]})).json()
    await api.http.post("/api/v1/agents/attached", json={"agent": "codex", "attach": True})
    shown = card("pred_1", user=USER)
    worded = replace(shown, owner=owner, proposal=replace(shown.proposal, origin=origin, quotes=quotes, risk=risk))
    await api.behind.write(AddCard(card=worded))
    async with plain_client(api.address, {"Authorization": f"Bearer {made['token']}"}) as script:
        answer = await script.post("/api/v1/predictions/pred_1/confirm", json={})
    assert (answer.status_code != 403 or problem(answer).code != "token-is-no-person") is is_taken


async def test_it_switches_pulse_off_and_on(phone: httpx.AsyncClient) -> None:
    assert (await phone.patch(CONFIG, json={"emergencyStop": True})).is_success
    assert (await phone.patch(CONFIG, json={"autonomous": True})).is_success
    assert (await phone.post("/api/v1/crosspoll/pause", json={})).is_success
    assert (await phone.post("/api/v1/crosspoll/resume")).is_success


@pytest.mark.parametrize(
    ("profile", "privacy", "risk", "named", "code"),
    [
        ("phone", None, Risk.HIGH, True, ""),
        ("phone", None, Risk.LOW, False, "not-shown"),
        ("phone", "nothing", Risk.LOW, True, "not-shown"),
        ("phone", "title", Risk.LOW, True, "not-shown"),
        ("watch", None, Risk.MEDIUM, True, ""),
        ("watch", None, Risk.HIGH, True, "not-shown"),
    ],
)
async def test_its_own_token_says_yes_only_where_a_notification_could(
    api: Api, profile: str, privacy: Privacy | None, risk: Risk, *, named: bool, code: str
) -> None:
    app, told = await paired(api, profile)
    one = card("pred_1")
    kept = replace(one, user=USER, proposal=replace(one.proposal, risk=risk))
    device = Device(user=USER, surface=profile, device=told["device"], profile=profile, privacy=privacy)
    await api.behind.write(AddCard(card=kept), PutDevice(device=device))
    said = {"cardHash": kept.card_hash} if named else {}
    async with app:
        for verb, more in (("confirm", {}), ("edit", {"prompt": "Other words"}), ("retry", {})):
            answer = await app.post(f"/api/v1/predictions/pred_1/{verb}", json={**said, **more})
            assert answer.json().get("code", "") == code, answer.text
        assert (await app.post("/api/v1/predictions/pred_1/reject", json={})).is_success
        if code:
            triggered = await app.post("/api/v1/crosspoll/trigger", json={"predictionId": "pred_1"})
            assert problem(triggered).code == "not-shown"


async def test_a_browsers_code_is_none_for_an_app(api: Api) -> None:
    code = (await api.http.post("/api/v1/pairing", json={})).json()["code"]
    refused = await api.http.post("/api/v1/pair", json={"code": code, "title": "x"})
    assert problem(refused).code == "wrong-kind-of-code"


async def test_one_that_may_only_look_answers_nothing(api: Api) -> None:
    """Also by the action token of a notification, which says what may be answered and not who may."""
    app, told = await paired(api, "phone", scopes=["read"])
    one = card("pred_1")
    await api.behind.write(AddCard(card=replace(one, user=USER)))
    grant = Grant(
        card_id=one.id,
        card_hash=one.card_hash,
        surface="phone",
        device=told["device"],
        verbs=(Verb.APPROVE,),
        expires_at=NOON + timedelta(hours=1),
    )
    said = {"token": mint(api.behind.hub_api.secret, grant), "decisionId": "d1", "verb": "approve"}
    async with app:
        assert problem(await app.post("/api/v1/actions", json=said)).code == "out-of-scope"
        refused = await app.post("/api/v1/predictions/pred_1/confirm", json={"cardHash": one.card_hash})
        assert problem(refused).code == "out-of-scope"
