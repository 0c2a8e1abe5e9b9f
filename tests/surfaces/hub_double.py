"""What a gateway's process needs around it: the hub's ear at a broker, and its few answers over HTTP."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec
import paho.mqtt.client as mqtt
from aiohttp import web

from hub.contract.access import AddressList, Login
from hub.contract.base import Message
from hub.contract.envelope import decode
from hub.contract.insight import SyncAnswer
from hub.contract.surface import Receipt
from tests.fakes.broker import PlainBroker, hub_side, plain_broker
from tests.surfaces.shown import status

TOKEN = "door-token"
USER = "me"


class HubDouble:
    """Answers as the hub does to a gateway, hears its receipts at a broker, and says where it is."""

    def __init__(self, broker: PlainBroker, ear: "Ear", addresses: dict[str, AddressList]) -> None:
        self.ear = ear
        self._broker = broker
        self._addresses = addresses
        self.api = ""
        self.asked: asyncio.Queue[str] = asyncio.Queue()

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator["HubDouble"]:
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
            url=f"mqtt://127.0.0.1:{self._broker.port}",
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
    """The hub's ear at the broker, for as long as the block lasts: receipts as they come."""

    def __init__(self, broker: PlainBroker) -> None:
        self.heard: asyncio.Queue[tuple[str, Receipt]] = asyncio.Queue()
        self.ready = asyncio.Event()
        self._broker = broker
        self._loop = asyncio.get_running_loop()
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        self.client = self._open.enter_context(hub_side(self._broker, self._on_message))
        self.client.on_subscribe = self._on_subscribe
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _on_subscribe(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self.ready.set)

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        if mqtt.topic_matches_sub(f"pulse/v1/{USER}/receipt/#", message.topic):
            receipt = decode(bytes(message.payload), Receipt).data
            self._loop.call_soon_threadsafe(self.heard.put_nowait, (message.topic, receipt))


@contextlib.asynccontextmanager
async def a_hub(folder: Path, addresses: dict[str, AddressList]) -> AsyncIterator[HubDouble]:
    """Run a broker and the double beside it until the block ends."""
    with plain_broker(folder) as broker, Ear(broker) as ear:
        async with HubDouble(broker, ear, addresses).serving() as hub:
            yield hub
