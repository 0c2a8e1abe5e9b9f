"""What every way of pairing keeps to: in memory, over nats-server, over mosquitto."""

import abc
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.contract.access import Login
from hub.contract.errors import UserError
from hub.contract.topics import DeviceAddress
from hub.io.broker.choose import find_mosquitto, find_nats
from hub.io.broker.mosquitto import start_mosquitto
from hub.io.broker.nats import start_nats
from hub.io.broker.running import RunningBroker
from hub.ports import Pairing
from tests.fakes.pairing import FakePairing
from tests.io.pairing.paired import LAPTOP, OTHER, PERSON, lets_in, logins_in, pairing_over


class World(abc.ABC):
    """A way of pairing, and whether a login works there."""

    pairing: Pairing

    @abc.abstractmethod
    async def begin(self, folder: Path) -> None: ...

    @abc.abstractmethod
    async def works(self, login: Login) -> bool: ...

    @abc.abstractmethod
    async def end(self) -> None: ...


class FakeWorld(World):
    async def begin(self, folder: Path) -> None:
        del folder
        self.fake = self.pairing = FakePairing()

    async def works(self, login: Login) -> bool:
        return self.fake.passwords.get(DeviceAddress(surface=login.surface, device=login.device)) == login.password

    async def end(self) -> None:
        self.fake.passwords.clear()


class BrokerWorld(World):
    broker: RunningBroker

    async def works(self, login: Login) -> bool:
        return await lets_in(login)

    async def end(self) -> None:
        await self.broker.stop()


class MosquittoWorld(BrokerWorld):
    async def begin(self, folder: Path) -> None:
        program = find_mosquitto()
        if program is None:
            pytest.skip("needs the mosquitto program, version 2 or newer")
        logins = logins_in(folder)
        self.broker = await start_mosquitto(program, folder / "broker", logins.all())
        self.pairing = pairing_over(self.broker, logins)


class NatsWorld(BrokerWorld):
    async def begin(self, folder: Path) -> None:
        program = find_nats()
        if program is None:
            pytest.skip("no nats-server comes along on this kind of machine")
        logins = logins_in(folder)
        self.broker = await start_nats(program, folder / "broker", logins.all())
        self.pairing = pairing_over(self.broker, logins)


@pytest.fixture(
    params=[FakeWorld, pytest.param(MosquittoWorld, marks=pytest.mark.needs_mosquitto), NatsWorld],
    ids=["fake", "mosquitto", "nats-server"],
)
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    made: World = request.param()
    await made.begin(tmp_path)
    yield made
    await made.end()


async def test_a_login_works_and_says_whose_it_is(world: World) -> None:
    login = await world.pairing.pair(LAPTOP, "terminal")
    assert (login.user, login.surface, login.device) == (PERSON, "terminal", "laptop")
    assert login.url.startswith("mqtt://127.0.0.1:")
    assert login.client_id.startswith(login.username)
    assert await world.works(login)


@pytest.mark.slow
async def test_pairing_again_ends_the_old_password(world: World) -> None:
    first = await world.pairing.pair(LAPTOP, "terminal")
    second = await world.pairing.pair(LAPTOP, "phone")
    assert second.username == first.username
    assert await world.works(second)
    assert not await world.works(first)


@pytest.mark.slow
async def test_a_revoked_login_is_dead_and_others_live(world: World) -> None:
    login, other = await world.pairing.pair(LAPTOP, "terminal"), await world.pairing.pair(OTHER, "terminal")
    await world.pairing.revoke(LAPTOP)
    assert not await world.works(login)
    assert await world.works(other)


@pytest.mark.slow
async def test_a_revoked_device_may_be_paired_again(world: World) -> None:
    await world.pairing.pair(LAPTOP, "terminal")
    await world.pairing.revoke(LAPTOP)
    await world.pairing.revoke(LAPTOP)
    assert await world.works(await world.pairing.pair(LAPTOP, "terminal"))


@pytest.mark.slow
async def test_each_device_has_a_login_of_its_own(world: World) -> None:
    addresses = [DeviceAddress(surface="a-b", device="c"), DeviceAddress(surface="a", device="b-c"), LAPTOP, OTHER]
    logins = [await world.pairing.pair(address, "terminal") for address in addresses]
    assert len({login.username for login in logins}) == len({login.password for login in logins}) == len(addresses)
    assert await world.works(logins[0])


@pytest.mark.slow
async def test_an_unknown_profile_is_refused(world: World) -> None:
    with pytest.raises(UserError, match="toaster"):
        await world.pairing.pair(LAPTOP, "toaster")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "a/b", "#", "ü", "x" * 65])
async def test_a_name_that_cannot_be_part_of_a_topic_is_refused(world: World, name: str) -> None:
    with pytest.raises(UserError):
        await world.pairing.pair(DeviceAddress(surface="terminal", device=name), "terminal")


@pytest.mark.slow
async def test_a_gateway_has_a_login_that_no_device_can_take(world: World) -> None:
    first = await world.pairing.gateway("browser")
    assert await world.works(first)
    with pytest.raises(UserError):
        await world.pairing.pair(DeviceAddress(surface="browser", device=first.device), "browser")
    second = await world.pairing.gateway("browser")
    assert await world.works(second)
    assert not await world.works(first)
    with pytest.raises(UserError):
        await world.pairing.gateway("a/b")
