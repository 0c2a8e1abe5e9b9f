"""The server itself: ports, the Date header, quick answers, no wake-ups, stopping."""

import asyncio
import contextlib
import re
import socket
import time
from email.utils import parsedate_to_datetime
from pathlib import Path

import psutil
import pytest

from hub.domain.requests import Reply, Request, Resume
from hub.io.api import start_api
from hub.io.api.serving import RunningApi
from hub.io.home.last_port import LastPort
from hub.io.http.errors import NoPortError
from hub.io.live.waiting import Waiting
from hub.io.server.listening import IPV6, PORT_DEFAULT, can_bind, open_sockets, unheld
from tests.bench.hub_process import free_port
from tests.io.api.running import Api, Behind, problem, running

STOP_S_MAX = 20
"""Far less than the clients of these tests would wait, and far more than it takes."""


NEEDS_IPV6 = pytest.mark.skipif(not can_bind(IPV6, 0), reason="this machine has no ::1")


def port_of(api: Api | RunningApi) -> int:
    return int(api.address.rpartition(":")[2])


def listening() -> set[int]:
    """Return the ports on which this process listens; another one may have taken a port at once when we left it."""
    connections = psutil.Process().net_connections("tcp")
    return {one.laddr.port for one in connections if one.status == psutil.CONN_LISTEN}


def test_port_0_means_the_usual_one_or_any_other() -> None:
    first, second = open_sockets("127.0.0.1", 0), open_sockets("127.0.0.1", 0)
    ports = {opened.getsockname()[1] for opened in (*first, *second)}
    for opened in (*first, *second):
        opened.close()
    assert len(ports) == 2
    assert PORT_DEFAULT in ports or all(port > 1_024 for port in ports)


