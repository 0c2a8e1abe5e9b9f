"""The sockets that systemd holds and hands over: taken whole, or refused with the reason."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hub.io.api import start_api
from hub.io.api.serving import RunningApi
from hub.io.http.errors import NoPortError
from hub.io.server.handed_sockets import take_handed
from hub.io.server.listening import IPV4, IPV6, can_bind, open_sockets
from tests.bench.hub_process import free_port
from tests.house.source import ROOT
from tests.io.api.running import Behind

HAS_IPV6 = can_bind(IPV6, 0)
HERE = [IPV4, IPV6] if HAS_IPV6 else [IPV4]
WAIT_S_MAX = 30
MEANT_FOR_ANOTHER = {"LISTEN_PID": "1", "LISTEN_FDNAMES": "a:b"}
HANDED = """
import os, sys
from hub.contract.errors import PulseError
from hub.io.server.handed_sockets import FIRST, take_handed
meant, *given = map(int, sys.argv[1:])
for index, number in enumerate([os.dup2(one, 40 + at) for at, one in enumerate(given)]):
    os.dup2(number, FIRST + index, inheritable=True)
if meant:
    os.environ["LISTEN_PID"] = str(os.getpid())
try:
    taken = take_handed(os.environ)
except PulseError as error:
    print(error.detail)
    sys.exit()
print(sorted(one.getsockname()[0] for one in taken), [os.get_inheritable(one.fileno()) for one in taken])
print([name for name in os.environ if name.startswith("LISTEN_")])
"""
"""A hub's first step, with the sockets that it is given where systemd puts them: from 3 on."""


def listening(address: str, port: int = 0) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family)


@pytest.fixture
def held() -> Iterator[Callable[[int], tuple[socket.socket, ...]]]:
    """Hold both halves of a port, as systemd does."""
    with ExitStack() as stack:
        yield lambda port: tuple(stack.enter_context(listening(address, port)) for address in HERE)


def started_with(*given: socket.socket, names: int | str | None = None, is_meant: bool = True) -> str:
    """Return what a process says that was handed these, and told their number."""
    numbers = [one.fileno() for one in given]
    done = subprocess.run(
        [sys.executable, "-c", HANDED, str(int(is_meant)), *map(str, numbers)],
        cwd=ROOT,
        env={**os.environ, "LISTEN_FDS": str(len(given) if names is None else names), **MEANT_FOR_ANOTHER},
        pass_fds=numbers,
        capture_output=True,
        check=True,
        text=True,
        timeout=WAIT_S_MAX,
    )
    return done.stdout


def test_what_is_handed_over_is_taken_and_handed_to_nobody_else(
    held: Callable[[int], tuple[socket.socket, ...]],
) -> None:
    said = started_with(*held(free_port()))
    assert said == f"{sorted(HERE)} {[False] * len(HERE)}\n[]\n"


def test_what_is_meant_for_another_process_is_left_alone(held: Callable[[int], tuple[socket.socket, ...]]) -> None:
    assert started_with(*held(free_port()), is_meant=False) == "[] []\n[]\n"


def test_a_start_without_systemd_takes_nothing() -> None:
    assert take_handed({}) == ()


@pytest.mark.parametrize("names", ["0", "three", "-1", "9"])
def test_a_number_that_is_none_or_too_large_is_refused(names: str) -> None:
    with listening(IPV4) as one:
        assert "one or two" in started_with(one, names=names)


def test_sockets_that_are_not_this_pages_are_refused() -> None:
    with ExitStack() as stack:
        everywhere = stack.enter_context(listening("0.0.0.0"))  # noqa: S104  what is to be refused
        quiet = stack.enter_context(socket.socket())
        quiet.bind((IPV4, 0))
        datagrams = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        datagrams.bind((IPV4, 0))
        local, _ = (stack.enter_context(one) for one in socket.socketpair())
        first, second = (stack.enter_context(listening(IPV4)) for _ in range(2))
        cases = {
            "one is at 0.0.0.0": (everywhere,),
            "not listen": (quiet,),
            "no TCP socket": (datagrams,),
            "is no TCP": (local,),
            "two ports": (first, second),
            "same address": (first, first),
        }
        for told, handed in cases.items():
            assert told in started_with(*handed), told


