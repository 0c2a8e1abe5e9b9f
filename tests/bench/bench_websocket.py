"""Live events to 1,000 WebSockets, one of them stalled; and what one answer costs the API alone (a scripted desk).

The subscribers are in a process of their own. Run with `python -m tests.bench.bench_websocket`.
"""

import asyncio
import json
import resource
import socket
import sys
import time
from typing import Final

from msgspec.structs import replace

from hub.contract.events import ExecutionProgress, PredictionExpired
from hub.domain.suggestion import Answer
from hub.io.api import RunningApi, start_api
from hub.io.home.clock import SystemClock
from tests.bench.figures import Figure
from tests.bench.http_load import load, request
from tests.bench.websocket_clients import handshake, masked
from tests.fakes.feed import FakeFeed
from tests.fakes.plain_http import plain_client
from tests.io.api.running import Behind

BENCH: Final = "websocket"
TOKEN: Final = "bench"
CLIENTS: Final = 1_000
EVENTS: Final = 200
EVENTS_PER_S: Final = 20.0
LAST_MS_MAX: Final = 25.0
BULK: Final = 100
BULK_CHARS: Final = 100_000
BEHIND: Final = 850
RECEIVE_BYTES: Final = 4_096
ANSWERS: Final = 5_000
CONNECTIONS: Final = 8


async def opened(feed: FakeFeed) -> RunningApi:
    behind = Behind(feed=feed, sockets_max=CLIENTS + 10)
    parts = replace(behind.parts(), clock=SystemClock())
    await behind.let_in(TOKEN)
    return await start_api(parts, host="127.0.0.1", port=0)


def event(*, line: str) -> ExecutionProgress:
    return ExecutionProgress(card_id="pred_1", execution_id="exec_1_1", number=1, line=line)


async def stall(address: tuple[str, int]) -> asyncio.StreamWriter:
    """Subscribe, and never read again."""
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
    narrow.setblocking(False)  # noqa: FBT003  the standard library's own signature
    await asyncio.get_running_loop().sock_connect(narrow, address)
    reader, writer = await asyncio.open_connection(sock=narrow, limit=1_024)
    writer.write(handshake(f"{address[0]}:{address[1]}", TOKEN))
    await reader.readuntil(b"\r\n\r\n")
    writer.write(masked(b'{"type":"subscribe"}'))
    writer.transport.pause_reading()  # type: ignore[attr-defined]  # a TCP transport has it
    return writer


async def fan_out(*, stalled: bool) -> dict[str, float]:
    """Tell events at a steady pace; return how long each took to its last client."""
    feed = FakeFeed()
    api = await opened(feed)
    host, port = api.address.removeprefix("http://").split(":")
    writer = await stall((host, int(port))) if stalled else None
    if stalled:
        await fill(feed)
    command = (sys.executable, "-m", "tests.bench.websocket_clients", host, port, TOKEN, str(CLIENTS), str(EVENTS))
    clients = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert clients.stdout is not None
    assert await clients.stdout.readline() == b"ready\n"
    for _ in range(EVENTS):
        feed.tell(event(line=f"{time.monotonic():.9f}"))
        await asyncio.sleep(1 / EVENTS_PER_S)
    result: dict[str, float] = json.loads(await clients.stdout.readline())
    await clients.wait()
    result["dropped"] = await dropped(api)
    if writer is not None:
        writer.transport.abort()
    await api.close()
    return result


async def dropped(api: RunningApi) -> float:
    """Return how many clients the API gave up."""
    async with plain_client(headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        text = (await client.get(f"{api.address}/metrics")).text
    return float(text.partition("\npulse_api_sockets_dropped_total ")[2].split()[0])


async def fill(feed: FakeFeed) -> None:
    """Fill the stalled client's buffers, and bring it so far behind that it is dropped in the middle of it all."""
    for size in (*([BULK_CHARS] * BULK), *([1] * BEHIND)):
        feed.tell(PredictionExpired(card_id="x" * size))
        await asyncio.sleep(0)


async def answers() -> tuple[float, float]:
    """Return answers per second, and this process's CPU microseconds for each; the client is in this process too."""
    api = await opened(FakeFeed())
    host, port = api.address.removeprefix("http://").split(":")
    body = b'{"cardHash":"abc","humanInput":"tap"}'
    one = request(f"{host}:{port}", "/api/v1/predictions/pred_1/confirm", TOKEN, body)
    await load((host, int(port)), [one] * 200, connections=CONNECTIONS, rate_per_s=None)
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    samples, failures = await load((host, int(port)), [one] * ANSWERS, connections=CONNECTIONS, rate_per_s=None)
    seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF)
    assert (len(samples), failures) == (ANSWERS, 0)
    await api.close()
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ANSWERS / seconds, spent / ANSWERS * 1e6


def run() -> list[Figure]:
    """Measure; about half a minute."""
    figures = []
    for stalled in (False, True):
        result = asyncio.run(fan_out(stalled=stalled))
        among = f"{CLIENTS:,} clients" + (" beside a stalled one" if stalled else "")
        for share in ("p50", "p99"):
            goal = LAST_MS_MAX if share == "p50" else None
            value = result[f"last_{share}_s"] * 1e3
            figures.append(
                Figure(bench=BENCH, what=f"event → last of {among}, {share}", value=value, unit="ms", goal=goal)
            )
        figures.append(Figure(bench=BENCH, what=f"events lost by {among}", value=result["lost"], unit="events", goal=0))
        if stalled:
            given_up = result["dropped"]
            figures.append(Figure(bench=BENCH, what="stalled clients dropped", value=given_up, unit="clients", goal=1))
    per_s, cpu_us = asyncio.run(answers())
    name = f"{Answer.__name__} over HTTP, API and client in one process, no loop and no store behind"
    figures.append(Figure(bench=BENCH, what=name, value=per_s, unit="/s", better="higher"))
    figures.append(Figure(bench=BENCH, what="the same, CPU for each", value=cpu_us, unit="µs"))
    return figures


if __name__ == "__main__":
    for figure in run():
        sys.stdout.write(f"{figure.what}: {figure.value:.3f} {figure.unit}\n")
