"""Web Push from one worker: 200-byte messages, 20 in flight, to a push service that is a process of its own."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pywebpush import webpush  # type: ignore[import-untyped]  # it has no types

from hub.contract.address import WebPushAddress
from hub.kit.gateway.outcome import Accepted
from surfaces.web.render import Push, topic_of
from surfaces.web.send import Sender, opened_session
from surfaces.web.settings import DEFAULT_CONTACT
from surfaces.web.vapid import Signer
from tests.bench.figures import Figure, percentile
from tests.surfaces.web.receiver import Browser

BENCH = "webpush"
PAYLOAD = b"x" * 200
IN_FLIGHT = 20
OURS, THEIRS, WARM = 10_000, 1_500, 300
RATE_GOAL, WAIT_GOAL_MS = 2_000, 20


def run() -> list[Figure]:
    """Measure ours and, in the same run, `webpush()` as its documentation shows it."""
    sink = [sys.executable, "-m", "tests.bench.push_sink"]
    with subprocess.Popen(sink, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        origin = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        theirs = _theirs(origin)
        ours, waits = asyncio.run(_ours(origin))
        again = _theirs(origin)
        server.communicate("")
    reference = max(theirs, again)
    what = f"sent by one worker, {len(PAYLOAD)} bytes, {IN_FLIGHT} in flight"
    return [
        Figure(
            bench=BENCH,
            what=what,
            value=ours,
            unit="/s",
            better="higher",
            goal=RATE_GOAL,
            reference="`webpush()` as documented",
            reference_value=reference,
        ),
        Figure(bench=BENCH, what="send → accepted, p50", value=percentile(waits, 0.5), unit="ms"),
        Figure(bench=BENCH, what="send → accepted, p99", value=percentile(waits, 0.99), unit="ms", goal=WAIT_GOAL_MS),
    ]


def _address(origin: str) -> WebPushAddress:
    return Browser().address(f"{origin}/push/1")


async def _ours(origin: str) -> tuple[float, list[float]]:
    push = Push(body=PAYLOAD, ttl_s=60, urgency="high", topic=topic_of("card"), tag="card")
    addresses = [_address(origin) for _ in range(100)]
    waits: list[float] = []
    async with opened_session((origin,)) as session:
        sender = Sender(session, Signer(Browser().key, DEFAULT_CONTACT), (origin,), lambda: datetime.now(UTC))

        async def worker(count: int) -> None:
            for number in range(count):
                began = time.perf_counter()
                assert isinstance(await sender.send(addresses[number % len(addresses)], push), Accepted)
                waits.append((time.perf_counter() - began) * 1_000)

        await asyncio.gather(*(worker(WARM // IN_FLIGHT) for _ in range(IN_FLIGHT)))
        waits.clear()
        began = time.perf_counter()
        await asyncio.gather(*(worker(OURS // IN_FLIGHT) for _ in range(IN_FLIGHT)))
        return OURS / (time.perf_counter() - began), waits


def _theirs(origin: str) -> float:
    address, key = _address(origin), Browser().key
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    private = "".join(pem.splitlines()[1:-1])
    info = {"endpoint": address.endpoint, "keys": {"p256dh": address.p256dh, "auth": address.auth}}

    def one() -> None:
        webpush(info, data=PAYLOAD.decode(), vapid_private_key=private, vapid_claims={"sub": DEFAULT_CONTACT}, ttl=60)

    return _rate(one, THEIRS)


def _rate(call: Callable[[], None], count: int) -> float:
    for _ in range(WARM // 10):
        call()
    began = time.perf_counter()
    for _ in range(count):
        call()
    return count / (time.perf_counter() - began)
