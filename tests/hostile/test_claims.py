"""As whom a client answers: a token says so, and no request may say otherwise."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.surface import Decision
from hub.contract.words import HumanInput, Verb
from hub.domain.requests import Configure, DeviceDecision
from hub.domain.storage import PutClient
from hub.domain.suggestion import Answer
from hub.io.access.tokens import sha256
from tests.io.api.running import Api, Behind, problem, running
from tests.io.api.test_api_access import a_client
from tests.loop.stage import NOON, PHONE, a_card, a_world, handed

MINE = {"Authorization": "Bearer secret"}
CONFIRM, UNDO, REJECT = (f"/api/v1/predictions/pred_1/{verb}" for verb in ("confirm", "undo", "reject"))


async def said(
    api: Api, body: dict[str, Any], headers: dict[str, str] | None = None, path: str = CONFIRM
) -> Answer | str:
    """Answer a card; return what reached the loop, or the code of the refusal."""
    api.behind.hub_api.requests.clear()
    answer = await api.http.post(path, json=body, headers=headers or {})
    if not answer.is_success:
        assert api.behind.hub_api.requests == []
        return problem(answer).code
    (request,) = api.behind.hub_api.requests
    assert isinstance(request, Answer)
    return request


@pytest_asyncio.fixture
async def client_api() -> AsyncIterator[Api]:
    behind = Behind()
    await behind.write(PutClient(client=a_client("answer")))
    async with running(behind) as made:
        yield made


@pytest_asyncio.fixture
async def device_api() -> AsyncIterator[Api]:
    behind = Behind()
    await behind.write(PutClient(client=replace(a_client("answer"), surface="phone", device="pixel")))
    async with running(behind) as made:
        yield made


@pytest.mark.parametrize("surface", ["phone", "watch", "browser", "terminal", "cli", "discord", "glasses", "pulse"])
async def test_a_client_is_no_surface_that_it_names(client_api: Api, surface: str) -> None:
    assert await said(client_api, {"surface": surface}, MINE) == "not-your-surface"


@pytest.mark.parametrize("body", [{}, {"surface": "api"}, {"surface": "script", "device": "client_1"}])
async def test_a_client_answers_as_itself(client_api: Api, body: dict[str, str]) -> None:
    given = await said(client_api, body, MINE)
    assert isinstance(given, Answer)
    assert (given.surface, given.device) == (body.get("surface", "api"), "client_1")


@pytest.mark.parametrize("human_input", ["speech", "reaction"])
async def test_nobody_speaks_or_reacts_over_the_api(client_api: Api, human_input: str) -> None:
    assert await said(client_api, {"humanInput": human_input}, MINE) == "wrong-input"
    assert await said(client_api, {"humanInput": human_input}) == "wrong-input"


async def test_a_client_is_no_other_device(client_api: Api) -> None:
    assert await said(client_api, {"device": "client_2"}, MINE) == "not-your-surface"


@pytest.mark.parametrize("body", [{"surface": "watch"}, {"device": "tablet"}, {"surface": "api", "device": "x"}])
async def test_a_device_is_that_device(device_api: Api, body: dict[str, str]) -> None:
    assert await said(device_api, body, MINE) == "not-your-surface"


async def test_a_device_that_says_nothing_is_itself(device_api: Api) -> None:
    for body in ({}, {"surface": "phone", "device": "pixel"}):
        given = await said(device_api, body, MINE, REJECT)
        assert isinstance(given, Answer)
        assert (given.surface, given.device, given.human_input) == ("phone", "pixel", HumanInput.TAP)
    assert await said(device_api, {"humanInput": "speech"}, MINE, REJECT) == "wrong-input"


@pytest.mark.parametrize("surface", ["phone", "watch", "browser", "glasses"])
async def test_the_command_line_is_no_paired_device(client_api: Api, surface: str) -> None:
    assert await said(client_api, {"surface": surface}) == "not-your-surface"


async def test_a_surfaces_own_process_is_that_surface(client_api: Api) -> None:
    token = client_api.running.admit("discord", ("answer", "admin"), surface="discord")
    mine = {"Authorization": f"Bearer {token}"}
    body = {"surface": "discord", "device": "bridge"}
    assert await said(client_api, body, mine) == "not-shown"
    given = await said(client_api, body, mine, UNDO)
    assert isinstance(given, Answer)
    assert (given.surface, given.device) == ("discord", "bridge")
    assert await said(client_api, {"surface": "phone"}, mine) == "not-your-surface"
    body = {"surface": "phone", "device": "pixel", "profile": "phone"}
    answer = await client_api.http.post("/api/v1/devices", json=body, headers=mine)
    assert problem(answer).code == "not-your-surface"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/tokens", {"name": "mine", "scopes": ["admin"]}),
        ("POST", "/pairing", {}),
        ("DELETE", "/devices/phone/pixel", None),
        ("DELETE", "/devices/phone/pixel/address", None),
        ("PATCH", "/crosspoll/config", {"emergencyStop": False}),
        ("PATCH", "/crosspoll/config", {"emergencyStop": True, "autoExecuteThreshold": 0.1}),
    ],
)
async def test_a_surfaces_own_process_is_no_admin(client_api: Api, method: str, path: str, body: object) -> None:
    token = client_api.running.admit("discord", ("read", "answer", "ask", "admin"), surface="discord")
    mine = {"Authorization": f"Bearer {token}"}
    answer = await client_api.http.request(method, f"/api/v1{path}", json=body, headers=mine)
    assert problem(answer).code == "out-of-scope"


async def test_a_surfaces_own_process_may_stop_everything(client_api: Api) -> None:
    token = client_api.running.admit("discord", ("read", "answer", "ask", "admin"), surface="discord")
    mine = {"Authorization": f"Bearer {token}"}
    answer = await client_api.http.patch("/api/v1/crosspoll/config", json={"emergencyStop": True}, headers=mine)
    assert answer.is_success
    (request,) = client_api.behind.hub_api.requests
    assert request == Configure(patch=ConfigPatch(emergency_stop=True), by="discord", place="discord")


async def test_a_device_says_nothing_that_nobody_can_do_there() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    decision = Decision(
        decision_id="d",
        card_id=card.id,
        verb=Verb.APPROVE,
        card_hash=card.card_hash,
        token=handed(world, PHONE).token,
        human_input=HumanInput.SPEECH,
        at=NOON,
    )
    await world.ask(DeviceDecision(sender=PHONE, decision=decision))
    assert world.verdicts[-1][1].code == "wrong-input"
    assert world.jobs == []


def test_the_secret_of_these_tests_is_the_clients() -> None:
    assert a_client("answer").token_sha256 == sha256("secret")