async def test_a_restart_takes_the_port_that_open_pages_know(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert any([await is_found_again(tmp_path_factory.mktemp("home")) for _ in range(3)])


@NEEDS_IPV6
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0.0.0.0"])  # noqa: S104  as a container may
async def test_nobody_else_can_be_localhost_on_our_port(host: str) -> None:
    api = await start_api(Behind().parts(), host=host, port=0)
    assert unheld(port_of(api)) == ()
    for address in ("127.0.0.1", "::1"):
        answer = await asyncio.to_thread(answer_at, address, port_of(api))
        assert b" 200 " in answer.partition(b"\r\n")[0]
    await api.close()
    assert port_of(api) not in listening()


@NEEDS_IPV6
@pytest.mark.parametrize(("ours", "theirs"), [("127.0.0.1", "::1"), ("::1", "127.0.0.1")])
async def test_a_port_of_which_somebody_has_one_half_is_not_used(tmp_path: Path, ours: str, theirs: str) -> None:
    family = socket.AF_INET6 if ":" in theirs else socket.AF_INET
    port = free_port()
    with socket.create_server((theirs, port), family=family):
        assert unheld(port) == (ours,)
        with pytest.raises(NoPortError, match=re.escape(theirs)):
            await start_api(Behind().parts(), host=ours, port=port)
        LastPort(tmp_path).keep(port)
        api = await start_api(Behind(home=tmp_path).parts(), host=ours, port=0)
        assert port_of(api) != port
        await api.close()


def answer_at(address: str, port: int) -> bytes:
    """Return what is answered there to a request for the page."""
    with socket.create_connection((address, port), timeout=STOP_S_MAX) as asking:
        asking.sendall(f"GET /api/v1/health HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n".encode())
        return asking.makefile("rb").read()


async def is_found_again(home: Path) -> bool:
    """Say whether a second start is where the first was; another program may be quicker to take the port, once."""
    behind = Behind(home=home)
    with contextlib.ExitStack() as usual:  # the usual one, if nobody else has that; freed before the second start
        for opened in open_sockets("127.0.0.1", 0):
            usual.enter_context(opened)
        first = await start_api(behind.parts(), host="127.0.0.1", port=0)
        assert port_of(first) != PORT_DEFAULT
        await first.close()
    again = await start_api(behind.parts(), host="127.0.0.1", port=0)
    await again.close()
    return again.address == first.address


@pytest.mark.parametrize("kept", ["", "no number", "-1", "70000"])
def test_a_last_port_that_is_none(tmp_path: Path, kept: str) -> None:
    (tmp_path / "port").write_text(kept)
    assert LastPort(tmp_path).read() == 0


async def test_a_port_that_is_taken_says_what_to_do() -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    with pytest.raises(NoPortError) as refused:
        await start_api(Behind().parts(), host="127.0.0.1", port=taken.getsockname()[1])
    taken.close()
    assert "api.port" in refused.value.fix


async def test_a_host_that_is_not_ours() -> None:
    with pytest.raises(NoPortError):
        await start_api(Behind().parts(), host="192.0.2.1", port=0)


async def test_a_store_that_cannot_be_read_leaves_no_port_open() -> None:
    behind = Behind()
    await behind.store.close()
    with pytest.raises(Exception, match="closed"):
        await start_api(behind.parts(), host="127.0.0.1", port=0)


async def test_the_date_is_that_of_the_answer(api: Api) -> None:
    before = int(time.time())
    response = await api.http.get("/")
    assert before <= parsedate_to_datetime(response.headers["date"]).timestamp() <= time.time()
    assert "server" not in response.headers


async def test_answers_do_not_wait_for_acknowledgements(api: Api) -> None:
    """Nagle's algorithm would hold each of them back for 40 ms."""
    await api.http.post("/api/v1/predictions/pred_1/confirm", json={})
    open_now = api.running._server.server_state.connections  # noqa: SLF001  sockets of the server's side
    sockets = [one.transport.get_extra_info("socket") for one in open_now]
    assert sockets
    assert all(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in sockets)


async def test_stopping_is_quick_with_everything_open() -> None:
    async with running() as api, api.socket() as _, api.socket() as __:
        await api.http.get("/")
        waiting = asyncio.create_task(api.http.post("/api/v1/ask", json={"question": "?", "waitS": 300}))
        while "pulse_api_waiting 1" not in (await api.http.get("/metrics")).text:
            assert not waiting.done()
        async with asyncio.timeout(STOP_S_MAX):
            await api.running.close()
        assert (await waiting).status_code == 200
        assert port_of(api) not in listening()


async def test_stopping_does_not_wait_for_clients_that_do_not_listen() -> None:
    async with running() as api:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(api))
        writer.write(b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Le")
        await writer.drain()
        await api.http.get("/")
        async with asyncio.timeout(STOP_S_MAX):
            await api.running.close()
        assert await reader.read() == b""
        writer.close()


@pytest.mark.slow
async def test_an_idle_server_does_not_wake(api: Api) -> None:
    await api.http.get("/")
    await asyncio.sleep(0.1)  # what a first request leaves behind
    process = psutil.Process()
    before = process.num_ctx_switches().voluntary
    await asyncio.sleep(2)  # idleness can only be waited for
    assert process.num_ctx_switches().voluntary - before <= 5


async def test_a_bug_is_a_problem_and_the_server_goes_on(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: Request) -> Reply:
        raise ZeroDivisionError

    api.behind.hub_api.on(Resume, broken)
    found = problem(await api.http.post("/api/v1/crosspoll/resume"))
    assert (found.code, found.status, found.detail) == ("internal", 500, "ZeroDivisionError")
    assert "ZeroDivisionError" in caplog.text
    assert (await api.http.get("/api/v1/health")).status_code == 200


async def test_while_it_stops_nobody_is_told_that_they_are_not_let_in(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Waiting, "is_closing", True)
    answer = await api.http.get("/api/v1/session")
    assert (answer.status_code, answer.json()["code"]) == (503, "stopping")
