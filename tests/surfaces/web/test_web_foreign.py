"""Cross-checks with what others wrote: npm web-push-testing judges our sender, npm web-push our tests' receiver."""

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from hub.contract.address import WebPushAddress
from hub.io.broker.loopback import free_port
from hub.kit.gateway.outcome import Accepted, Gone
from surfaces.web.render import PLAIN_BYTES_MAX, Push, topic_of
from surfaces.web.send import Sender, opened_session
from surfaces.web.settings import DEFAULT_CONTACT
from surfaces.web.vapid import Signer
from tests.surfaces.web.carrying import now
from tests.surfaces.web.push_service import PushService
from tests.surfaces.web.receiver import Browser, b64, point
from tests.web.node_tools import installed

pytestmark = [pytest.mark.slow, pytest.mark.needs_node]
FOREIGN = Path(__file__).with_name("foreign")
WAIT_S_MAX = 30
KEY = Browser().key
PUBLIC = b64(point(KEY.public_key()))
TEXTS = ["Run the tests", "Prüfe 👩‍👩‍👧‍👦 שלום", "x" * 200, "x" * PLAIN_BYTES_MAX]


def node_path() -> dict[str, str]:
    return {"NODE_PATH": str(installed() / "node_modules"), "PATH": "/usr/local/bin:/usr/bin:/bin"}


@pytest.fixture
async def judge() -> AsyncIterator[str]:
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        "node",
        str(FOREIGN / "push_service.cjs"),
        str(port),
        env=node_path(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    async with asyncio.timeout(WAIT_S_MAX):
        assert b"running" in await process.stdout.readline()
    yield f"http://127.0.0.1:{port}"
    await process.communicate(b"")  # its input ends, and so does it


async def asked(session: aiohttp.ClientSession, url: str, body: object) -> dict[str, object]:
    async with session.post(url, json=body) as answer:
        text = await answer.text()
        assert answer.status == 200, text
        return {} if text == "OK" else json.loads(text)["data"]


async def test_a_foreign_push_service_reads_what_we_send(judge: str) -> None:
    async with aiohttp.ClientSession() as http, opened_session((judge,)) as session:
        sender = Sender(session, Signer(KEY, DEFAULT_CONTACT), (judge,), now)
        made = await asked(http, f"{judge}/subscribe", {"userVisibleOnly": "true", "applicationServerKey": PUBLIC})
        keys, client = made["keys"], str(made["clientHash"])
        assert isinstance(keys, dict)
        address = WebPushAddress(endpoint=f"{judge}/notify/{client}", origin="http://127.0.0.1:8420", **keys)
        for text in TEXTS:
            push = Push(body=text.encode(), ttl_s=60, urgency="high", topic=topic_of("card"), tag="card")
            assert isinstance(await sender.send(address, push), Accepted)
        got = await asked(http, f"{judge}/get-notifications", {"clientHash": client})
        assert got["messages"] == TEXTS
        await asked(http, f"{judge}/expire-subscription/{client}", {})
        assert isinstance(await sender.send(address, push), Gone)


@pytest.mark.parametrize("text", TEXTS)
async def test_our_receiver_reads_a_foreign_sender(text: str) -> None:
    private = b64(KEY.private_numbers().private_value.to_bytes(32))
    async with PushService() as service:
        address = service.subscribe("phone")
        given = {
            "subscription": {
                "endpoint": address.endpoint,
                "keys": {"p256dh": address.p256dh, "auth": address.auth},
            },
            "payload": text,
            "options": {
                "vapidDetails": {"subject": DEFAULT_CONTACT, "publicKey": PUBLIC, "privateKey": private},
                "TTL": 60,
                "urgency": "high",
                "topic": topic_of("card"),
            },
        }
        process = await asyncio.create_subprocess_exec(
            "node",
            str(FOREIGN / "sender.cjs"),
            env=node_path(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        async with asyncio.timeout(WAIT_S_MAX):
            out, said = await process.communicate(json.dumps(given).encode())
        assert (out, said) == (b"201", b"")
    (message,) = service.taken
    assert (message.plain.decode(), message.ttl, message.urgency) == (text, 60, "high")
