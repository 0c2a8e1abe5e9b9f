"""The worlds in which the bus suite runs: in memory, on nats-server, on mosquitto."""

import abc
from collections.abc import Sequence
from pathlib import Path

from msgspec import structs

from hub.io.broker.acl import BrokerUser
from hub.io.broker.mosquitto import start_mosquitto
from hub.io.broker.nats import start_nats
from hub.io.broker.passwords import with_password
from hub.io.broker.running import RunningBroker
from hub.kit.backoff import RetryPolicy
from hub.kit.mqtt.connection import LinkOptions
from hub.kit.mqtt.link import MqttLink, MqttTuning
from hub.ports import Bus
from tests.fakes.bus import FakeBroker, FakeBus, Inbox

PERSON = "me"
NAMES = ("alice", "bob", "carol")
EVENTS = f"pulse/v1/{PERSON}/event"
PROMPT = MqttTuning(retry=RetryPolicy(base_s=0.01, cap_s=0.2))


def password_of(name: str) -> str:
    return f"{name}-password"


def full_user(name: str) -> BrokerUser:
    return with_password(BrokerUser(name=name, user=PERSON, role="hub"), password_of(name))


def options_for(broker: RunningBroker, name: str, password: str | None = None) -> LinkOptions:
    address = structs.replace(broker.address, username=name, password=password or password_of(name))
    return LinkOptions(address=address, client_id=name)


class World(abc.ABC):
    """A broker to which clients can be opened by name, and closed."""

    def __init__(self) -> None:
        self.open_buses: list[Bus] = []

    @abc.abstractmethod
    async def begin(self, folder: Path) -> None: ...

    @abc.abstractmethod
    async def connect(self, name: str, patterns: Sequence[str], inbox: Inbox | None) -> Bus: ...

    async def open(self, name: str, patterns: Sequence[str] = (), inbox: Inbox | None = None) -> Bus:
        bus = await self.connect(name, patterns, inbox)
        self.open_buses.append(bus)
        return bus

    async def end(self) -> None:
        for bus in self.open_buses:
            await bus.close()


class FakeWorld(World):
    async def begin(self, folder: Path) -> None:
        del folder
        self.broker = FakeBroker()

    async def connect(self, name: str, patterns: Sequence[str], inbox: Inbox | None) -> Bus:
        bus = FakeBus(self.broker, name)
        if inbox is not None:
            await bus.listen(patterns, inbox)
        return bus


class BrokerWorld(World):
    broker: RunningBroker

    async def connect(self, name: str, patterns: Sequence[str], inbox: Inbox | None) -> Bus:
        bus = MqttLink(options_for(self.broker, name), tuning=PROMPT)
        if inbox is not None:
            await bus.listen(patterns, inbox)
        bus.start()
        assert await bus.until_connected(5), bus.health()
        return bus

    async def end(self) -> None:
        await super().end()
        await self.broker.stop()


class MosquittoWorld(BrokerWorld):
    def __init__(self, program: Path) -> None:
        super().__init__()
        self.program = program

    async def begin(self, folder: Path) -> None:
        users = [full_user(name) for name in NAMES]
        self.broker = await start_mosquitto(self.program, folder / "broker", users)


class NatsWorld(BrokerWorld):
    def __init__(self, program: Path) -> None:
        super().__init__()
        self.program = program

    async def begin(self, folder: Path) -> None:
        users = [full_user(name) for name in NAMES]
        self.broker = await start_nats(self.program, folder / "broker", users)
