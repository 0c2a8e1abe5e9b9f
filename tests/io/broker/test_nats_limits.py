"""What nats-server keeps for its MQTT clients is bounded, and what its kills leave behind is cleared away."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
from msgspec import structs

from hub.io.broker.acl import BrokerUser
from hub.io.broker.child import BrokerChild
from hub.io.broker.loopback import LOOPBACK
from hub.io.broker.nats_conf import nats_conf_for, subjects_for
from hub.io.broker.nats_limits import LIMITS, OWN_LOGIN, new_limits_login, own_port
from hub.io.broker.passwords import with_password
from hub.kit.mqtt.link import MqttLink
from tests.conformance.bus.world import EVENTS, PROMPT, full_user, options_for
from tests.fakes.bus import Inbox
from tests.io.broker.starting import Starter, started

PHONE = with_password(BrokerUser(name="phone", user="me", role="device", surface="phone", device="p1"), "pw")
KILLS = 3


@pytest.fixture
async def nats(tmp_path: Path) -> AsyncIterator[BrokerChild]:
    async for running in started(Starter("nats-server"), tmp_path / "broker"):
        yield running


def test_a_pattern_for_all_below_is_one_for_itself_too() -> None:
    hub = BrokerUser(name="hub", user="me", role="hub")
    assert subjects_for(hub, "read") == ("pulse.v1.me", "pulse.v1.me.>")
    assert subjects_for(PHONE, "read") == ("pulse.v1.me.deliver.phone.p1", "pulse.v1.me.state", *_events())


def _events() -> tuple[str, ...]:
    return ("pulse.v1.me.event", "pulse.v1.me.event.>")


@pytest.mark.slow
async def test_its_own_port_is_waited_for_until_it_is_written_down(tmp_path: Path) -> None:
    """On a busy machine it speaks MQTT before it has written the file."""
    file = tmp_path / "nats-server_1.ports"
    found = asyncio.create_task(own_port(file))
    for written in (None, b"", b'{"nats": ["nats://127.0.0.1:42'):
        if written is not None:
            file.write_bytes(written)
        done, _ = await asyncio.wait([found], timeout=0.05)  # long enough to look several times; none may end it
        assert not done
    file.write_bytes(b'{"nats": ["nats://127.0.0.1:4242"]}')
    assert await asyncio.wait_for(found, 5) == 4242


def test_no_right_at_all_is_said_as_a_denial(tmp_path: Path) -> None:
    sensor = with_password(BrokerUser(name="git", user="me", role="sensor", sensor="git"), "pw")
    conf = nats_conf_for([sensor], new_limits_login(), tmp_path, 1883)
    assert re.search(r'"subscribe": \{\s*"deny": \[\s*">"', conf)
    assert '"pw"' not in conf


@pytest.mark.slow
async def test_a_queue_that_nobody_fetches_does_not_shut_the_others_out(
    nats: BrokerChild, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(LIMITS, "$MQTT_msgs", {"max_bytes": 1024 * 1024, "max_msgs": 100})
    await nats.stop()
    broker = await Starter("nats-server").start(tmp_path / "broker", [full_user(name) for name in ("alice", "bob")])
    absent = MqttLink(options_for(broker, "bob"), tuning=PROMPT)
    await absent.listen([f"{EVENTS}/#"], Inbox())
    absent.start()
    assert await absent.until_connected(5)
    await absent.close()
    alice, inbox = MqttLink(options_for(broker, "alice"), tuning=PROMPT), Inbox()
    alice.start()
    assert await alice.until_connected(5)
    for number in range(300):
        assert await alice.publish(f"{EVENTS}/n", str(number).encode())
    again = MqttLink(options_for(broker, "bob"), tuning=PROMPT)
    await again.listen([f"{EVENTS}/#"], inbox)
    again.start()
    await inbox.wait_count(100)
    assert inbox.payloads == [str(number).encode() for number in range(200, 300)], "the oldest give way"
    for bus in (alice, again):
        await bus.close()
    await broker.stop()


@pytest.mark.slow
async def test_kills_leave_nothing_behind_that_grows(nats: BrokerChild, tmp_path: Path) -> None:
    for _ in range(KILLS):
        old = nats.pid
        assert old is not None
        os.kill(old, signal.SIGKILL)
        async with asyncio.timeout(30):
            while nats.pid in (None, old) or not nats.health().detail.startswith("nats-server runs"):  # noqa: ASYNC110  nothing signals another process
                await asyncio.sleep(0.01)
    readers = [path for path in (tmp_path / "broker").rglob("obs/*") if "rmsgs" in str(path)]
    assert len(readers) == 1


@pytest.mark.slow
async def test_its_own_door_admits_nobody_but_the_limits_login(nats: BrokerChild) -> None:
    await nats.admit([full_user("alice"), PHONE])
    assert nats.pid is not None
    listening = {one.laddr.port for one in psutil.Process(nats.pid).net_connections() if one.status == "LISTEN"}
    (own,) = listening - {nats.address.port}
    for user, password in (("phone", "pw"), ("alice", "alice-password"), (OWN_LOGIN, "wrong"), ("", "")):
        reader, writer = await asyncio.open_connection(LOOPBACK, own)
        await reader.readline()
        writer.write(f'CONNECT {{"user":"{user}","pass":"{password}"}}\r\nPING\r\n'.encode())
        assert b"Authorization Violation" in await reader.readline()
        writer.close()


@pytest.mark.slow
async def test_the_limits_login_is_not_good_for_messages(nats: BrokerChild) -> None:
    stranger = structs.replace(nats.address, username=OWN_LOGIN, password="wrong")
    bus = MqttLink(structs.replace(options_for(nats, "alice"), address=stranger), tuning=PROMPT)
    bus.start()
    assert not await bus.until_connected(0.3)
    await bus.close()
