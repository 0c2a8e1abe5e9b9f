"""A broker with an owner of its own: Pulse cannot add logins there, and says so."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.requests import RevokeDevice
from hub.io.broker.acl import BrokerUser
from hub.io.broker.child import BrokerChild
from hub.io.broker.choose import find_mosquitto
from hub.io.broker.mosquitto import start_mosquitto
from hub.io.broker.pairing import LoginNotAddedError, Logins, PairingFailedError
from hub.io.broker.running import ExternalBroker
from hub.kit.mqtt.proof import key_of
from tests.conformance.bus.world import full_user
from tests.fakes.hub_api import ScriptedHubApi
from tests.io.pairing.paired import LAPTOP, OTHER, lets_in, logins_in, pairing_over

pytestmark = pytest.mark.needs_mosquitto


@pytest.fixture
def logins(tmp_path: Path) -> Logins:
    return logins_in(tmp_path / "home")


@pytest.fixture
async def owners(tmp_path: Path) -> AsyncIterator[BrokerChild]:
    """A mosquitto whose owner has let in nobody but the hub."""
    program = find_mosquitto()
    if program is None:
        pytest.skip("needs the mosquitto program, version 2 or newer")
    running = await start_mosquitto(program, tmp_path / "owners", [full_user("hub-of-anna")])
    yield running
    await running.stop()


def devices(logins: Logins) -> list[BrokerUser]:
    """What `pulse broker acl` tells the owner."""
    return [user for user in logins.all() if user.role == "device"]


@pytest.mark.slow
async def test_a_login_that_the_owner_has_not_added_is_said(owners: BrokerChild, logins: Logins) -> None:
    hub_api = ScriptedHubApi()
    with pytest.raises(LoginNotAddedError, match="does not accept the login terminal-laptop yet") as caught:
        await pairing_over(ExternalBroker(owners.address), logins, hub_api).pair(LAPTOP, "terminal")
    assert "pulse broker acl" in caught.value.fix
    assert hub_api.requests == [], "nothing was registered"
    assert [user.name for user in devices(logins)] == ["terminal-laptop"]


@pytest.mark.slow
async def test_once_the_owner_has_added_it_the_device_can_be_paired(owners: BrokerChild, logins: Logins) -> None:
    pairing = pairing_over(ExternalBroker(owners.address), logins)
    with pytest.raises(LoginNotAddedError):
        await pairing.pair(LAPTOP, "terminal")
    await owners.admit([full_user("hub-of-anna"), *devices(logins)])
    login = await pairing.pair(LAPTOP, "terminal")
    assert await lets_in(login)


@pytest.mark.slow
async def test_there_a_password_is_for_good(owners: BrokerChild, logins: Logins, tmp_path: Path) -> None:
    """Else its owner would have to add the login anew at each pairing, and after each restart."""
    for address in (LAPTOP, OTHER):
        with pytest.raises(LoginNotAddedError):
            await pairing_over(ExternalBroker(owners.address), logins).pair(address, "terminal")
    await owners.admit(devices(logins))
    first = await pairing_over(ExternalBroker(owners.address), logins).pair(LAPTOP, "terminal")
    later = pairing_over(ExternalBroker(owners.address), logins_in(tmp_path / "home"))
    assert (await later.pair(LAPTOP, "terminal")).password == first.password
    assert (await later.pair(OTHER, "terminal")).password != first.password
    assert await lets_in(first)


@pytest.mark.slow
async def test_there_a_device_signs_with_what_it_alone_was_told(owners: BrokerChild, logins: Logins) -> None:
    """Its password is made from a key in the home, so anyone who reads that could sign with it."""
    pairing = pairing_over(ExternalBroker(owners.address), logins)
    with pytest.raises(LoginNotAddedError):
        await pairing.pair(LAPTOP, "terminal")
    assert logins.key_of(LAPTOP) == ""
    await owners.admit(devices(logins))
    login = await pairing.pair(LAPTOP, "terminal")
    assert login.signing not in {"", login.password}
    assert logins.key_of(LAPTOP) == key_of(login.signing)
    await owners.stop()
    with pytest.raises(PairingFailedError):
        await pairing.pair(LAPTOP, "terminal")
    assert logins.key_of(LAPTOP) == key_of(login.signing), "a pairing that failed takes nothing away"


def test_a_key_that_an_earlier_pulse_made_from_such_a_password_proves_nothing(logins: Logins) -> None:
    name, password = logins.add(LAPTOP, lasting=True)
    (kept,) = [user for user in logins.all() if user.name == name]
    logins._save({name: replace(kept, key=key_of(password))})  # noqa: SLF001  as an earlier Pulse kept it
    assert logins.key_of(LAPTOP) == ""


@pytest.mark.slow
async def test_a_broker_that_is_away_is_said_as_such(owners: BrokerChild, logins: Logins) -> None:
    pairing = pairing_over(ExternalBroker(owners.address), logins)
    await owners.stop()
    with pytest.raises(PairingFailedError, match="cannot be reached") as caught:
        await pairing.pair(LAPTOP, "terminal")
    assert caught.value.retryable


@pytest.mark.slow
async def test_a_revoked_device_means_nothing_to_the_hub(owners: BrokerChild, logins: Logins) -> None:
    hub_api = ScriptedHubApi()
    pairing = pairing_over(ExternalBroker(owners.address), logins, hub_api)
    with pytest.raises(LoginNotAddedError):
        await pairing.pair(LAPTOP, "terminal")
    await pairing.revoke(LAPTOP)
    assert hub_api.requests == [RevokeDevice(address=LAPTOP)]
    assert devices(logins) == []
