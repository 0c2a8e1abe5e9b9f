"""What a browser's proof costs: how many are checked in a second, and what an answer takes beside one to a token.

Both kinds of requests are sent by turns to the same hub, signed and laid out beforehand: what is measured is the hub.
"""

import asyncio
import json
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx

from hub.domain.storage import Client
from hub.io.access.proofs import Proofs
from hub.io.access.tokens import sha256
from hub.io.home.clock import SystemClock
from tests.bench.figures import Figure, percentile
from tests.bench.http_load import load
from tests.bench.hub_process import HubProcess, running
from tests.fakes.browser_key import BrowserKey

BENCH = "sessions"
PROOFS = 5_000
ROUNDS = 5
REQUESTS = 200
RATE_PER_S = 50.0
CONNECTIONS = 4
ORIGIN = "http://127.0.0.1:8420"
PATH = "/api/v1/crosspoll/status"
MS_PER_S = 1_000


def checked() -> Figure:
    """Check fresh proofs one after another, as the hub does: on one core."""
    key = BrowserKey()
    key.token = "pulse_bench"
    client = Client(
        id="client_bench",
        user="bench",
        name="bench",
        token_sha256=sha256(key.token),
        scopes=("read",),
        created_at=datetime.now(UTC),
        key=json.dumps(key.jwk),
        origin=ORIGIN,
    )
    proofs = Proofs(SystemClock(), frozenset({ORIGIN}))
    made = [key.proof("GET", ORIGIN + PATH) for _ in range(PROOFS)]
    began = time.process_time()
    for proof in made:
        proofs.check(proof, client, key.token, "GET", ORIGIN + PATH)
    rate = PROOFS / (time.process_time() - began)
    return Figure(bench=BENCH, what="proofs checked, by processor time", value=rate, unit="/s", better="higher")


def answered(hub: HubProcess) -> list[Figure]:
    """Ask by turns with a session and with a token; return what each takes."""
    key, origin = BrowserKey(), f"http://{hub.api.netloc}"
    code = hub.call("POST", "/api/v1/pairing", {})["code"]
    key.token = _signed_in(key, origin, code)
    taken: dict[str, list[float]] = {"session": [], "token": []}
    for _ in range(ROUNDS):
        for kind in taken:
            taken[kind] += asyncio.run(_round(hub, kind, key, origin))
    figures = []
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        session, token = (percentile(taken[kind], share) * MS_PER_S for kind in ("session", "token"))
        figures.append(
            Figure(
                bench=BENCH,
                what=f"answer to a browser's session, {RATE_PER_S:.0f}/s, {name}",
                value=session,
                unit="ms",
                reference="the same answer to a token",
                reference_value=token,
            )
        )
    return figures


def _signed_in(key: BrowserKey, origin: str, code: str) -> str:

    path = "/api/v1/session"
    headers = {**key.headers("POST", origin + path), "Origin": origin}
    answer = httpx.post(origin + path, json={"code": code, "title": "bench"}, headers=headers, trust_env=False)
    assert answer.is_success, answer.text
    return str(answer.json()["token"])


async def _round(hub: HubProcess, kind: str, key: BrowserKey, origin: str) -> list[float]:
    address = (hub.api.hostname or "", hub.api.port or 0)
    prepared = [_request(hub, kind, key, origin) for _ in range(REQUESTS)]
    samples, failures = await load(address, prepared, connections=CONNECTIONS, rate_per_s=RATE_PER_S)
    assert failures == 0
    return [ended - due for _, due, ended in samples]


def _request(hub: HubProcess, kind: str, key: BrowserKey, origin: str) -> bytes:
    signed = key.headers("GET", origin + PATH) if kind == "session" else {"Authorization": f"Bearer {hub.token}"}
    lines = [f"GET {PATH} HTTP/1.1", f"Host: {hub.api.netloc}", *(f"{name}: {value}" for name, value in signed.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def run() -> list[Figure]:
    with tempfile.TemporaryDirectory() as name, running(Path(name) / "home", Path(name)) as hub:
        return [checked(), *answered(hub)]
