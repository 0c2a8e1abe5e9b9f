"""Back-pressure: whatever arrives in one go is answered in order, and what is not read is not worked for."""

import asyncio
from contextlib import ExitStack
from datetime import timedelta
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from hub.contract.errors import BusyError
from hub.domain.requests import Noted, SaveClient
from hub.io.server import connection_limiter, protocol, websocket
from hub.io.server.concurrency_limits import CLIENT_MAX, REQUESTS_MAX, ConcurrencyLimits
from hub.io.server.request_framing import Pieces
from tests.fakes.hub_api import a_status
from tests.io.api.browser import Browser, NewBrowser, signed_in
from tests.io.api.raw import exchange
from tests.io.api.running import TOKEN, Api, Behind, hear, problem, running, say

HEAD = f"Host: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
READ = f"GET /api/v1/crosspoll/status HTTP/1.1\r\n{HEAD}\r\n".encode()
BODY = f"POST /api/v1/crosspoll/pause HTTP/1.1\r\n{HEAD}Content-Type: application/json\r\n"
SIZED = f'{BODY}Content-Length: 15\r\n\r\n{{"reason":"a"}}\n'.encode()
CHUNKED = f"{BODY}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n".encode()
CLOSE = f"GET /api/v1/crosspoll/config HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n".encode()
STRANGE = b"GET /app/inbox.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
MANY = 300
TURNS = 50
UPGRADE = (
    b"GET /pulse HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
UPGRADE_TOKEN = UPGRADE.replace(b"\r\n\r\n", f"\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    requests=st.lists(st.sampled_from([READ, SIZED, CHUNKED]), max_size=12),
    cuts=st.lists(st.integers(min_value=1, max_value=2_000), max_size=8),
)
def test_requests_in_any_pieces_are_all_answered_in_order(requests: list[bytes], cuts: list[int]) -> None:
    sent = b"".join(requests) + CLOSE

    async def talk() -> bytes:
        async with running() as api:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(api.address.rpartition(":")[2]))
            left = sent
            for cut in cuts:
                writer.write(left[:cut])
                left = left[cut:]
                await writer.drain()
                await asyncio.sleep(0)
            writer.write(left)
            answer = await reader.read()
            writer.close()
            return answer

    answer = asyncio.run(talk())
    assert answer.count(b"HTTP/1.1 200 OK") == len(requests) + 1
    assert b'"channels"' in answer.rpartition(b"HTTP/1.1")[2]


def test_a_piece_ends_with_the_head_and_with_the_body() -> None:
    pieces = Pieces()
    assert pieces.end_of_next(READ + READ) == len(READ)
    pieces.go_on_with([(b"content-length", b"5")])
    assert [pieces.end_of_next(b"abc"), pieces.end_of_next(b"deGET")] == [3, 2]
    assert pieces.end_of_next(b"GET / HT") == len(b"GET / HT")


@pytest.mark.slow
async def test_no_request_is_worked_for_while_the_one_before_is_not_read(api: Api) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(api.address.rpartition(":")[2]))
    writer.write(STRANGE * 3_000)
    state = api.running._server.server_state  # noqa: SLF001  what the server holds for it
    # The server keeps a set and signals nothing.
    while not any(one.flow.write_paused for one in state.connections if isinstance(one, protocol.PulseHttp)):  # noqa: ASYNC110  as said
        await asyncio.sleep(0)
    (held,) = [one for one in state.connections if isinstance(one, protocol.PulseHttp)]
    assert len(held.pipeline) <= protocol.AHEAD_MAX
    assert len(held._held) <= protocol.READ_BYTES  # noqa: SLF001  what waits
    assert held.transport.get_write_buffer_size() < 4 * protocol.READ_BYTES
    assert (await api.http.get("/api/v1/health")).status_code == 200
    writer.transport.abort()
    del reader


@pytest.mark.slow
async def test_a_strangers_many_requests_are_answered_too(api: Api) -> None:
    last = STRANGE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    answer = await exchange(api.address, STRANGE * MANY + last, timeout_s=30)
    assert answer.count(b"HTTP/1.1 200 OK") == MANY + 1


