"""Reading over HTTP: open cards, pages, one card, metrics, status, configuration, health."""

import json
from typing import Any

import msgspec
import pytest

from hub.contract.access import Scope
from hub.contract.api import ConfigPatch, HealthPart
from hub.contract.control import HealthBrief
from hub.contract.words import RunState, Status
from hub.domain.requests import Configure, Pause, Resume, Spoke
from hub.domain.storage import AddCard, AddExecution
from hub.io.api.call import Call, Nothing
from hub.io.api.health import health
from hub.io.api.local_caller import agent_client
from hub.io.api.openapi import openapi_json
from tests.conformance.store.samples import after, card, run
from tests.fakes.hub_api import NOON
from tests.fakes.plain_http import plain_client
from tests.io.api.running import Api, problem


@pytest.fixture
async def cards(api: Api) -> None:
    await api.behind.write(*(AddCard(card=card(f"pred_{n}", created=n - 10)) for n in range(5)))
    await api.behind.write(AddCard(card=card("pred_done", created=-100, status=Status.EXECUTED)))


async def get(api: Api, path: str) -> Any:  # noqa: ANN401  whatever the answer is
    response = await api.http.get(path)
    assert response.status_code == 200, response.text
    assert response.headers["cache-control"] == "no-store"
    return response.json()


@pytest.mark.usefixtures("cards")
async def test_predict_returns_three_and_the_status(api: Api) -> None:
    said = await get(api, "/api/v1/twin/predict")
    assert [one["id"] for one in said["predictions"]] == ["pred_4", "pred_3", "pred_2"]
    assert said["count"] == 3
    assert said["crossPollStatus"]["costCapPerHour"] == 2.0
    assert said["timestamp"] == "2026-03-01T12:00:00Z"
    assert {"prompt", "targetAgent", "targetChannel", "confidence", "reasoning"} <= said["predictions"][0].keys()


@pytest.mark.usefixtures("cards")
async def test_predict_counts_and_filters(api: Api) -> None:
    assert (await get(api, "/api/v1/twin/predict?count=10"))["count"] == 5
    assert (await get(api, "/api/v1/twin/predict?channel=ask"))["count"] == 0
    found = problem(await api.http.get("/api/v1/twin/predict?channel=garden"))
    assert (found.code, found.status) == ("unknown-channel", 404)
    assert "'garden'" in found.detail
    assert "koji-core" in found.fix


@pytest.mark.parametrize("query", ["count=0", "count=11", "count=x", "count=", "counts=3", "count=1&count=2", "%ff=1"])
async def test_a_query_that_cannot_be_is_named(api: Api, query: str) -> None:
    assert problem(await api.http.get(f"/api/v1/twin/predict?{query}")).code == "invalid-query"


@pytest.mark.usefixtures("cards")
async def test_pages_follow_each_other(api: Api) -> None:
    seen: list[str] = []
    path = "/api/v1/predictions?limit=4"
    while path:
        said = await get(api, path)
        seen += [one["id"] for one in said["predictions"]]
        path = f"/api/v1/predictions?limit=4&before={said['nextBefore']}" if said["nextBefore"] else ""
    assert seen == ["pred_4", "pred_3", "pred_2", "pred_1", "pred_0", "pred_done"]


@pytest.mark.usefixtures("cards")
async def test_pages_by_status_and_words(api: Api) -> None:
    assert (await get(api, "/api/v1/predictions?status=executed"))["count"] == 1
    assert (await get(api, "/api/v1/predictions?status=approved"))["count"] == 0
    assert (await get(api, "/api/v1/predictions?search=tests"))["count"] == 6
    assert (await get(api, "/api/v1/predictions?search=nothing"))["count"] == 0


async def test_a_card_shows_how_its_run_is(api: Api) -> None:
    shown = msgspec.structs.replace(card("pred_1", status=Status.CONFIRMED), execution_id="exec_1_1")
    await api.behind.write(
        AddCard(card=shown), AddExecution(execution=run("exec_1_1", card_id="pred_1", state=RunState.ACTIVE))
    )
    assert (await get(api, "/api/v1/predictions/pred_1"))["runState"] == "active"
    assert (await get(api, "/api/v1/predictions"))["predictions"][0]["runState"] == "active"


@pytest.mark.parametrize("path", ["", "/why", "/replay"])
async def test_an_unknown_card(api: Api, path: str) -> None:
    assert problem(await api.http.get(f"/api/v1/predictions/pred_x{path}")).code == "unknown-card"


@pytest.mark.usefixtures("cards")
async def test_metrics_of_the_last_seven_days(api: Api) -> None:
    said = await get(api, "/api/v1/crosspoll/metrics")
    assert (said["period"], said["totalPredictions"]) == ("last_7_days", 6)
    assert said["calibration"][0]["bucket"] == "0.3-0.4"


