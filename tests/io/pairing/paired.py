"""Pairing over a real broker, and devices that use what they were handed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import structs

from hub.contract.access import Login
from hub.contract.topics import DeviceAddress
from hub.io.broker.acl import BrokerUser
from hub.io.broker.pairing import HUB_LOGIN, BrokerPairing, Logins
from hub.io.broker.running import RunningBroker
from hub.io.home.folder import Home
from hub.io.home.profiles import read_profiles
from hub.kit.mqtt.address import BrokerAddress, parse_url
from hub.kit.mqtt.connection import Connection, LinkOptions
from hub.kit.mqtt.link import MqttLink
from hub.kit.mqtt.messages import LinkHealth
from hub.ports import HubApi
from tests.conformance.bus.world import PROMPT
from tests.fakes.hub_api import ScriptedHubApi
from tests.fakes.revocations import TemporaryRevocations

PERSON = "anna"
BASE = f"pulse/v1/{PERSON}"
LAPTOP = DeviceAddress(surface="terminal", device="laptop")
OTHER = DeviceAddress(surface="terminal", device="other")


def logins_in(home: Path) -> Logins:
    kept = Home(home)
    kept.prepare()
    return Logins(kept.broker_users, PERSON)


def pairing_over(broker: RunningBroker, logins: Logins, hub_api: HubApi | None = None) -> BrokerPairing:
    return BrokerPairing(
        broker=broker,
        logins=logins,
        hub_api=hub_api or ScriptedHubApi(),
        profiles=read_profiles(),
        user=PERSON,
        revocations=TemporaryRevocations(),
    )


@asynccontextmanager
async def hub_bus(broker: RunningBroker, logins: Logins) -> AsyncIterator[MqttLink]:
    async with connected(structs.replace(broker.address, username=HUB_LOGIN, password=logins.hub_password)) as bus:
        assert await bus.until_connected(5), bus.health()
        yield bus


@asynccontextmanager
async def device_bus(login: Login) -> AsyncIterator[MqttLink]:
    address = structs.replace(parse_url(login.url), username=login.username, password=login.password)
    async with connected(address, login.client_id) as bus:
        yield bus


@asynccontextmanager
async def connected(address: BrokerAddress, client_id: str = "") -> AsyncIterator[MqttLink]:
    options = LinkOptions(address=address, client_id=client_id or address.username, keep_session=False)
    bus = MqttLink(options, tuning=PROMPT)
    bus.start()
    try:
        yield bus
    finally:
        await bus.close()


async def lets_in(login: Login) -> bool:
    """Whether the broker accepts this login."""
    address = structs.replace(parse_url(login.url), username=login.username, password=login.password)
    options = LinkOptions(address=address, client_id=login.client_id, keep_session=False)
    link = Connection(options, lambda _link, _message: None, None)
    loss = await link.open()
    await link.say_goodbye()
    return loss is None


class Switch:
    """Watches one connection come and go."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def __call__(self, health: LinkHealth) -> None:
        if not health.connected:
            self.lost.set()


def login_of(users: tuple[BrokerUser, ...], name: str) -> BrokerUser:
    return next(user for user in users if user.name == name)
