"""A phone from end to end: a real hub, its gateway, and the strict stand-in; how soon a card is there, a tap counts.

A card counts from just before the question is asked over HTTP until the stand-in has taken the notification; a tap
from when it was due until its answer, which the hub gives once the decision is committed. The references run beside:
one bare push by aioapns to a stand-in of its own, and the same POST to the smallest HTTP server there is.
"""

import asyncio
import contextlib
import json
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsTLSClientProtocol

from tests.bench.figures import Figure, percentile
from tests.bench.http_load import load, request
from tests.surfaces.apns.app_on_device import App
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.server import Standin
from tests.surfaces.apns.test_apns_journey import settings_for
from tests.web.live_hub import live_hub

BENCH = "apns"
PHONE, NOBODY = "a1" * 32, "b2" * 32
WARM, CARDS, EVERY_S = 20, 300, 0.02
ARRIVES_S_MAX = 30
TAPS_PER_S, TAP_LINES = 20.0, 4
ACCEPTED_P99_MS, COMMITTED_P99_MS = 30.0, 10.0
ROOM = "[crosspoll]\npending_max = 1000000\n"
BARE_PUSH, BARE_POST = "a bare push by aioapns, to its answer", "the same POST to a bare HTTP server"


def measure() -> list[Figure]:
    """Measure both ways, each beside its reference."""
    return asyncio.run(_measure())


async def _measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="pulse-bench-") as name:
        folder = Path(name)
        certificates = Certificates(folder)
        async with Standin(certificates) as apns, Standin(certificates) as beside:
            with live_hub(folder, settings_for(apns) + ROOM) as hub:
                app = App(hub, apns, "phone", PHONE)
                await app.pair()
                await app.register()
                shown, bare = await _cards(app, beside)
                taps = [_tap(hub.api, app.token, one.payload) for one in app.pushes(event="prediction.new")[WARM:]]
                place = ("127.0.0.1", hub.port)
                committed = await _taps(place, taps)
            with _bare_server() as port:
                answered = await _taps(("127.0.0.1", port), taps)
    what, tapped = "an agent asks → APNs has taken the notification", "tap → decision committed and answered, 20/s"
    return [
        *_figures(what, shown, bare, BARE_PUSH, ACCEPTED_P99_MS),
        *_figures(tapped, committed, answered, BARE_POST, COMMITTED_P99_MS),
    ]


async def _cards(app: App, beside: Standin) -> tuple[list[float], list[float]]:
    """Ask, and push barely, in turns; return the milliseconds of each."""
    shown, bare, theirs = [], [], _aioapns(beside)
    message = NotificationRequest(device_token=NOBODY, message={"aps": {}}, push_type=PushType.ALERT)
    try:
        async with app.hub.client() as client:
            for number in range(WARM + CARDS):
                taken, began = len(app.apns.taken), time.perf_counter()
                question = {"question": f"Deploy build {number}?", "risk": "low", "timeoutS": 3_600}
                asking = asyncio.create_task(client.post("/api/v1/ask", json=question))
                await app.apns.until(lambda apns, taken=taken: len(apns.taken) > taken, ARRIVES_S_MAX)  # type: ignore[misc]  # bound at once
                shown.append((time.perf_counter() - began) * 1_000)
                assert (await asking).is_success
                began = time.perf_counter()
                assert (await theirs.send_notification(message)).is_successful
                bare.append((time.perf_counter() - began) * 1_000)
                await asyncio.sleep(EVERY_S)
    finally:
        theirs.pool.close()
    return shown[WARM:], bare[WARM:]


def _aioapns(apns: Standin) -> APNs:
    context = ssl.create_default_context(cafile=str(apns.certificates.ca_file))
    context.set_alpn_protocols(["h2"])
    client = APNs(
        key=apns.certificates.key_file.read_text(),
        key_id="KEY1234567",
        team_id="TEAM123456",
        topic="org.example.acc",
        max_connections=1,
        ssl_context=context,
    )
    local = {"APNS_SERVER": "127.0.0.1", "APNS_PORT": apns.port}
    client.pool.protocol_class = type("LocalProtocol", (APNsTLSClientProtocol,), local)
    return client


def _tap(api: str, app_token: str, payload: bytes) -> bytes:
    told = json.loads(payload)
    body = {"token": told["token"], "decisionId": told["deliveryId"], "verb": "reject", "humanInput": "tap"}
    return request(api.removeprefix("http://"), "/api/v1/actions", app_token, json.dumps(body).encode())


async def _taps(place: tuple[str, int], taps: list[bytes]) -> list[float]:
    samples, failures = await load(place, taps, connections=TAP_LINES, rate_per_s=TAPS_PER_S)
    assert failures == 0, f"{failures} taps failed"
    return [(answered - due) * 1_000 for _, due, answered in samples]


@contextlib.contextmanager
def _bare_server() -> Iterator[int]:
    command = [sys.executable, "-m", "tests.bench.push_sink"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.communicate("")


def _figures(what: str, ours: list[float], theirs: list[float], reference: str, p99_ms: float) -> list[Figure]:
    return [
        Figure(
            bench=BENCH,
            what=f"{what}, {name}",
            value=percentile(ours, share),
            unit="ms",
            goal=goal,
            reference=reference,
            reference_value=percentile(theirs, share),
        )
        for name, share, goal in (("p50", 0.5, None), ("p99", 0.99, p99_ms))
    ]
