"""Having an agent do something, over HTTP: who may order it, and as whose word it counts."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest_asyncio

from hub.contract.world import AgentStatus
from hub.domain.requests import Refused
from hub.domain.world import WorldSession
from hub.domain.world_requests import SpawnSession, WorldSaid
from tests.fakes.plain_http import plain_client
from tests.io.api.running import Api, running

SPAWN = "/api/v1/world/spawn"
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SESSION = WorldSession(id="trip", status=AgentStatus.START, started_at=NOON, moved_at=NOON, heard_at=NOON)
ORDER = {"task": "List what is open", "agent": "claude", "need": "a file", "session": "trip", "folder": "/srv/shop"}


@pytest_asyncio.fixture
async def api() -> AsyncIterator[Api]:
    async with running() as made:
        made.behind.hub_api.on(SpawnSession, lambda _: WorldSaid(session=SESSION, card_id="pred_1"))
        yield made


def ordered(api: Api) -> list[SpawnSession]:
    return [one for one in api.behind.hub_api.requests if isinstance(one, SpawnSession)]


async def token(api: Api, *scopes: str) -> str:
    made = await api.http.post("/api/v1/tokens", json={"name": "-".join(scopes), "scopes": scopes})
    return str(made.json()["token"])


async def test_an_order_is_answered_with_its_session_and_card(api: Api) -> None:
    answer = await api.http.post(SPAWN, json=ORDER)
    assert answer.status_code == 200
    assert (answer.json()["session"]["id"], answer.json()["predictionId"]) == ("trip", "pred_1")
    (one,) = ordered(api)
    assert (one.task, one.need, one.agent, one.session, one.folder) == tuple(
        ORDER[name] for name in ("task", "need", "agent", "session", "folder")
    )


async def test_a_token_may_order_with_the_scope_of_answers_and_is_nobody_in_person(api: Api) -> None:
    async with plain_client(api.address, {"Authorization": f"Bearer {await token(api, 'answer')}"}) as client:
        assert (await client.post(SPAWN, json=ORDER)).status_code == 200
    (one,) = ordered(api)
    assert (one.in_person, one.surface) == (False, "api")
    async with plain_client(api.address, {"Authorization": f"Bearer {await token(api, 'ask', 'read')}"}) as client:
        assert (await client.post(SPAWN, json=ORDER)).status_code == 403
    assert len(ordered(api)) == 1


async def test_a_folder_is_a_full_path_and_a_refusal_is_told(api: Api) -> None:
    assert (await api.http.post(SPAWN, json={**ORDER, "folder": "shop"})).status_code == 422
    assert ordered(api) == []
    refused = Refused(code="cannot-spawn", status=409, detail="No such agent.")
    api.behind.hub_api.on(SpawnSession, lambda _: refused)
    answer = await api.http.post(SPAWN, json=ORDER)
    assert (answer.status_code, answer.json()["code"]) == (409, "cannot-spawn")
