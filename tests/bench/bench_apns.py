"""APNs from one worker over one connection, to a server on Node's HTTP/2; aioapns as it comes in the same run."""

import asyncio
import contextlib
import json
import logging
import random
import ssl
import subprocess
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsTLSClientProtocol
from aioapns.exceptions import ConnectionClosed, MaxAttemptsExceeded
from aioapns.exceptions import ConnectionError as TheirConnectionError
from h2.exceptions import H2Error

from hub.contract.events import PredictionNew
from hub.kit.gateway.outcome import Accepted
from surfaces.apns.client import Client
from surfaces.apns.config import load_key
from surfaces.apns.pool import tls_context
from surfaces.apns.provider_token import ProviderToken
from surfaces.apns.push import Push
from surfaces.apns.settings import Config
from tests.bench import apns_path
from tests.bench.figures import Figure, percentile
from tests.surfaces.apns.cards import prediction
from tests.surfaces.apns.carrying import a_hub, address, card, now
from tests.surfaces.apns.standin.certs import Certificates

BENCH = "apns"
REFERENCE = "aioapns as it comes"
KEY_ID, TEAM_ID, TOPIC = "KEY1234567", "TEAM123456", "org.example.acc"
SINK = Path(__file__).with_name("apns_sink.mjs")
SMALL_BYTES, LARGE_BYTES, WINDOW = 200, 3_900, 65_535
COUNT, WARM, ROUNDS = 6_000, 500, 3
THEIRS_S_MAX = 30
RATE_GOAL, FEW_P99_MS, MANY_P99_MS, ACCEPTED_P99_MS = 2_000, 60, 600, 30
FEW, MANY = 50, 800
CARDS, CARDS_EVERY_S = 500, 0.01

Send = Callable[[int], Awaitable[bool]]
Result = tuple[float, list[float], int]
"""Pushes a second, the time of each in milliseconds, and how many did not arrive."""


def run() -> list[Figure]:
    """Measure both clients with few and many pushes in flight, small and large, and ours from card to accepted."""
    logging.getLogger("aioapns").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(Path(folder))
        with _sink(certificates) as port:
            figures = []
            for in_flight, size, goal in (
                (FEW, SMALL_BYTES, FEW_P99_MS),
                (MANY, SMALL_BYTES, MANY_P99_MS),
                (MANY, LARGE_BYTES, MANY_P99_MS),
            ):
                theirs = asyncio.run(_theirs(certificates, port, in_flight, size))
                ours = asyncio.run(_ours(certificates, port, in_flight, size))
                figures += _figures(in_flight, size, goal, ours, theirs)
            waits = asyncio.run(_cards(certificates, port))
    return [
        *figures,
        Figure(bench=BENCH, what="card heard → accepted, p50", value=percentile(waits, 0.5), unit="ms"),
        Figure(
            bench=BENCH,
            what="card heard → accepted, p99",
            value=percentile(waits, 0.99),
            unit="ms",
            goal=ACCEPTED_P99_MS,
        ),
        *apns_path.measure(),
    ]


def _figures(in_flight: int, size: int, goal_ms: float, ours: Result, theirs: Result) -> list[Figure]:
    what = f"{in_flight} in flight, {size}-byte payloads, one connection"
    return [
        Figure(
            bench=BENCH,
            what=what,
            value=ours[0],
            unit="/s",
            better="higher",
            goal=RATE_GOAL if in_flight == FEW else None,
            reference=REFERENCE,
            reference_value=theirs[0],
        ),
        Figure(
            bench=BENCH,
            what=f"{what}, p99",
            value=percentile(ours[1], 0.99),
            unit="ms",
            goal=goal_ms,
            reference=REFERENCE,
            reference_value=percentile(theirs[1], 0.99),
        ),
        Figure(
            bench=BENCH,
            what=f"{what}, not arrived",
            value=ours[2],
            unit="pushes",
            goal=0,
            reference=REFERENCE,
            reference_value=theirs[2],
        ),
    ]


