"""JSON-RPC 2.0 over the WebSocket: the methods of the source document, batches, notifications, and every error."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from hub.contract.access import Scope
from hub.contract.errors import BusyError
from hub.contract.words import Verb
from hub.domain.requests import Refused, Trigger
from hub.domain.storage import AddCard, Client, PutClient
from hub.domain.suggestion import Answer
from hub.io.access.tokens import sha256
from hub.io.api.endpoints import ENDPOINTS
from hub.io.api.rpc import METHODS
from tests.conformance.store.samples import card
from tests.fakes.hub_api import NOON
from tests.io.api.running import Api, Behind, hear, running, say


@pytest.fixture
async def socket(api: Api) -> AsyncIterator[ClientConnection]:
    async with api.socket() as opened:
        await hear(opened)
        yield opened


async def call(socket: ClientConnection, method: str, params: object = None) -> dict[str, Any]:
    request: dict[str, object] = {"jsonrpc": "2.0", "id": 7, "method": method}
    await say(socket, request if params is None else request | {"params": params})
    answer = await hear(socket)
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer


async def test_the_three_methods_of_the_source_document(api: Api, socket: ClientConnection) -> None:
    await api.behind.write(AddCard(card=card("pred_1")))
    triggered = await call(socket, "pulse.crosspoll.trigger", {"channel": "koji-core", "hint": "Run the tests"})
    assert triggered["result"]["triggered"] is True
    assert api.behind.hub_api.requests == [Trigger(channel="koji-core", hint="Run the tests", in_person=True)]
    latest = await call(socket, "pulse.predictions.latest", {"count": 5})
    assert [one["id"] for one in latest["result"]["predictions"]] == ["pred_1"]
    assert (await call(socket, "pulse.crosspoll.status", {}))["result"]["state"] == "watching"


async def test_every_verb(api: Api, socket: ClientConnection) -> None:
    await api.behind.write(AddCard(card=card("pred_1")))
    names = [name for name in METHODS if name.startswith("pulse.predictions.") and not name.endswith("latest")]
    for name in names:
        params = {"id": "pred_1", "cardHash": "h", "device": "bot"} | ({"prompt": "x"} if "edit" in name else {})
        assert (await call(socket, name, params))["result"]["prediction"]["id"] == "pred_1"
    verbs = [request.verb for request in api.behind.hub_api.requests if isinstance(request, Answer)]
    assert set(verbs) == set(Verb)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("{", -32700),
        ('[{"jsonrpc": "2.0"', -32700),
        ("[]", -32600),
        ("7", -32600),
        ("{}", -32600),
        ('{"jsonrpc":"1.0","method":"x","id":1}', -32600),
        ('{"jsonrpc":"2.0","method":7,"id":1}', -32600),
        ('{"jsonrpc":"2.0","method":"foo","id":1}', -32601),
        ('{"jsonrpc":"2.0","method":"pulse.predictions.latest","params":{"count":11},"id":1}', -32602),
        ('{"jsonrpc":"2.0","method":"pulse.predictions.latest","params":[1],"id":1}', -32602),
        ('{"jsonrpc":"2.0","method":"pulse.predictions.confirm","params":{},"id":1}', -32602),
        ('{"jsonrpc":"2.0","method":"pulse.crosspoll.status","params":{"x":1},"id":1}', -32602),
    ],
)
async def test_the_standard_errors(socket: ClientConnection, raw: str, code: int) -> None:
    await socket.send(raw)
    answer = await hear(socket)
    assert (answer["error"]["code"], answer["jsonrpc"]) == (code, "2.0")
    assert answer["error"]["message"]
    assert "result" not in answer


async def test_a_refusal_brings_its_problem(api: Api, socket: ClientConnection) -> None:
    api.behind.hub_api.on(Answer, lambda _: Refused(code="expired", status=410, detail="Too late.", fix="Trigger."))
    error = (await call(socket, "pulse.predictions.confirm", {"id": "pred_1"}))["error"]
    assert (error["code"], error["message"], error["data"]["code"]) == (-32000, "Too late.", "expired")
    api.behind.hub_api.on(Answer, lambda _: BusyError())
    assert (await call(socket, "pulse.predictions.confirm", {"id": "p"}))["error"]["data"]["code"] == "busy"


async def test_notifications_are_done_and_not_answered(api: Api, socket: ClientConnection) -> None:
    await say(socket, {"jsonrpc": "2.0", "method": "pulse.predictions.reject", "params": {"id": "pred_1"}})
    await say(socket, {"jsonrpc": "2.0", "method": "pulse.no.such.method"})
    assert (await call(socket, "pulse.crosspoll.status"))["result"]
    assert len(api.behind.hub_api.requests) == 1


async def test_batches(api: Api, socket: ClientConnection) -> None:
    status = {"jsonrpc": "2.0", "method": "pulse.crosspoll.status"}
    await say(socket, [{**status, "id": "a"}, status, 1, {**status, "id": None}])
    answers = await hear(socket)
    assert isinstance(answers, list)
    assert [(one["id"], "result" in one) for one in answers] == [("a", True), (None, False), (None, True)]
    await say(socket, [status, status])
    await say(socket, [{**status, "id": 1}] * 51)
    assert (await hear(socket))["error"]["code"] == -32600
    assert api.behind.hub_api.requests == []


async def test_events_and_calls_share_the_connection(socket: ClientConnection) -> None:
    await say(socket, {"type": "subscribe"})
    assert (await hear(socket))["type"] == "subscribed"
    assert (await call(socket, "pulse.crosspoll.status"))["result"]


async def test_only_so_many_calls_at_once(socket: ClientConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.api.websocket.CALLS_MAX", 0)
    await say(socket, {"jsonrpc": "2.0", "id": 1, "method": "pulse.crosspoll.status"})
    assert (await hear(socket))["error"]["data"]["code"] == "busy"


async def with_token(*scopes: Scope) -> Behind:
    """Return what is behind an API in which the token `s` has these scopes."""
    behind = Behind()
    client = Client(id="c", user="anna", name="x", token_sha256=sha256("s"), scopes=scopes, created_at=NOON)
    await behind.write(PutClient(client=client))
    return behind


async def test_what_may_only_answer_makes_a_suggestion_and_does_not_read_it() -> None:
    behind = await with_token("answer")
    async with running(behind) as api, api.socket(token="s") as opened:
        await hear(opened)
        said = (await call(opened, "pulse.crosspoll.trigger"))["result"]
        assert (said["triggered"], said["prediction"]) == (True, None)
        over_http = await api.http.post("/api/v1/crosspoll/trigger", headers={"Authorization": "Bearer s"})
        assert (over_http.json()["triggered"], over_http.json()["prediction"]) == (True, None)
        assert (await api.http.post("/api/v1/crosspoll/trigger")).json()["prediction"] is not None


def test_each_method_is_an_endpoint_of_the_table() -> None:
    assert all(one.endpoint in ENDPOINTS for one in METHODS.values())


async def test_scopes_hold_here_too() -> None:
    behind = await with_token("read")
    async with running(behind) as api, api.socket(token="s") as opened:
        await hear(opened)
        error = (await call(opened, "pulse.predictions.confirm", {"id": "pred_1"}))["error"]
        assert error["data"]["code"] == "out-of-scope"
        assert (await call(opened, "pulse.crosspoll.status"))["result"]
    assert behind.hub_api.requests == []