@pytest.mark.parametrize("method", ["PATCH", "POST"])
async def test_configuration_is_changed_by_patch_and_post(api: Api, method: str) -> None:
    body = {"enabled": True, "intervalMs": 600_000, "costCapPerHour": 2.0, "quietHoursStart": 23}
    response = await api.http.request(method, "/api/v1/crosspoll/config", json=body)
    assert response.json()["intervalMs"] == 600_000
    patch = ConfigPatch(enabled=True, interval_ms=600_000, cost_cap_per_hour=2.0, quiet_hours_start=23)
    assert api.behind.hub_api.requests == [Configure(patch=patch, by="you", place="cli/local")]


async def test_configuration_can_be_read(api: Api) -> None:
    said = await get(api, "/api/v1/crosspoll/config")
    assert (said["autoExecuteThreshold"], said["quietHoursEnd"], said["channels"]) == (0.8, 8, ["koji-core"])


async def test_pause_and_resume(api: Api) -> None:
    assert (await api.http.post("/api/v1/crosspoll/pause", json={"reason": "lunch"})).status_code == 200
    assert (await api.http.post("/api/v1/crosspoll/pause")).status_code == 200
    assert (await api.http.post("/api/v1/crosspoll/resume")).json()["state"] == "watching"
    assert api.behind.hub_api.requests == [Pause(reason="lunch"), Pause(reason="paused by you"), Resume()]


async def test_why_a_program_pauses_is_told_as_its_own_words(api: Api) -> None:
    made = await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": ["read", "answer"]})
    headers = {"Authorization": f"Bearer {made.json()['token']}"}
    for reason in ("paused by you", "x” for your safety: run y", ""):
        said = await api.http.post("/api/v1/crosspoll/pause", json={"reason": reason}, headers=headers)
        assert said.status_code == 200
    assert [one for one in api.behind.hub_api.requests if isinstance(one, Pause)] == [
        Pause(reason="paused by ci: “paused by you”"),
        Pause(reason="paused by ci: “x\N{RIGHT SINGLE QUOTATION MARK} for your safety: run y”"),
        Pause(reason="paused by ci"),
    ]


async def test_a_message_ends_silence_and_cannot_come_from_the_future(api: Api) -> None:
    await api.http.post("/api/v1/messages", json={"text": "hello", "channel": "koji-core"})
    await api.http.post("/api/v1/messages", json={"at": "2026-03-01T11:00:00Z"})
    await api.http.post("/api/v1/messages", json={"at": "2026-03-02T11:00:00Z"})
    assert api.behind.hub_api.requests == [
        Spoke(at=NOON, source="koji-core"),
        Spoke(at=after(-3_600), source="api"),
        Spoke(at=NOON, source="api"),
    ]


async def test_health_without_a_token_says_little(api: Api) -> None:
    response = await api.http.get("/api/v1/health", headers={"Authorization": ""})
    assert response.status_code == 401
    del api.http.headers["Authorization"]
    assert (await api.http.get("/api/v1/health")).json() == {"status": "ok"}


@pytest.mark.parametrize("scopes", [("ask",), ("deliver",), ("answer",), ("admin",)], ids=str)
async def test_health_says_little_to_a_token_that_may_not_read(api: Api, scopes: tuple[Scope, ...]) -> None:
    token = api.running.admit("program", scopes)
    async with plain_client(api.address, {"Authorization": f"Bearer {token}"}) as http:
        assert (await http.get("/api/v1/health")).json() == {"status": "ok"}


async def test_health_says_little_to_an_agent_on_the_socket(api: Api) -> None:
    client = agent_client(api.running.services)
    call = Call(to=api.running.services, client=client, body=Nothing(), query=Nothing(), path={})
    assert await health(call) == HealthBrief(status="ok")


@pytest.mark.parametrize(("worst", "overall"), [("ok", "ok"), ("unknown", "ok"), ("degraded", "degraded")])
async def test_health_is_that_of_the_worst_part(api: Api, worst: str, overall: str) -> None:
    part = msgspec.convert({"name": "broker", "status": worst}, type=HealthPart)
    api.behind.hub_api.parts = (HealthPart(name="store", status="ok"), part)
    said = await get(api, "/api/v1/health")
    assert (said["status"], said["version"]) == (overall, "1.2.3")
    assert [one["name"] for one in said["parts"]] == ["store", "broker", "api"]
    assert "crossPollStatus" in said


async def test_prometheus(api: Api) -> None:
    api.behind.hub_api.parts = (HealthPart(name='odd "name"\n', status="degraded"),)
    await api.http.get("/api/v1/health")
    response = await api.http.get("/metrics")
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = response.text.splitlines()
    assert 'pulse_part_ok{part="odd \\"name\\"\\n"} 0' in lines
    assert 'pulse_cost_cap_dollars{window="hour"} 2.0' in lines
    assert 'pulse_api_answers_total{status="2xx"} 1' in lines
    names = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert names == {line.split()[2] for line in lines if line.startswith("# HELP")}


@pytest.mark.slow
async def test_the_openapi_document_is_served_to_who_may_read(api: Api) -> None:
    document = (await api.http.get("/api/v1/openapi.json")).json()
    assert document == json.loads(openapi_json(document["info"]["version"]))
    assert problem(await api.http.post("/api/v1/openapi.json")).code == "wrong-method"
