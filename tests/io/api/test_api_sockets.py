"""Live events: hello, subscribe, replay, resync, sign-in, and clients that cannot keep up."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Data

from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    ExecutionProgress,
    Paused,
    PredictionExpired,
    PredictionNew,
    Resumed,
)
from hub.domain.storage import Client, PutClient
from hub.io.access.tokens import sha256
from tests.fakes.hub_api import NOON, a_prediction
from tests.io.api.running import TOKEN, Api, Behind, hear, running, say

SUBSCRIBE = {"type": "subscribe", "channels": ["crosspoll"]}
EVENTS: tuple[AnyEvent, ...] = (
    PredictionNew(prediction=a_prediction()),
    PredictionExpired(card_id="pred_1"),
    Paused(reason="3 consecutive rejections"),
    Resumed(),
    CostApproaching(window="hour", spent_usd=1.7, cap_usd=2.0),
)


async def stalled_until_closed(socket: ClientConnection) -> AsyncIterator[Data]:
    """What a client that wakes up late still finds."""
    try:
        while True:
            yield await socket.recv()
    except ConnectionClosed:
        return


def long_event(number: int) -> ExecutionProgress:
    return ExecutionProgress(card_id="p", execution_id="e", number=number, line="x" * 4_000)


async def test_events_arrive_as_the_source_document_names_them(api: Api) -> None:
    async with api.socket() as socket:
        hello = await hear(socket)
        assert (hello["type"], hello["seq"], hello["status"]["state"]) == ("hello", 0, "watching")
        await say(socket, SUBSCRIBE)
        assert (await hear(socket))["type"] == "subscribed"
        for event in EVENTS:
            api.behind.feed.tell(event)
        heard = [await hear(socket) for _ in EVENTS]
    assert [one["type"] for one in heard] == [
        "prediction.new",
        "prediction.expired",
        "crosspoll.paused",
        "crosspoll.resumed",
        "cost.approaching",
    ]
    assert [one["seq"] for one in heard] == [1, 2, 3, 4, 5]
    assert heard[0]["prediction"]["targetChannel"] == "koji-core"
    assert heard[1]["predictionId"] == "pred_1"


async def test_nothing_comes_before_subscribing_or_after_leaving(api: Api) -> None:
    async with api.socket() as socket:
        await hear(socket)
        api.behind.feed.tell(EVENTS[0])
        await say(socket, SUBSCRIBE)
        assert await hear(socket) | {"feed": ""} == {"type": "subscribed", "seq": 1, "feed": "", "replayed": 0}
        await say(socket, {"type": "unsubscribe"})
        await say(socket, {"type": "nonsense"})
        assert (await hear(socket))["type"] == "problem"
        api.behind.feed.tell(EVENTS[1])
        await say(socket, {"type": "nonsense"})
        assert (await hear(socket))["type"] == "problem"


async def test_what_was_missed_is_replayed_once_and_in_order(api: Api) -> None:
    for event in EVENTS:
        api.behind.feed.tell(event)
    async with api.socket() as socket:
        feed = (await hear(socket))["feed"]
        await say(socket, {**SUBSCRIBE, "since": 2, "feed": feed})
        assert (await hear(socket))["replayed"] == 3
        api.behind.feed.tell(EVENTS[0])
        assert [(await hear(socket))["seq"] for _ in range(4)] == [3, 4, 5, 6]


async def test_events_from_before_the_api_began_are_replayed_too() -> None:
    behind = Behind()
    behind.feed.tell(EVENTS[0])
    async with running(behind) as api, api.socket() as socket:
        await hear(socket)
        await say(socket, {**SUBSCRIBE, "since": 0})
        await hear(socket)
        assert (await hear(socket))["type"] == "prediction.new"


@pytest.mark.slow
async def test_a_long_replay_arrives_whole(api: Api) -> None:
    for number in range(900):
        api.behind.feed.tell(long_event(number))
    async with api.socket(max_queue=2) as socket:
        await hear(socket)
        await say(socket, {**SUBSCRIBE, "since": 0})
        await hear(socket)
        assert [(await hear(socket))["seq"] for _ in range(900)] == list(range(1, 901))


@pytest.mark.parametrize("extra", [{"since": 0}, {"since": 2_000}, {"since": 1_500, "feed": "another"}])
async def test_what_is_no_longer_kept_means_reading_anew(api: Api, extra: dict[str, object]) -> None:
    for _ in range(1_600):
        api.behind.feed.tell(EVENTS[1])
    async with api.socket() as socket:
        await hear(socket)
        await say(socket, SUBSCRIBE | extra)
        said = await hear(socket)
        assert (said["type"], said["seq"]) == ("resync", 1_600)
        assert said["reason"]
        api.behind.feed.tell(EVENTS[3])
        assert (await hear(socket))["seq"] == 1_601


@pytest.mark.parametrize(
    "raw", ["{", "", "[1", '{"type":"subscribe","channels":["other"]}', '{"type":"subscribe","since":-1}', "\x00", "7"]
)
async def test_garbage_is_answered_and_harms_nobody(api: Api, raw: str) -> None:
    async with api.socket() as socket:
        await hear(socket)
        await socket.send(raw)
        said = await hear(socket)
        assert said.get("type") == "problem" or said["error"]["code"] < 0
        await socket.send(b"\xff\xfe")
        await hear(socket)
        await say(socket, SUBSCRIBE)
        assert (await hear(socket))["type"] == "subscribed"


async def test_a_message_that_is_too_large_ends_the_connection(api: Api) -> None:
    async with api.socket() as socket:
        await hear(socket)
        await socket.send("x" * 70_000)
        with pytest.raises(ConnectionClosed):
            await hear(socket)
    assert (await api.http.get("/api/v1/health")).status_code == 200


async def test_signing_in_by_the_first_message(api: Api) -> None:
    async with api.socket(token=None) as socket:
        await say(socket, {"type": "auth", "token": TOKEN})
        assert (await hear(socket))["type"] == "hello"


@pytest.mark.parametrize("first", [{"type": "auth", "token": "nope"}, SUBSCRIBE, {"jsonrpc": "2.0", "method": "x"}])
async def test_no_valid_token_no_events(api: Api, first: dict[str, object]) -> None:
    async with api.socket(token=None) as socket:
        await say(socket, first)
        assert (await hear(socket))["type"] == "problem"
        with pytest.raises(ConnectionClosed) as closed:
            await hear(socket)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


@pytest.mark.slow
async def test_silence_instead_of_a_token(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.api.websocket.SIGN_IN_S_MAX", 0.05)
    async with api.socket(token=None) as socket:
        assert (await hear(socket))["problem"]["code"] == "not-signed-in"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": "Bearer nope"}, 401),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://evil.example"}, 403),
    ],
)
async def test_handshakes_that_are_refused(api: Api, headers: dict[str, str], status: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(api.pulse, additional_headers=headers, proxy=None):
            pass
    assert refused.value.response.status_code == status
    assert refused.value.response.headers["content-type"] == "application/problem+json"


async def test_only_so_many_sockets() -> None:
    async with running(Behind(sockets_max=1)) as api, api.socket() as socket:
        await hear(socket)
        with pytest.raises(InvalidStatus) as refused:
            async with api.socket():
                pass
        assert refused.value.response.status_code == 503


async def test_a_token_that_may_not_read_hears_nothing() -> None:
    behind = Behind()
    client = Client(id="c", user="anna", name="x", token_sha256=sha256("s"), scopes=("ask",), created_at=NOON)
    await behind.write(PutClient(client=client))
    async with running(behind) as api:
        with pytest.raises(InvalidStatus) as refused:
            async with api.socket(token="s"):
                pass
        assert refused.value.response.status_code == 403
        async with api.socket(token=None) as socket:
            await say(socket, {"type": "auth", "token": "s"})
            assert (await hear(socket))["problem"]["code"] == "out-of-scope"
            with pytest.raises(ConnectionClosed):
                await hear(socket)


async def test_revoking_a_token_closes_its_sockets(api: Api) -> None:
    made = (await api.http.post("/api/v1/tokens", json={"name": "x", "scopes": ["read"]})).json()
    async with api.socket(token=made["token"]) as socket, api.socket() as other:
        await hear(socket)
        await hear(other)
        await api.http.delete(f"/api/v1/tokens/{made['client']['id']}")
        with pytest.raises(ConnectionClosed):
            await hear(socket)
        await say(other, SUBSCRIBE)
        assert (await hear(other))["type"] == "subscribed"


@pytest.mark.slow
async def test_one_that_stalls_is_dropped_and_the_others_do_not_notice(api: Api) -> None:
    async with api.socket(max_queue=1) as stalled, api.socket() as other:
        for socket in (stalled, other):
            await hear(socket)
            await say(socket, SUBSCRIBE)
            await hear(socket)
        for number in range(4_000):
            api.behind.feed.tell(long_event(number))
            assert (await hear(other))["number"] == number
        late = [message async for message in stalled_until_closed(stalled)]
        assert 0 < len(late) < 4_000
        assert stalled.close_code == 1013
        api.behind.feed.tell(EVENTS[0])
        assert (await hear(other))["type"] == "prediction.new"
    assert "pulse_api_sockets_dropped_total 1" in (await api.http.get("/metrics")).text


async def test_one_that_is_slow_but_reads_gets_everything(api: Api) -> None:
    async with api.socket(max_queue=1) as slow:
        await hear(slow)
        await say(slow, SUBSCRIBE)
        await hear(slow)
        for number in range(800):
            api.behind.feed.tell(long_event(number))
        await asyncio.sleep(0)
        assert [(await hear(slow))["number"] for _ in range(800)] == list(range(800))


async def test_stopping_says_goodbye() -> None:
    async with running() as api, api.socket() as socket:
        await hear(socket)
        await api.running.close()
        with pytest.raises(ConnectionClosed) as closed:
            await hear(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001


async def test_pages_that_are_there_are_told_to_read_what_is_beside_the_cards_again(api: Api) -> None:
    async with api.socket() as socket, api.socket() as stranger:
        await hear(socket)
        await hear(stranger)
        await say(socket, SUBSCRIBE)
        await hear(socket)
        api.running.services.broadcaster.look_again("terminals")
        api.behind.feed.tell(EVENTS[0])
        assert await hear(socket) == {"type": "look-again", "what": "terminals"}
        assert (await hear(socket))["seq"] == 1, "it has no number, so none is missing"
        await say(stranger, {"type": "nonsense"})
        assert (await hear(stranger))["type"] == "problem", "who subscribed to nothing hears nothing"


async def test_a_task_that_is_kept_changed_or_removed_reaches_every_page(api: Api) -> None:
    async with api.socket() as socket:
        await hear(socket)
        await say(socket, SUBSCRIBE)
        await hear(socket)
        await api.http.post("/api/v1/tasks", json={"title": "Call the bank"})
        assert await hear(socket) == {"type": "look-again", "what": "tasks"}
        await api.http.patch("/api/v1/tasks/task_1", json={"status": "completed"})
        assert await hear(socket) == {"type": "look-again", "what": "tasks"}
        await api.http.delete("/api/v1/tasks/task_1")
        assert await hear(socket) == {"type": "look-again", "what": "tasks"}
