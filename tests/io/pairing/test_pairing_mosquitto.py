"""Pairing against a mosquitto of ours: what a device may do with its login, and for how long."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import structs

from hub.domain.requests import RegisterDevice, RevokeDevice
from hub.io.broker.child import BrokerChild
from hub.io.broker.choose import find_mosquitto
from hub.io.broker.mosquitto import start_mosquitto
from hub.io.broker.pairing import Logins
from hub.io.broker.running import RunningBroker
from hub.kit.mqtt.address import parse_url
from hub.kit.mqtt.connection import LinkOptions
from hub.kit.mqtt.link import MqttLink
from tests.conformance.bus.world import PROMPT
from tests.fakes.bus import Inbox
from tests.fakes.hub_api import ScriptedHubApi
from tests.io.pairing.paired import (
    BASE,
    LAPTOP,
    OTHER,
    Switch,
    device_bus,
    hub_bus,
    lets_in,
    logins_in,
    pairing_over,
)

pytestmark = pytest.mark.needs_mosquitto


async def start(folder: Path, logins: Logins) -> BrokerChild:
    program = find_mosquitto()
    if program is None:
        pytest.skip("needs the mosquitto program, version 2 or newer")
    return await start_mosquitto(program, folder / "broker", logins.all())


@pytest.fixture
def logins(tmp_path: Path) -> Logins:
    return logins_in(tmp_path)


@pytest.fixture
async def broker(tmp_path: Path, logins: Logins) -> AsyncIterator[RunningBroker]:
    running = await start(tmp_path, logins)
    yield running
    await running.stop()


@pytest.mark.slow
async def test_a_paired_device_hears_what_is_meant_for_it(broker: RunningBroker, logins: Logins) -> None:
    hub_api = ScriptedHubApi()
    login = await pairing_over(broker, logins, hub_api).pair(LAPTOP, "terminal")
    assert hub_api.requests == [RegisterDevice(address=LAPTOP, profile="terminal")]
    inbox = Inbox()
    async with device_bus(login) as device, hub_bus(broker, logins) as hub:
        assert await device.until_connected(5)
        await device.listen([f"{BASE}/deliver/terminal/laptop", f"{BASE}/event/#"], inbox)
        assert await hub.publish(f"{BASE}/deliver/terminal/laptop", b"for the laptop")
        assert await hub.publish(f"{BASE}/event/prediction/new", b"for all")
        await inbox.wait_count(2)
        assert inbox.payloads == [b"for the laptop", b"for all"]


@pytest.mark.slow
async def test_it_hears_and_says_nothing_else(broker: RunningBroker, logins: Logins) -> None:
    """What it may not do is refused or dropped; the one message that it may send comes after all the others."""
    pairing = pairing_over(broker, logins)
    login = await pairing.pair(LAPTOP, "terminal")
    at_hub, at_device = Inbox(), Inbox()
    forbidden = ("decision/terminal/other", "deliver/terminal/laptop", "event/prediction/new", "state", "signal/git")
    async with device_bus(login) as device, hub_bus(broker, logins) as hub:
        assert await device.until_connected(5)
        await hub.listen([f"{BASE}/#"], at_hub)
        await device.listen([f"{BASE}/deliver/#", "pulse/v1/bob/#", f"{BASE}/state"], at_device)
        for topic in (*(f"{BASE}/{end}" for end in forbidden), "pulse/v1/bob/decision/terminal/laptop"):
            await device.publish(topic, b"forbidden")
        assert await device.publish(f"{BASE}/decision/terminal/laptop", b"allowed")
        await at_hub.wait_count(1)
        assert at_hub.payloads == [b"allowed"]
        await hub.publish(f"{BASE}/deliver/terminal/other", b"for another")
        await hub.publish("pulse/v1/bob/state", b"of another person")
        await hub.publish(f"{BASE}/state", b"the state")
        await at_device.wait_count(1)
        assert at_device.payloads == [b"the state"]


@pytest.mark.slow
async def test_pairing_again_ends_the_old_password(broker: RunningBroker, logins: Logins) -> None:
    pairing = pairing_over(broker, logins)
    first = await pairing.pair(LAPTOP, "terminal")
    second = await pairing.pair(LAPTOP, "watch")
    assert structs.replace(first, password="", client_id="") == structs.replace(second, password="", client_id="")
    assert first.client_id != second.client_id, "whoever knew the old one must not reach the new session"
    assert not await lets_in(first)
    assert await lets_in(second)
    assert len(logins) == 1


@pytest.mark.slow
async def test_revoking_disconnects_at_once_and_for_good(broker: RunningBroker, logins: Logins) -> None:
    hub_api = ScriptedHubApi()
    pairing = pairing_over(broker, logins, hub_api)
    login, other = await pairing.pair(LAPTOP, "terminal"), await pairing.pair(OTHER, "terminal")
    switch = Switch()
    address = structs.replace(parse_url(login.url), username=login.username, password=login.password)
    bus = MqttLink(LinkOptions(address=address, client_id=login.client_id), tuning=PROMPT, on_change=switch)
    bus.start()
    assert await bus.until_connected(5)
    switch.lost.clear()
    await pairing.revoke(LAPTOP)
    await switch.lost.wait()
    assert hub_api.requests[-1] == RevokeDevice(address=LAPTOP)
    assert not await bus.until_connected(0.5)
    await bus.close()
    assert await lets_in(other)


@pytest.mark.slow
async def test_revoking_what_was_never_paired_harms_nobody(broker: RunningBroker, logins: Logins) -> None:
    pairing = pairing_over(broker, logins)
    login = await pairing.pair(LAPTOP, "terminal")
    await pairing.revoke(OTHER)
    assert await lets_in(login)


@pytest.mark.slow
async def test_a_restart_keeps_the_logins(tmp_path: Path) -> None:
    before = logins_in(tmp_path)
    broker = await start(tmp_path, before)
    login = await pairing_over(broker, before).pair(LAPTOP, "terminal")
    revoked = await pairing_over(broker, before).pair(OTHER, "terminal")
    await pairing_over(broker, before).revoke(OTHER)
    await broker.stop()
    after = logins_in(tmp_path)
    again = await start(tmp_path, after)
    assert again.address == broker.address
    assert await lets_in(login)
    assert not await lets_in(revoked)
    async with hub_bus(again, after) as hub:
        assert hub.health().connected
    async with device_bus(structs.replace(login, username="pulse-hub", client_id="pulse-hub")) as impostor:
        assert not await impostor.until_connected(0.3)
    await again.stop()
