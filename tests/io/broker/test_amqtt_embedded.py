"""The built-in broker: it must be closed to others; nothing else is asked of it."""

import psutil
import pytest
from msgspec import structs

from hub.io.broker.acl import BrokerUser
from hub.io.broker.embedded import AmqttBroker
from hub.io.broker.loopback import LOOPBACK
from hub.io.broker.passwords import hash_password
from hub.io.broker.running import BrokerStartError
from hub.io.mqtt import MqttBus
from hub.io.mqtt_link import LinkOptions
from tests.conformance.bus.world import PROMPT, full_user, options_for
from tests.fakes.bus import Inbox

pytest.importorskip("amqtt")

PHONE = BrokerUser(
    name="phone", user="me", role="device", surface="phone", device="p1", password_hash=hash_password("pw")
)


async def test_it_listens_on_loopback_only_and_ends() -> None:
    broker = await AmqttBroker.start([])
    port = broker.address.port
    mine = [each.laddr for each in psutil.Process().net_connections() if each.status == "LISTEN"]
    assert (LOOPBACK, port) in [(each.ip, each.port) for each in mine]
    assert {each.ip for each in mine if each.port == port} == {LOOPBACK}
    await broker.stop()
    await broker.stop()
    assert not broker.health().running


async def test_a_taken_port_is_said() -> None:
    broker = await AmqttBroker.start([])
    with pytest.raises(BrokerStartError):
        await AmqttBroker.start([], broker.address.port)
    await broker.stop()


@pytest.mark.parametrize("name", ["nobody", "alice", ""])
async def test_strangers_and_wrong_passwords_stay_out(name: str) -> None:
    broker = await AmqttBroker.start([full_user("alice")])
    address = structs.replace(broker.address, username=name, password="wrong")
    bus = MqttBus(LinkOptions(address=address, client_id=name or "anonymous"), tuning=PROMPT)
    bus.start()
    assert not await bus.until_connected(0.3)
    assert "check them" in bus.health().detail
    await bus.close()
    await broker.stop()


async def test_a_device_writes_only_its_own_topics() -> None:
    broker = await AmqttBroker.start([full_user("alice"), PHONE])
    heard = Inbox()
    alice = MqttBus(options_for(broker, "alice"), tuning=PROMPT)
    await alice.listen(["pulse/v1/me/#"], heard)
    phone = MqttBus(options_for(broker, "phone", "pw"), tuning=PROMPT)
    for bus in (alice, phone):
        bus.start()
        assert await bus.until_connected(5)
    await phone.publish("pulse/v1/me/decision/phone/other", b"forged")
    await phone.publish("pulse/v1/me/decision/phone/p1", b"mine")
    await heard.wait_count(1)
    assert heard.payloads == [b"mine"]
    for bus in (alice, phone):
        await bus.close()
    await broker.stop()
