"""What a gateway's process needs around it: a real broker, and the hub's few answers over HTTP."""

import asyncio
import contextlib
import subprocess
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import paho.mqtt.client as mqtt
import pytest
from aiohttp import web
from paho.mqtt.enums import CallbackAPIVersion

from hub.contract.access import AddressList, Login
from hub.contract.base import Message
from hub.contract.envelope import decode
from hub.contract.insight import SyncAnswer
from hub.contract.surface import Receipt
from hub.io.broker.choose import find_mosquitto
from hub.io.broker.loopback import free_port
from tests.surfaces.shown import status

TOKEN = "door-token"
USER = "me"


@contextlib.asynccontextmanager
async def a_broker(folder: Path) -> AsyncIterator[int]:
    """Run mosquitto for everybody; give its port."""
    program = find_mosquitto()
    if program is None:
        pytest.skip("needs the mosquitto program, version 2 or newer")
    port, conf = free_port(), folder / "mosquitto.conf"
    conf.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    silent = subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(str(program), "-c", str(conf), stdout=silent, stderr=silent)
    try:
        yield port
    finally:
        process.terminate()
        await process.wait()


class HubDouble:
    """Answers as the hub does to a gateway, and says where it is."""

    def __init__(self, broker_port: int, addresses: dict[str, AddressList]) -> None:
        self._broker_port = broker_port
        self._addresses = addresses
        self.api = ""
        self.asked: asyncio.Queue[str] = asyncio.Queue()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["HubDouble"]:
        app = web.Application()
        app.router.add_post("/api/v1/gateways", self._gateway)
        app.router.add_get("/api/v1/addresses/{surface}", self._known)
        app.router.add_get("/api/v1/sync", self._sync)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.api = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            await runner.cleanup()

    async def _gateway(self, request: web.Request) -> web.Response:
        surface = (await request.json())["surface"]
        login = Login(
            url=f"mqtt://127.0.0.1:{self._broker_port}",
            username=f"{surface}-gateway",
            password="secret",
            client_id=f"me-{surface}-gateway",
            user=USER,
            surface=surface,
            device="gateway",
        )
        return self._say(request, login)

    async def _known(self, request: web.Request) -> web.Response:
        return self._say(request, self._addresses[request.match_info["surface"]])

    async def _sync(self, request: web.Request) -> web.Response:
        everything = SyncAnswer(
            status=status(), open=(), recent=(), agents=(), tasks=(), seq=0, feed="f", timestamp=datetime.now(UTC)
        )
        return self._say(request, everything)

    def _say(self, request: web.Request, body: Message) -> web.Response:
        assert request.headers["Authorization"] == f"Bearer {TOKEN}"
        self.asked.put_nowait(f"{request.method} {request.path}")
        return web.Response(body=msgspec.json.encode(body), content_type="application/json")


class Ear:
    """The hub's ear at the broker: receipts as they come."""

    def __init__(self, broker_port: int) -> None:
        self.heard: asyncio.Queue[tuple[str, Receipt]] = asyncio.Queue()
        self.ready = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="hub")
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe(f"pulse/v1/{USER}/receipt/#", 1)
        self.client.on_subscribe = self._on_subscribe
        self.client.on_message = self._on_message
        self.client.connect_async("127.0.0.1", broker_port)
        self.client.loop_start()

    def _on_subscribe(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self.ready.set)

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        receipt = decode(bytes(message.payload), Receipt).data
        self._loop.call_soon_threadsafe(self.heard.put_nowait, (message.topic, receipt))

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
