"""A broker as our child, against the real programs."""

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from msgspec import structs

from hub.io.broker import orphan
from hub.io.broker.acl import BrokerUser
from hub.io.broker.child import BrokerChild
from hub.io.broker.loopback import LOOPBACK
from hub.io.broker.passwords import with_password
from hub.io.broker.probe import speaks_mqtt
from hub.io.broker.running import BrokerStartError
from hub.kit.mqtt.connection import LinkOptions, Loss
from hub.kit.mqtt.link import MqttLink
from tests.conformance.bus.world import EVENTS, PROMPT, full_user, options_for
from tests.fakes.bus import Inbox
from tests.io.broker.starting import Starter, quiet_port

ROOT = Path(__file__).resolve().parents[3]
PHONE = with_password(BrokerUser(name="phone", user="me", role="device", surface="phone", device="p1"), "pw")
REFUSED_S_MAX = 30
HUB_THAT_IS_KILLED = """
import asyncio, pathlib, sys
from tests.io.broker.starting import Starter

async def main():
    child = await Starter(sys.argv[1]).start(pathlib.Path(sys.argv[2]), port=int(sys.argv[3]))
    print(child.pid, child.address.port, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def restarted(child: BrokerChild, old_pid: int) -> None:
    """Wait until another process answers."""
    async with asyncio.timeout(30):
        while child.pid in (None, old_pid) or not await speaks_mqtt(  # noqa: ASYNC110  nothing signals another process
            LOOPBACK, child.address.port
        ):
            await asyncio.sleep(0.005)


@pytest.mark.slow
async def test_it_starts_answers_and_ends_within_a_second(starter: Starter, tmp_path: Path) -> None:
    child = await starter.start(tmp_path / "broker")
    pid = child.pid
    assert pid is not None
    assert child.health().running
    before = asyncio.get_running_loop().time()
    await child.stop()
    await child.stop()
    assert asyncio.get_running_loop().time() - before < 1
    assert not child.health().running
    assert not psutil.pid_exists(pid)


@pytest.mark.slow
async def test_its_files_are_closed_to_others(child: BrokerChild, tmp_path: Path) -> None:
    assert child.pid is not None
    for path in (tmp_path / "broker", *(tmp_path / "broker").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


@pytest.mark.slow
async def test_it_listens_on_loopback_only_and_admits_no_stranger(child: BrokerChild) -> None:
    assert child.pid is not None
    listening = [each.laddr.ip for each in psutil.Process(child.pid).net_connections() if each.status == "LISTEN"]
    assert set(listening) == {LOOPBACK}
    bus = MqttLink(LinkOptions(address=child.address, client_id="stranger"), tuning=PROMPT)
    bus.start()
    assert not await bus.until_connected(0.3)
    assert "user name or password" in bus.health().detail
    await bus.close()


@pytest.mark.slow
async def test_the_next_start_uses_the_same_port(starter: Starter, tmp_path: Path) -> None:
    first = await starter.start(tmp_path / "broker")
    await first.stop()
    second = await starter.start(tmp_path / "broker")
    await second.stop()
    assert second.address == first.address


@pytest.mark.slow
@pytest.mark.slow
async def test_a_port_that_is_about_to_be_free_is_waited_for(starter: Starter, tmp_path: Path) -> None:
    first = await starter.start(tmp_path)
    port = first.address.port
    await first.stop()
    held = socket.create_server((LOOPBACK, port))
    asyncio.get_running_loop().call_later(0.3, held.close)
    second = await starter.start(tmp_path)
    assert second.address.port == port
    await second.stop()


async def test_a_taken_port_is_said_when_it_was_asked_for(starter: Starter, tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken, pytest.raises(BrokerStartError, match="did not start"):
        await starter.start(tmp_path / "broker", port=taken.getsockname()[1])


async def test_a_program_that_cannot_run_is_said(starter: Starter, tmp_path: Path) -> None:
    with pytest.raises(BrokerStartError, match="could not be run"):
        await BrokerChild.start(starter.recipe(tmp_path / "broker", tmp_path / "missing"), [])


@pytest.mark.slow
async def test_killed_it_comes_back_on_its_port_and_says_so(child: BrokerChild) -> None:
    assert child.pid is not None
    old, address = child.pid, child.address
    os.kill(old, signal.SIGKILL)
    await restarted(child, old)
    assert child.address == address
    assert child.health().restarts == 1


@pytest.mark.slow
async def test_what_a_killed_hub_left_is_ended_at_the_next_start(starter: Starter, tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    with subprocess.Popen(  # noqa: ASYNC220  the test has nothing else to do meanwhile
        [sys.executable, "-c", HUB_THAT_IS_KILLED, starter.kind, folder, str(quiet_port())],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as killed:
        assert killed.stdout is not None
        pid, port = (int(word) for word in killed.stdout.readline().split())
        killed.kill()
    conf = str(starter.recipe(folder).command[-1])
    assert orphan.is_ours(pid, conf)
    child = await starter.start(folder)
    assert not orphan.is_ours(pid, conf)
    assert (child.address.port, child.pid != pid) == (port, True)
    await child.stop()


@pytest.mark.slow
async def test_a_process_that_only_has_the_number_is_left_alone(starter: Starter, tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    with subprocess.Popen(  # noqa: ASYNC220  the test has nothing else to do meanwhile
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE
    ) as innocent:
        orphan.remember(folder, orphan.ChildRecord(pid=innocent.pid, port=0))
        child = await starter.start(folder)
        assert innocent.poll() is None
        await child.stop()


@pytest.mark.parametrize("content", [b"", b"garbage", b'{"pid":"x"}', b"\xff"])
async def test_a_broken_record_is_no_record(starter: Starter, tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    (folder / orphan.RECORD_NAME).write_bytes(content)
    child = await starter.start(folder)
    await child.stop()


@pytest.mark.slow
async def test_a_device_is_admitted_and_revoked_while_running(child: BrokerChild) -> None:
    hub = full_user("alice")
    refused = asyncio.Event()

    def notice(loss: Loss) -> None:
        if "user name or password" in loss.why:  # that the connection ended is told before, without that reason
            refused.set()

    bus = MqttLink(options_for(child, "phone", "pw"), tuning=PROMPT, on_loss=notice)
    await child.admit([hub, PHONE])
    bus.start()
    assert await bus.until_connected(5)
    await child.admit([hub])
    await asyncio.wait_for(refused.wait(), REFUSED_S_MAX)
    assert "user name or password" in bus.health().detail
    assert not await bus.until_connected(0.3)
    await bus.close()


@pytest.mark.slow
async def test_a_device_reaches_only_its_own_topics(child: BrokerChild) -> None:
    await child.admit([full_user("alice"), PHONE])
    heard, overheard = Inbox(), Inbox()
    alice = MqttLink(options_for(child, "alice"), tuning=PROMPT)
    await alice.listen(["pulse/v1/me/#"], heard)
    device = MqttLink(options_for(child, "phone", "pw"), tuning=PROMPT)
    await device.listen(["pulse/v1/me/#", "pulse/v1/me/deliver/phone/p1"], overheard)
    for bus in (alice, device):
        bus.start()
        assert await bus.until_connected(5)
    await device.publish("pulse/v1/me/decision/phone/other", b"forged")
    await device.publish("pulse/v1/you/decision/phone/p1", b"forged")
    await device.publish("pulse/v1/me/state", b"forged", retain=True)
    await device.publish("pulse/v1/me/decision/phone/p1", b"mine")
    await alice.publish("pulse/v1/me/deliver/watch/w1", b"not for the phone")
    await alice.publish("pulse/v1/me/deliver/phone/p1", b"for the phone")
    await heard.wait_for(lambda: b"for the phone" in heard.payloads)
    await overheard.wait_for(lambda: b"for the phone" in overheard.payloads)
    assert heard.payloads == [b"mine", b"not for the phone", b"for the phone"]
    assert set(overheard.payloads) == {b"for the phone"}
    for bus in (alice, device):
        await bus.close()


@pytest.mark.slow
async def test_a_login_cannot_take_another_session_by_its_name(child: BrokerChild) -> None:
    """Mosquitto binds the client id to the login; at nats-server ours cannot be guessed."""
    inbox = Inbox()
    alice = MqttLink(structs.replace(options_for(child, "alice"), client_id="alice-0b5d"), tuning=PROMPT)
    await alice.listen([f"{EVENTS}/#"], inbox)
    thief = MqttLink(structs.replace(options_for(child, "bob"), client_id="alice"), tuning=PROMPT)
    for bus in (alice, thief):
        bus.start()
        assert await bus.until_connected(5)
    assert alice.health().connected
    assert await thief.publish(f"{EVENTS}/x", b"x")
    await inbox.wait_count(1)
    for bus in (alice, thief):
        await bus.close()


@pytest.mark.slow
async def test_a_child_that_hangs_is_ended_and_started_again(child: BrokerChild) -> None:
    assert child.pid is not None
    old = child.pid
    bus = MqttLink(
        LinkOptions(
            address=structs.replace(child.address, username="alice", password="alice-password"),
            client_id="alice",
            connect_timeout_s=0.5,
            keepalive_s=1,
        ),
        tuning=PROMPT,
        on_loss=lambda loss: child.suspect() if loss.kind == "silent" else None,
    )
    bus.start()
    assert await bus.until_connected(5)
    os.kill(old, signal.SIGSTOP)
    await restarted(child, old)
    await bus.close()
    assert child.health().restarts == 1


@pytest.mark.slow
async def test_a_child_that_is_well_outlives_a_suspicion(child: BrokerChild) -> None:
    old = child.pid
    child.suspect()
    await child.suspected()
    assert (child.pid, child.health().restarts) == (old, 0)


@pytest.mark.slow
async def test_what_is_secret_to_the_hub_is_not_told_to_the_broker(
    starter: Starter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_DISCORD_TOKEN", "secret")
    child = await starter.start(tmp_path / "broker")
    process = psutil.Process(child.pid)
    assert "PULSE_DISCORD_TOKEN" not in process.environ()
    assert len(process.cmdline()) == 3
    await child.stop()