@pytest.mark.slow
async def test_an_answer_that_nobody_reads_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limiter, "UNREAD_S_MAX", 0.05)
    async with running() as api:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(api.address.rpartition(":")[2]), limit=1)
        writer.write(STRANGE * 3_000)
        state = api.running._server.server_state  # noqa: SLF001  what the server holds for it
        while not state.connections:  # noqa: ASYNC110  the server keeps a set and signals nothing
            await asyncio.sleep(0)
        while state.connections:  # noqa: ASYNC110  as above
            await asyncio.sleep(0.01)
        writer.transport.abort()
        del reader


async def test_a_silent_stranger_makes_room_for_a_newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limiter, "STRANGERS_MAX", 3)
    async with running() as api:
        port = int(api.address.rpartition(":")[2])
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        assert (await api.http.get("/api/v1/crosspoll/status")).status_code == 200
        assert await silent[0][0].read() == b""
        for _, writer in silent:
            writer.transport.abort()


async def test_unsigned_sockets_make_room_for_each_other_and_leave_the_signed_in_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_limiter, "UNSIGNED_MAX", 2)
    async with running(Behind(sockets_max=1)) as api:
        strangers = [await connect(api.pulse, proxy=None, compression=None) for _ in range(4)]
        async with api.socket() as mine:
            assert (await hear(mine))["type"] == "hello"
            with pytest.raises(ConnectionClosed):
                await strangers[0].recv()
            with pytest.raises(InvalidStatus):
                await api.socket()
            await say(mine, {"type": "subscribe", "channels": ["crosspoll"]})
            assert (await hear(mine))["type"] == "subscribed"
        for one in strangers:
            one.transport.abort()