def test_what_is_no_socket_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file:
        assert "no socket" in started_with(file)  # type: ignore[arg-type]  # what has a number, as a socket has


def port_of(api: RunningApi) -> int:
    return int(api.address.rpartition(":")[2])


async def answer_at(address: str, port: int) -> bytes:
    reader, writer = await asyncio.open_connection(address, port)
    writer.write(f"GET /api/v1/health HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.readline()
    writer.close()
    return answer


async def test_the_api_answers_where_it_was_handed_the_port_and_it_stays_held(
    tmp_path: Path, held: Callable[[int], tuple[socket.socket, ...]]
) -> None:
    port = free_port()
    holding = held(port)
    for _ in range(2):  # and again, after a restart
        handed = tuple(one.dup() for one in holding)
        api = await start_api(Behind(home=tmp_path).parts(), host=IPV4, port=0, handed=handed)
        assert port_of(api) == port
        for address in HERE:
            assert b" 200 " in await answer_at(address, port)
        await api.close()
        for address in HERE:
            with pytest.raises(OSError, match="in use"):
                listening(address, port).close()


async def test_who_visits_while_pulse_is_away_is_answered_when_it_is_back(
    held: Callable[[int], tuple[socket.socket, ...]],
) -> None:
    port = free_port()
    holding = held(port)
    visit = asyncio.create_task(answer_at(IPV4, port))
    await asyncio.sleep(0)
    api = await start_api(Behind().parts(), host=IPV4, port=0, handed=tuple(one.dup() for one in holding))
    assert b" 200 " in await asyncio.wait_for(visit, WAIT_S_MAX)
    await api.close()


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no ::1")
async def test_the_half_that_was_not_handed_over_is_taken() -> None:
    with listening(IPV4) as half:
        port = half.getsockname()[1]
        opened = open_sockets(IPV4, 0, handed=(half.dup(),))
        assert [one.getsockname()[:2] for one in opened] == [(IPV4, port), (IPV6, port)]
        for one in opened:
            one.close()


@pytest.mark.parametrize(("host", "port"), [(IPV4, 1), ("0.0.0.0", 0), ("192.0.2.1", 0)])  # noqa: S104  to be refused
def test_a_port_or_host_that_the_settings_do_not_name_is_refused(host: str, port: int) -> None:
    with listening(IPV4) as one, pytest.raises(NoPortError, match="systemd holds") as refused:
        open_sockets(host, port, handed=(one.dup(),))
    assert "pulse install" in refused.value.fix


@pytest.mark.parametrize("host", [IPV4, "localhost", *([IPV6] if HAS_IPV6 else [])])
async def test_every_name_of_this_machine_is_served_by_what_was_handed_over(
    held: Callable[[int], tuple[socket.socket, ...]], host: str
) -> None:
    holding = held(free_port())
    opened = open_sockets(host, 0, handed=tuple(one.dup() for one in holding))
    assert {one.getsockname()[0] for one in opened} == set(HERE)
    assert opened[0].getsockname()[0] == (IPV6 if host == IPV6 else IPV4)
    for one in opened:
        one.close()


@pytest.mark.slow
@pytest.mark.needs_socket_activate
def test_systemds_own_program_hands_them_over() -> None:
    port = free_port()
    addresses = [f"[{one}]:{port}" if ":" in one else f"{one}:{port}" for one in HERE]
    program = shutil.which("systemd-socket-activate")
    assert program is not None
    command = [program, *(f"--listen={one}" for one in addresses), sys.executable, "-c", HANDED, "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        for _ in range(200):
            with socket.socket() as visit:
                if visit.connect_ex((IPV4, port)) == 0:
                    break
            try:
                started.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            break
        said, _ = started.communicate(timeout=WAIT_S_MAX)
    assert said == f"{sorted(HERE)} {[False] * len(HERE)}\n[]\n"
