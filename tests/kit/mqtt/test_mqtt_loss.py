"""What the bus does when the broker goes: against real brokers, with kill -9."""

import asyncio
import os
import signal

import pytest

from hub.io.broker.child import BrokerChild
from hub.io.broker.mosquitto_conf import AUTOSAVE_CHANGES
from hub.kit.mqtt.address import BrokerAddress
from hub.kit.mqtt.connection import LinkOptions
from hub.kit.mqtt.link import MqttLink, MqttTuning
from hub.kit.mqtt.messages import Delivery, LinkHealth, Notice
from tests.conformance.bus.world import EVENTS, PROMPT, options_for
from tests.fakes.bus import Inbox
from tests.io.broker.starting import Starter

PRESENCE = "pulse/v1/me/presence/watch/w1"


class Changes:
    """Remembers each change of health, for tests to wait on."""

    def __init__(self) -> None:
        self.seen: asyncio.Queue[bool] = asyncio.Queue(100)

    def __call__(self, health: LinkHealth) -> None:
        self.seen.put_nowait(health.connected)

    async def next(self) -> bool:
        return await asyncio.wait_for(self.seen.get(), 10)


def kill(child: BrokerChild) -> None:
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)


async def publish_surely(bus: MqttLink, topic: str, payload: bytes) -> None:
    """Do what an outbox does: try again until the broker acknowledged."""
    while not await bus.publish(topic, payload):
        await bus.until_connected(10)


@pytest.mark.slow
async def test_the_bus_comes_back_after_the_broker_was_killed(child: BrokerChild) -> None:
    changes, inbox = Changes(), Inbox()
    bus = MqttLink(options_for(child, "alice"), tuning=PROMPT, on_change=changes)
    await bus.listen([f"{EVENTS}/#"], inbox)
    bus.start()
    assert await changes.next() is True
    kill(child)
    assert await changes.next() is False
    assert await bus.publish(f"{EVENTS}/x", b"x") is False
    assert "closed the connection. Trying again" in bus.health().detail
    assert await changes.next() is True
    assert await bus.publish(f"{EVENTS}/x", b"back")
    await inbox.wait_count(1)
    await bus.close()


@pytest.mark.slow
async def test_no_acknowledged_message_is_lost_over_broker_kills(starter: Starter, child: BrokerChild) -> None:
    inbox = Inbox()
    hub = MqttLink(options_for(child, "alice"), tuning=PROMPT)
    await hub.listen([f"{EVENTS}/#"], inbox)
    surface = MqttLink(options_for(child, "bob"), tuning=PROMPT)
    for bus in (hub, surface):
        bus.start()
        assert await bus.until_connected(5)
    sent = [str(number).encode() for number in range(1_000)]
    # Mosquitto acknowledges, and then saves and forwards: the last ones may be lost, more of them on a busy machine.
    unsaved = range(1, AUTOSAVE_CHANGES + 2) if starter.kind == "mosquitto" else range(1, 2)
    last_before_a_kill = {sent[kill_at - back] for kill_at in range(100, 1_000, 200) for back in unsaved}
    for number, payload in enumerate(sent):
        if number % 200 == 100:
            kill(child)
        await publish_surely(surface, f"{EVENTS}/n", payload)
    await inbox.wait_for(lambda: set(sent) - last_before_a_kill <= set(inbox.payloads), 20)
    assert child.health().restarts == 5
    for bus in (hub, surface):
        await bus.close()


async def opened(child: BrokerChild, name: str, inbox: Inbox | None = None) -> MqttLink:
    bus = MqttLink(options_for(child, name), tuning=PROMPT)
    if inbox is not None:
        await bus.listen([f"{EVENTS}/#", PRESENCE], inbox)
    bus.start()
    assert await bus.until_connected(5)
    return bus


