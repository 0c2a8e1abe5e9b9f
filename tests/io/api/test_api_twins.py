"""Models over the API: tried by a real call, changed without a restart, and asked by programs in OpenAI's form."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from msgspec.structs import replace

from hub.domain.policy import USD, Caps, Policy
from hub.domain.storage import PutClient
from hub.loop.events import Event, ModelCalled
from hub.loop.state import State
from hub.runner import ModelCalls
from tests.fakes.hub_api import ScriptedHubApi
from tests.fakes.world import a_state
from tests.io.agents.model_server import (
    ModelServer,
    completion,
    policy_of,
    response,
    running_model,
    service_of,
    twins_here,
)
from tests.io.api.running import Api, Behind, problem, running
from tests.io.api.test_api_access import a_client, bearer
from tests.loop.stage import PROFILES

CHAT = {
    "model": "first",
    "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What now?"}],
    "temperature": 0.3,
    "max_tokens": 200,
}
PRICED = {"input_microusd": USD, "output_microusd": USD}


class Modelled:
    """An API with one model behind it; `posted` is what the loop is told."""

    def __init__(self, model: ModelServer) -> None:
        self.model = model
        self.posted: list[Event] = []
        self.behind = Behind()
        self.api: Api
        self.follow(policy_of(service_of(model, **PRICED)))

    def follow(self, policy: Policy) -> None:
        hub_api: ScriptedHubApi = self.behind.hub_api
        hub_api.rules = policy
        self._state: State = a_state(policy, PROFILES)

    def calls(self) -> ModelCalls:
        clock = self.behind.clock
        return ModelCalls(twins_here(), state=lambda: self._state, clock=clock, post=self.posted.append)

    async def post(self, path: str, body: object) -> Any:  # noqa: ANN401  any document
        return await self.api.http.post(f"/api/v1/twin/{path}", json=body)


@pytest_asyncio.fixture
async def house() -> AsyncIterator[Modelled]:
    async with running_model() as model:
        made = Modelled(model)
        made.behind.models = made.calls()
        async with running(made.behind) as made.api:
            yield made


@pytest.mark.slow
async def test_a_test_is_a_real_call_that_is_booked(house: Modelled) -> None:
    house.model.responses.append(completion("ready", tokens=(11, 1)))
    said = (await house.post("test", {})).json()
    assert said == {
        "tests": [{"name": "first", "model": "small-model", "ok": True, "detail": "it answered", "costUsd": 0.000012}]
    }
    (event,) = house.posted
    assert isinstance(event, ModelCalled)
    assert (event.reply.cost_microusd, event.reply.trouble) == (12, "")


@pytest.mark.slow
async def test_a_test_that_fails_says_why_and_the_loop_is_told(house: Modelled) -> None:
    house.model.responses.append(response(b"{}", "401 Who are you"))
    (one,) = (await house.post("test", {"name": "first"})).json()["tests"]
    assert (one["ok"], one["detail"]) == (False, "it does not accept the key in TEST_TWIN_KEY (401)")
    (event,) = house.posted
    assert isinstance(event, ModelCalled)
    assert "“first”" in event.reply.trouble


@pytest.mark.slow
async def test_a_chat_is_passed_on_in_openais_form(house: Modelled) -> None:
    house.model.responses.append(completion("Rest.", tokens=(20, 2)))
    said = (await house.post("serve", CHAT)).json()
    assert said["object"] == "chat.completion"
    assert said["choices"] == [
        {"index": 0, "message": {"role": "assistant", "content": "Rest."}, "finish_reason": "stop"}
    ]
    assert said["usage"] == {"prompt_tokens": 20, "completion_tokens": 2, "total_tokens": 22}
    asked = msgspec.json.decode(house.model.bodies[0])
    assert (asked["messages"], asked["temperature"], asked["max_tokens"]) == (CHAT["messages"], 0.3, 200)
    assert isinstance(house.posted[0], ModelCalled)
    assert house.posted[0].reply.cost_microusd == 22


@pytest.mark.slow
async def test_what_cannot_be_asked_is_refused_by_code(house: Modelled) -> None:
    assert problem(await house.post("serve", {**CHAT, "model": "nobody"})).code == "unknown-twin"
    assert problem(await house.post("test", {"name": "nobody"})).code == "unknown-twin"
    assert problem(await house.post("serve", {**CHAT, "max_tokens": 10**9})).code == "invalid-body"
    house.model.responses.append(response(b"private", "503 Busy"))
    failed = problem(await house.post("serve", CHAT))
    assert (failed.code, "private" in failed.detail) == ("model-failed", False)
    policy = house.behind.hub_api.policy()
    house.follow(replace(policy, caps=Caps(hour_microusd=100)))
    assert problem(await house.post("serve", CHAT)).code == "no-budget-for-model"
    house.follow(Policy())
    assert problem(await house.post("serve", CHAT)).code == "no-twin"
    assert len(house.model.heads) == 1


# As the source document has it (CROSSPOLL 2.3), by its path.

SERVE = "/api/v1/twin/serve"
SYSTEM = (
    "You are a prediction engine for Mohamed's AI agent system. Based on the current context, predict the single most "
    'valuable action to take right now. Return JSON: {"prompt": string, "channel": string, "confidence": 0-1, '
    '"reasoning": string}'
)
OF_THE_SOURCE = {
    "model": "twin-sft-v1",
    "messages": [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "Time: Tuesday 14:30\nSilence: 40 min"},
    ],
    "temperature": 0.3,
    "max_tokens": 200,
}
PREDICTED = (
    '{"prompt": "Run the tests", "channel": "koji-core", "confidence": 0.92, "reasoning": "Two modules changed."}'
)


async def test_twin_serve_answers_the_sources_own_request(house: Modelled) -> None:
    house.follow(policy_of(service_of(house.model), service_of(house.model, name="twin", model="twin-sft-v1")))
    house.model.responses.append(completion(PREDICTED))
    response = await house.api.http.post(SERVE, json=OF_THE_SOURCE)
    said = response.json()
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert said.keys() == {"id", "object", "created", "model", "choices", "usage"}
    assert (said["object"], said["model"], said["usage"]) == ("chat.completion", "twin-sft-v1", None)
    assert msgspec.json.decode(said["choices"][0]["message"]["content"])["confidence"] == 0.92
    asked = msgspec.json.decode(house.model.bodies[0])
    assert {name: asked[name] for name in OF_THE_SOURCE} == OF_THE_SOURCE
    assert "response_format" not in asked


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "user", "content": "x"}] * 33}, "messages"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages"),
        ({"temperature": 2.1}, "temperature"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"stream": True}, "stream"),
    ],
)
async def test_twin_serve_refuses_what_it_cannot_pass_on(
    house: Modelled, changed: dict[str, object], field: str
) -> None:
    said = problem(await house.api.http.post(SERVE, json={**OF_THE_SOURCE, "model": "", **changed}))
    assert (said.status, said.code) == (422, "invalid-body")
    assert field in " ".join((said.detail, *said.errors))
    assert (house.model.heads, house.posted) == ([], [])


async def test_twin_serve_is_for_administrators_and_by_post() -> None:
    behind = Behind()
    await behind.write(PutClient(client=a_client("read", "answer", "ask")))
    async with running(behind) as api:
        for token, code in (("nope", "not-signed-in"), ("secret", "out-of-scope")):
            assert problem(await api.http.post(SERVE, json=OF_THE_SOURCE, headers=bearer(token))).code == code
        assert (await api.http.get(SERVE)).status_code == 405
