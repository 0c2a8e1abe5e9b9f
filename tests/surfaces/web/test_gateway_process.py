"""The gateway as a process: with a real broker, a stand-in for the hub's two answers, a push service, a browser."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import msgspec
import paho.mqtt.client as mqtt
import pytest
from aiohttp import web
from paho.mqtt.enums import CallbackAPIVersion

from hub.contract.access import AddressList, AddressView, LoginAnswer
from hub.contract.envelope import Envelope, decode, encode
from hub.contract.events import PredictionNew
from hub.contract.surface import DeliveredCard, Receipt
from hub.contract.words import DeliveryState
from hub.io.broker.choose import look_around
from hub.io.broker.loopback import free_port
from hub.io.vapid import load_or_make
from tests.surfaces.shown import delivery, prediction
from tests.surfaces.web.carrying import now
from tests.surfaces.web.push_service import PushService

pytestmark = [pytest.mark.slow, pytest.mark.needs_mosquitto]
TOKEN = "door-token"
WAIT_S_MAX = 40


class Hub:
    """What the hub answers, and what it hears."""

    def __init__(self, broker: str, addresses: AddressList) -> None:
        self.login = LoginAnswer(
            url=broker,
            username="gateway",
            password="secret",
            client_id="me-browser-gateway",
            user="me",
            surface="browser",
            device="gateway",
        )
        self.addresses = addresses
        self.asked: asyncio.Queue[str] = asyncio.Queue()

    async def answer(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == f"Bearer {TOKEN}"
        self.asked.put_nowait(f"{request.method} {request.path}")
        body = self.login if request.method == "POST" else self.addresses
        return web.Response(body=msgspec.json.encode(body), content_type="application/json")


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[str]:
    program = look_around().mosquitto
    if program is None:
        pytest.skip("needs the mosquitto program, version 2 or newer")
    port = free_port()
    conf = tmp_path / "mosquitto.conf"
    conf.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    process = await asyncio.create_subprocess_exec(
        str(program), "-c", str(conf), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    yield f"mqtt://127.0.0.1:{port}"
    process.terminate()
    await process.wait()


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with PushService() as running:
        yield running


class Ear:
    """The hub's ear at the broker: receipts as they come."""

    def __init__(self, broker: str) -> None:
        self.heard: asyncio.Queue[tuple[str, Receipt]] = asyncio.Queue()
        self.ready = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="hub")
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe("pulse/v1/me/receipt/#", 1)
        self.client.on_subscribe = self._on_subscribe
        self.client.on_message = self._on_message
        self.client.connect_async("127.0.0.1", int(broker.rpartition(":")[2]))
        self.client.loop_start()

    def _on_subscribe(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self.ready.set)

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        receipt = decode(bytes(message.payload), Receipt).data
        self._loop.call_soon_threadsafe(self.heard.put_nowait, (message.topic, receipt))

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


async def test_it_pairs_carries_and_tells(broker: str, service: PushService, tmp_path: Path) -> None:
    views = (AddressView(device="phone", address=service.subscribe("p")),)
    hub = Hub(broker, AddressList(user="me", addresses=views))
    app = web.Application()
    app.router.add_post("/api/v1/gateways", hub.answer)
    app.router.add_get("/api/v1/addresses/browser", hub.answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    environment = {
        **os.environ,
        "PULSE_API": f"http://127.0.0.1:{runner.addresses[0][1]}",
        "PULSE_TOKEN": TOKEN,
        "PULSE_VAPID_KEY": load_or_make(tmp_path / "key.json").private,
        "PULSE_PUSH_HOSTS": service.origin,
        "PULSE_CHILD": "1",
    }
    ear = Ear(broker)
    gateway = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "surfaces.web", stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    try:
        async with asyncio.timeout(WAIT_S_MAX):
            await ear.ready.wait()
            assert [await hub.asked.get(), await hub.asked.get()] == [
                "POST /api/v1/gateways",
                "GET /api/v1/addresses/browser",
            ]
            card = delivery(PredictionNew(prediction=prediction()), expires_at=now() + timedelta(minutes=5))
            envelope = Envelope(
                id="dlv_1", source="pulse/hub", type="deliver", time=now(), data=DeliveredCard(card=card)
            )
            ear.client.publish("pulse/v1/me/deliver/browser/phone", encode(envelope), 1)
            topic, receipt = await ear.heard.get()
            assert (topic, receipt.delivery_id) == ("pulse/v1/me/receipt/browser/phone", "dlv_1")
            assert receipt.state is DeliveryState.ACCEPTED
            assert json.loads(service.taken[0].plain)["notification"]["body"] == "Run the tests"
            assert gateway.stdin is not None
            gateway.stdin.close()  # the hub is gone
            _, said = await gateway.communicate()
        assert (gateway.returncode, said) == (0, b"")
    finally:
        if gateway.returncode is None:
            gateway.kill()
            await gateway.wait()
        ear.close()
        await runner.cleanup()


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "not-running"),
        ({"PULSE_API": "http://127.0.0.1:1", "PULSE_TOKEN": "x"}, "bad-push-key"),
        ({"PULSE_API": "http://127.0.0.1:1", "PULSE_TOKEN": "x", "PULSE_VAPID_KEY": "nonsense"}, "bad-push-key"),
        (
            {"PULSE_API": "http://127.0.0.1:1", "PULSE_TOKEN": "x", "PULSE_VAPID_KEY": "x", "PULSE_PUSH_HOSTS": "*"},
            "bad-push-key",
        ),
    ],
)
def test_what_it_cannot_begin_with_is_said_in_two_lines(environment: dict[str, str], code: str) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PULSE_")}
    done = subprocess.run(
        [sys.executable, "-m", "surfaces.web"],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )
    assert done.returncode in {1, 3}
    assert f"[{code}]" in done.stderr
    assert "Traceback" not in done.stderr