@pytest.mark.slow
async def test_what_waits_for_an_absent_client_survives_a_kill(child: BrokerChild) -> None:
    inbox = Inbox()
    bob = await opened(child, "bob", inbox)
    await bob.close()
    alice = await opened(child, "alice")
    assert await alice.publish(PRESENCE, b"kept", retain=True)
    sent = [str(number).encode() for number in range(40)]
    for payload in sent:
        assert await alice.publish(f"{EVENTS}/n", payload)
    for _ in range(AUTOSAVE_CHANGES + 1):  # mosquitto acknowledges, then saves: these last ones may be lost
        assert await alice.publish(f"{EVENTS}/n", b"the last")
    kill(child)
    await alice.close()
    bob = await opened(child, "bob", inbox)
    await inbox.wait_for(lambda: {b"kept", *sent} <= set(inbox.payloads))
    await bob.close()


@pytest.mark.slow
async def test_the_last_will_speaks_for_a_client_that_vanished(child: BrokerChild) -> None:
    inbox = Inbox()
    alice = MqttLink(options_for(child, "alice"), tuning=PROMPT)
    await alice.listen([PRESENCE], inbox)
    alice.start()
    assert await alice.until_connected(5)
    watch = MqttLink(
        options_for(child, "bob"),
        tuning=PROMPT,
        will=lambda: Notice(topic=PRESENCE, payload=b"offline"),
        birth=lambda: [Notice(topic=PRESENCE, payload=b"online")],
    )
    await watch.listen([f"{EVENTS}/#"], Inbox(failures=1))
    watch.start()
    await inbox.wait_count(1)
    assert await alice.publish(f"{EVENTS}/break", b"")  # its handler fails, so the connection ends without good-bye
    await inbox.wait_count(3)
    await watch.close()
    await inbox.wait_count(4)
    assert inbox.payloads == [b"online", b"offline", b"online", b"offline"]
    await alice.close()


@pytest.mark.slow
async def test_a_wrong_password_is_a_state_that_says_what_to_do(child: BrokerChild) -> None:
    bus = MqttLink(options_for(child, "alice", "wrong"), tuning=PROMPT)
    bus.start()
    assert not await bus.until_connected(0.2)
    health = bus.health()
    assert not health.connected
    assert "check them in mqtt.url" in health.detail
    assert "wrong" not in repr(health)
    await bus.close()


@pytest.mark.slow
@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid", "bad host", "." * 300])
async def test_a_broker_that_is_not_there_is_a_state(host: str) -> None:
    options = LinkOptions(address=BrokerAddress(host=host, port=1), client_id="x", connect_timeout_s=0.3)
    bus = MqttLink(options, tuning=PROMPT)
    bus.start()
    assert not await bus.until_connected(0.5)
    assert "The broker" in bus.health().detail
    assert await bus.publish("a", b"") is False
    await bus.close()


@pytest.mark.slow
async def test_too_much_at_once_makes_the_broker_wait_and_loses_nothing(child: BrokerChild) -> None:
    gate, seen = asyncio.Event(), Inbox()

    async def slow(delivery: Delivery) -> None:
        await gate.wait()
        await seen(delivery)

    bob = MqttLink(options_for(child, "bob"), tuning=MqttTuning(retry=PROMPT.retry, inbound_messages_max=4))
    await bob.listen([f"{EVENTS}/#"], slow)
    alice = MqttLink(options_for(child, "alice"), tuning=PROMPT)
    for bus in (alice, bob):
        bus.start()
        assert await bus.until_connected(5)
    sent = [str(number).encode() for number in range(200)]
    for payload in sent:
        assert await alice.publish(f"{EVENTS}/n", payload)
    gate.set()
    await seen.wait_for(lambda: sent[-1] in seen.payloads)
    assert list(dict.fromkeys(seen.payloads)) == sent, "a broker that waits long for a word sends again, in order"
    for bus in (alice, bob):
        await bus.close()


@pytest.mark.slow
async def test_many_publishers_at_once_are_all_acknowledged(child: BrokerChild) -> None:
    alice = MqttLink(options_for(child, "alice"), tuning=MqttTuning(retry=PROMPT.retry, publish_timeout_s=60))
    alice.start()
    assert await alice.until_connected(5)
    answers = await asyncio.gather(*(alice.publish(f"{EVENTS}/n", b"x" * 500) for _ in range(5_000)))
    assert all(answers)
    await alice.close()