async def opened(api: Api, count: int) -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Return connections that the server has taken, and that have said nothing."""
    port = int(api.address.rpartition(":")[2])
    made = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    # The server keeps a set and signals nothing.
    while len(api.running._server.server_state.connections) < count:  # noqa: ASYNC110, SLF001  as said
        await asyncio.sleep(0)
    return made


@pytest.mark.parametrize("cut", [0, UPGRADE_TOKEN.index(TOKEN.encode()) + 3])
async def test_upgrades_in_the_same_moment_drop_nobody_who_brought_a_token(
    monkeypatch: pytest.MonkeyPatch, api: Api, cut: int
) -> None:
    monkeypatch.setattr(connection_limiter, "UNSIGNED_MAX", 2)
    (reader, writer), *strangers = await opened(api, 20)
    writer.write(UPGRADE_TOKEN[:cut])
    for _ in range(TURNS if cut else 0):
        await asyncio.sleep(0)
    writer.write(UPGRADE_TOKEN[cut:])
    for _, stranger in strangers:
        stranger.write(UPGRADE)
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    assert b'"hello"' in await reader.readuntil(b"}")
    for _, one in ((reader, writer), *strangers):
        one.transport.abort()


async def test_a_session_keeps_its_connection_while_it_is_judged(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    await browser.http.aclose()
    again = Browser(api)
    again.key = browser.key
    again.http.auth = browser.key
    api.behind.clock.moment += timedelta(hours=2)  # its use is written down now, and the answer waits for that
    config = cast("protocol.PulseConfig", api.running._server.config)  # noqa: SLF001  the places behind the door

    def crowd(_: object) -> Noted:
        for _ in range(2 * connection_limiter.STRANGERS_MAX):
            config.limiter.enter(lambda: None)
        return Noted(status=a_status())

    api.behind.hub_api.on(SaveClient, crowd)
    assert (await again.http.get("/api/v1/session")).status_code == 200
    await again.http.aclose()


async def test_a_first_message_is_small(api: Api) -> None:
    async with api.socket(token=None) as socket:
        await socket.send("x" * (websocket.UNSIGNED_MESSAGE_BYTES_MAX + 1))
        with pytest.raises(ConnectionClosed) as closed:
            await hear(socket)
    assert closed.value.sent is not None or closed.value.rcvd is not None


async def test_who_is_signed_in_may_send_more(api: Api) -> None:
    async with api.socket() as socket:
        await hear(socket)
        await socket.send('"' + "x" * (2 * websocket.UNSIGNED_MESSAGE_BYTES_MAX) + '"')
        assert await hear(socket)


async def test_a_stop_has_a_place_when_all_others_are_taken(monkeypatch: pytest.MonkeyPatch, api: Api) -> None:
    monkeypatch.setattr("hub.io.server.concurrency_limits.REQUESTS_MAX", 0)
    monkeypatch.setattr("hub.io.server.concurrency_limits.IN_PERSON_RESERVED", 0)
    assert problem(await api.http.get("/api/v1/crosspoll/status")).code == "busy"
    assert (await api.http.post("/api/v1/crosspoll/pause", json={})).status_code == 200
    assert (await api.http.patch("/api/v1/crosspoll/config", json={"emergencyStop": True})).status_code == 200


async def test_hooks_and_the_person_have_a_place_when_all_others_are_taken(
    monkeypatch: pytest.MonkeyPatch, api: Api
) -> None:
    monkeypatch.setattr("hub.io.server.concurrency_limits.REQUESTS_MAX", 0)
    assert (await api.http.get("/api/v1/crosspoll/status")).status_code == 200
    monkeypatch.setattr("hub.io.server.concurrency_limits.IN_PERSON_RESERVED", 0)
    assert problem(await api.http.get("/api/v1/crosspoll/status")).code == "busy"
    step = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf src"}}
    hook = await api.http.post("/api/v1/hooks", json={"dialect": "claude-code", "input": step})
    assert hook.json()["hookSpecificOutput"]["permissionDecision"] == "ask"


def half_sent() -> bytes:
    """Return a request whose body stays on its way."""
    return (
        f"POST /api/v1/permissions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n{"
    ).encode()


async def test_a_body_on_its_way_takes_no_place_and_the_slowest_makes_room(
    monkeypatch: pytest.MonkeyPatch, api: Api
) -> None:
    limits = "hub.io.server.concurrency_limits"
    for name, most in (("REQUESTS_MAX", 1), ("IN_PERSON_RESERVED", 0), ("BODIES_MAX", 2), ("BODY_S_MAX", 30)):
        monkeypatch.setattr(f"{limits}.{name}", most)
    slow = [asyncio.create_task(exchange(api.address, half_sent(), timeout_s=20)) for _ in range(3)]
    done, waiting = await asyncio.wait(slow, return_when=asyncio.FIRST_COMPLETED)
    assert [b"slow-body" in await one for one in done] == [True]
    assert (await api.http.post("/api/v1/crosspoll/feedback", json={})).status_code != 503
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


def test_no_client_takes_all_places_but_the_person() -> None:
    limits = ConcurrencyLimits()
    with ExitStack() as held:
        for _ in range(CLIENT_MAX):
            held.enter_context(limits.one_more("plain", "local_agent", in_person=False))
        with pytest.raises(BusyError), limits.one_more("plain", "local_agent", in_person=False):
            pass
        with limits.one_more("hook", "local_agent", in_person=False):
            pass
        for _ in range(REQUESTS_MAX):
            held.enter_context(limits.one_more("plain", "a page", in_person=True))
        with pytest.raises(BusyError), limits.one_more("plain", "a page", in_person=True):
            pass
    assert (limits.all, limits.hooks, limits.heavy) == (0, 0, 0)


async def test_strangers_and_the_whole_history_have_a_share(monkeypatch: pytest.MonkeyPatch, api: Api) -> None:
    monkeypatch.setattr("hub.io.server.concurrency_limits.STRANGERS_MAX", 0)
    monkeypatch.setattr("hub.io.server.concurrency_limits.HEAVY_MAX", 0)
    assert problem(await api.http.post("/api/v1/pair", json={"code": "x"}, headers={"Authorization": ""})).status == 401
    api.http.headers.pop("Authorization")
    assert problem(await api.http.post("/api/v1/pair", json={"code": "x"})).code == "busy"
    mine = {"Authorization": f"Bearer {TOKEN}"}
    assert problem(await api.http.get("/api/v1/export", headers=mine)).code == "busy"
    assert (await api.http.get("/api/v1/crosspoll/status", headers=mine)).status_code == 200
