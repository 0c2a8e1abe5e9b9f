"""Lines of the world log over the broker: taken once, whoever's they are, and what is none is dropped with a line."""

import json
import logging
from datetime import UTC, datetime

import pytest

from hub.contract import topics
from hub.contract.errors import BusyError
from hub.contract.topics import DeviceAddress
from hub.contract.world import AgentStatus
from hub.domain.requests import Refused
from hub.domain.world import WorldSession
from hub.domain.world_requests import WorldSaid
from hub.kit.mqtt.messages import Delivery
from hub.loop import world
from hub.runner.senders import BAD_MAX
from hub.runner.world_inbound import fault_of, owner_of
from tests.runner.running_hub import House, living

ROBOT, SENSOR = DeviceAddress(surface="robot", device="r1"), DeviceAddress(surface="sensor", device="git")
START = {"status": "start", "session": "abc123", "output": "Sweep the hall", "need": "a photo"}
FACT = {"source": "file", "identifier": "door", "output": "open"}


def message(
    data: object, *, kind: str = "world.agent", name: str = "e1", sender: DeviceAddress = ROBOT, retained: bool = False
) -> Delivery:
    envelope = {
        "id": name,
        "source": "robot",
        "type": kind,
        "time": datetime(2001, 1, 1, tzinfo=UTC).isoformat(),
        "data": data,
        "specversion": "1.0",
    }
    return Delivery(topic=topics.world("me", sender), payload=json.dumps(envelope).encode(), retained=retained)


def sessions(house: House) -> dict[str, WorldSession]:
    return house.hub.state().world.sessions


async def test_a_line_is_its_logins_own_and_has_the_hubs_time() -> None:
    async with living(House()) as house:
        await house.ear.take(message(START))
        session = sessions(house)["abc123"]
        assert (session.owner, session.status, session.proven) == ("mqtt:robot/r1", AgentStatus.START, True)
        assert session.started_at == house.clock.now()
        await house.ear.take(message(FACT, kind="world.event", sender=SENSOR))
        assert house.ear.garbage == 0


async def test_a_message_that_the_broker_hands_in_again_is_taken_once() -> None:
    async with living(House()) as house:
        await house.ear.take(message(START))
        working = {"status": "active", "session": "abc123", "output": "halfway"}
        for name in ("e2", "e2", "e2"):
            await house.ear.take(message(working, name=name))
            await house.ear.take(message(START))
        for name in ("e3", "e4"):
            await house.ear.take(message({**FACT, "idempotencyKey": "k"}, kind="world.event", name=name))
        assert house.ear.garbage == 0
        assert len(house.hub.state().world.sent["mqtt:robot/r1"]) == 3
        assert sessions(house)["abc123"].status is AgentStatus.ACTIVE


async def test_no_login_speaks_for_another(caplog: pytest.LogCaptureFixture) -> None:
    async with living(House()) as house:
        await house.ear.take(message(START))
        with caplog.at_level(logging.WARNING):
            await house.ear.take(message({"status": "failed", "session": "abc123"}, name="e2", sender=SENSOR))
        assert sessions(house)["abc123"].status is AgentStatus.START
        assert "session-of-another" in caplog.text
        await house.ear.take(message({"status": "verified", "session": "abc123"}, name="e3"))
        assert sessions(house)["abc123"].status is AgentStatus.START
        assert house.ear.garbage == 2


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({}, "world.agent"),
        (START, "world.event"),
        (START, "decision"),
        (FACT, "world.agent"),
        ({**START, "session": "a b"}, "world.agent"),
        ({**START, "owner": "local"}, "world.agent"),
        ({**START, "output": "x" * 8_193}, "world.agent"),
        ({**FACT, "source": "user"}, "world.event"),
        ([], "world.event"),
        (None, "world.event"),
        ("junk", "world.agent"),
    ],
)
async def test_what_is_no_line_is_dropped_and_counted(data: object, kind: str) -> None:
    async with living(House()) as house:
        await house.ear.take(message(data, kind=kind))
        assert house.ear.garbage == 1
        assert sessions(house) == {}


async def test_bytes_that_are_nothing_and_what_is_retained_are_dropped() -> None:
    async with living(House()) as house:
        topic = topics.world("me", ROBOT)
        for payload in (b"\xff" * 50, b"{", b"[" * 5_000):
            await house.ear.take(Delivery(topic=topic, payload=payload, retained=False))
        assert house.ear.garbage == 3
        await house.ear.take(message(START, retained=True))
        assert (house.ear.retained, sessions(house)) == (1, {})


async def test_a_flood_is_told_once_and_not_listened_to(caplog: pytest.LogCaptureFixture) -> None:
    async with living(House()) as house:
        with caplog.at_level(logging.WARNING):
            for number in range(3 * BAD_MAX):
                await house.ear.take(message({"status": "finish", "session": "nobody"}, name=f"e{number}"))
        assert house.ear.garbage == BAD_MAX
        assert len(caplog.records) == 2
        await house.ear.take(message({**START, "session": "other"}, sender=SENSOR))
        assert "other" in sessions(house)


async def test_a_line_that_breaks_the_loop_is_dropped_and_does_not_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with living(House()) as house:
        with monkeypatch.context() as broken:
            broken.setattr(world, "move", lambda *_rest, **_more: 1 / 0)
            await house.ear.take(message(START))
        assert (house.ear.garbage, sessions(house)) == (1, {})
        await house.ear.take(message(START, name="e2"))
        assert house.ear.garbage == 1
        assert "abc123" in sessions(house)


def test_what_pulse_could_not_store_is_handed_in_again() -> None:
    assert fault_of(WorldSaid()) == ""
    assert fault_of(Refused(code="world-off", status=409, detail="off")) == "world-off"
    with pytest.raises(BusyError):
        fault_of(Refused(code="disk-full", status=507, detail="full"))
    assert owner_of(SENSOR) == "mqtt:sensor/git"