@contextlib.contextmanager
def _sink(certificates: Certificates) -> Iterator[int]:
    command = ["node", str(SINK), str(certificates.server_file), str(WINDOW)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.communicate("")


def _payload(size: int) -> bytes:
    empty = len(b'{"aps":{"alert":{"body":""}}}')
    return b'{"aps":{"alert":{"body":"%s"}}}' % (b"x" * (size - empty))


async def _measure(send: Send, in_flight: int) -> Result:
    """Send with so many workers, `ROUNDS` times; the best round counts, for both clients alike."""
    best: Result = (0.0, [0.0], COUNT)
    await _round(send, FEW // 10, WARM)
    for _ in range(ROUNDS):
        result = await _round(send, in_flight, COUNT)
        best = max(best, result, key=lambda one: (-one[2], one[0]))
    return best


async def _round(send: Send, in_flight: int, count: int) -> Result:
    waits: list[float] = []
    numbers = iter(range(count))
    lost = 0

    async def worker() -> None:
        nonlocal lost
        for number in numbers:
            began = time.perf_counter()
            lost += not await send(number)
            waits.append((time.perf_counter() - began) * 1_000)

    began = time.perf_counter()
    workers = [asyncio.create_task(worker()) for _ in range(in_flight)]
    _, hanging = await asyncio.wait(workers, timeout=THEIRS_S_MAX)
    took_s = time.perf_counter() - began
    for task in hanging:
        task.cancel()
        waits.append(THEIRS_S_MAX * 1_000)
    await asyncio.gather(*workers, return_exceptions=True)
    return (count - lost - len(hanging)) / took_s, waits, lost + len(hanging)


def _config(certificates: Certificates, port: int) -> Config:
    return Config(
        team_id=TEAM_ID,
        key_id=KEY_ID,
        key_file=str(certificates.key_file),
        topic=TOPIC,
        host=f"127.0.0.1:{port}",
        ca_file=str(certificates.ca_file),
    )


def _client(certificates: Certificates, port: int) -> Client:
    config = _config(certificates, port)
    token = ProviderToken(load_key(config), key_id=KEY_ID, team_id=TEAM_ID, wall_s=time.time, steady_s=time.monotonic)
    return Client(config, token, tls_context(config.ca_file), random.random)


async def _ours(certificates: Certificates, port: int, in_flight: int, size: int) -> Result:
    client, payload = _client(certificates, port), _payload(size)
    until = int((datetime.now(UTC) + timedelta(hours=1)).timestamp())

    async def send(number: int) -> bool:
        push = Push(
            token=f"{number:064x}",
            topic=TOPIC,
            type="alert",
            payload=payload,
            priority=10,
            expiration=until,
            apns_id=str(uuid.uuid4()),
            collapse_id="card",
        )
        return isinstance(await client.send(push, "production"), Accepted)

    try:
        return await _measure(send, in_flight)
    finally:
        client.close()


async def _theirs(certificates: Certificates, port: int, in_flight: int, size: int) -> Result:
    context = ssl.create_default_context(cafile=str(certificates.ca_file))
    context.set_alpn_protocols(["h2"])
    key = certificates.key_file.read_text()
    client = APNs(key=key, key_id=KEY_ID, team_id=TEAM_ID, topic=TOPIC, max_connections=1, ssl_context=context)
    local = {"APNS_SERVER": "127.0.0.1", "APNS_PORT": port}
    client.pool.protocol_class = type("LocalProtocol", (APNsTLSClientProtocol,), local)
    message = json.loads(_payload(size))

    async def send(number: int) -> bool:
        request = NotificationRequest(
            device_token=f"{number:064x}",
            message=message,
            time_to_live=3_600,
            priority=10,
            push_type=PushType.ALERT,
            collapse_key="card",
        )
        try:
            return bool((await client.send_notification(request)).is_successful)
        except (ConnectionClosed, TheirConnectionError, MaxAttemptsExceeded, H2Error):
            return False

    try:
        return await _measure(send, in_flight)
    finally:
        client.pool.close()


async def _cards(certificates: Certificates, port: int) -> list[float]:
    """From a delivery on the gateway's input to its receipt, one card each 10 ms."""
    client = _client(certificates, port)
    waits: list[float] = []
    async with a_hub(client) as hub:
        hub.knows({f"d{n}": address(f"{n:064x}") for n in range(CARDS)})
        for number in range(CARDS):
            delivery = card(
                f"dlv_{number}", PredictionNew(prediction=prediction(card_id=f"c{number}", created_at=now()))
            )
            began = time.perf_counter()
            hub.delivers(f"d{number}", delivery)
            await hub.reports.of(f"dlv_{number}")
            waits.append((time.perf_counter() - began) * 1_000)
            await asyncio.sleep(CARDS_EVERY_S)
    client.close()
    return waits
