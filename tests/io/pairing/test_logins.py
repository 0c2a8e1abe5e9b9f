"""Logins in their file, and what goes wrong without any broker."""

import asyncio
import stat
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.access import Login
from hub.contract.topics import DeviceAddress
from hub.domain.requests import Refused, RegisterDevice, RevokeDevice
from hub.io.broker.acl import SEGMENT, BrokerUser
from hub.io.broker.pairing import (
    DEVICES_MAX,
    HUB_LOGIN,
    BadDeviceNameError,
    PairingFailedError,
    TooManyDevicesError,
    UnknownProfileError,
    login_name,
)
from hub.io.broker.running import BrokerHealth
from hub.io.home.folder import HomeError
from hub.kit.mqtt.address import BrokerAddress
from hub.kit.mqtt.proof import key_of
from tests.fakes.hub_api import ScriptedHubApi
from tests.io.broker.hashed import is_hash_of
from tests.io.pairing.paired import LAPTOP, OTHER, PERSON, login_of, logins_in, pairing_over

FULL = Refused(code="disk-full", status=507, detail="There is no space left.", fix="Free some space.")
SEGMENTS = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)


class Guestbook:
    """A broker of ours that only remembers whom it was told to admit."""

    def __init__(self) -> None:
        self.users: tuple[BrokerUser, ...] = ()

    @property
    def address(self) -> BrokerAddress:
        return BrokerAddress(host="127.0.0.1", port=1883)

    async def admit(self, users: Sequence[BrokerUser]) -> None:
        await asyncio.sleep(0)
        self.users = tuple(users)

    def suspect(self) -> None: ...

    def health(self) -> BrokerHealth:
        return BrokerHealth(kind="mosquitto", running=True, detail="")

    async def stop(self) -> None: ...


def test_a_password_is_kept_only_as_a_hash(tmp_path: Path) -> None:
    logins = logins_in(tmp_path)
    name, password = logins.add(LAPTOP)
    kept = tmp_path / "secrets" / "broker-users.json"
    assert password not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert is_hash_of(password, login_of(logins.all(), name).password_hash)


def test_a_device_of_our_own_broker_signs_with_its_password(tmp_path: Path) -> None:
    logins = logins_in(tmp_path)
    _, password = logins.add(LAPTOP)
    assert logins.key_of(LAPTOP) == key_of(password)
    assert logins.key_of(OTHER) == ""


def test_a_login_that_still_lies_where_it_was_handed_out_proves_nothing(tmp_path: Path) -> None:
    logins, folder = logins_in(tmp_path), tmp_path / "logins"
    folder.mkdir()
    _, left = logins.add(LAPTOP)
    _, gone = logins.add(OTHER)
    for address, password in ((LAPTOP, left), (OTHER, "of an earlier pairing")):
        login = Login(
            url="mqtt://h", username="u", password=password, client_id="c", user="me", surface="s", device="d"
        )
        (folder / f"{address.surface}-{address.device}.json").write_bytes(msgspec.json.encode(login))
    (folder / "notes.json").write_text("[]")
    logins.distrust(folder)
    assert (logins.key_of(LAPTOP), logins.key_of(OTHER)) == ("", key_of(gone))
    assert logins_in(tmp_path).key_of(LAPTOP) == "", "a program that deletes the file then has read it"
    _, again = logins.add(LAPTOP)
    logins.distrust(folder)
    assert logins.key_of(LAPTOP) == key_of(again)


def test_the_hub_has_a_new_password_at_each_start(tmp_path: Path) -> None:
    first, second = logins_in(tmp_path), logins_in(tmp_path)
    assert first.hub_password != second.hub_password
    assert is_hash_of(second.hub_password, login_of(second.all(), HUB_LOGIN).password_hash)


@pytest.mark.parametrize("content", [b"", b"{", b"[{}]", b"\xff", b'[{"name": "a b", "user": "me", "role": "device"}]'])
def test_a_damaged_file_is_said_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    logins_in(tmp_path)
    (tmp_path / "secrets" / "broker-users.json").write_bytes(content)
    with pytest.raises(HomeError, match="damaged") as caught:
        logins_in(tmp_path)
    assert "pair the devices again" in caught.value.fix
    assert (tmp_path / "secrets" / "broker-users.json").read_bytes() == content


def test_what_cannot_be_kept_is_not_added(tmp_path: Path) -> None:
    logins = logins_in(tmp_path)
    (tmp_path / "secrets" / "broker-users.json").mkdir()
    with pytest.raises(HomeError):
        logins.add(LAPTOP)
    assert len(logins) == 0


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    logins_in(tmp_path)
    (tmp_path / "secrets" / "broker-users.json").mkdir()
    with pytest.raises(HomeError):
        logins_in(tmp_path)


def test_a_login_name_is_plain_where_it_can_be() -> None:
    assert login_name(LAPTOP) == "terminal-laptop"


@pytest.mark.slow
@given(SEGMENTS, SEGMENTS, SEGMENTS, SEGMENTS)
def test_no_two_devices_share_a_login(one: str, two: str, three: str, four: str) -> None:
    first, second = DeviceAddress(surface=one, device=two), DeviceAddress(surface=three, device=four)
    assert (login_name(first) == login_name(second)) == (first == second)
    assert SEGMENT.match(login_name(first))


def test_devices_whose_names_run_together_are_told_apart() -> None:
    pairs = [("a-b", "c"), ("a", "b-c"), ("x" * 64, "1"), ("x" * 64, "2"), *(("pulse", "hub"),)]
    names = [login_name(DeviceAddress(surface=surface, device=device)) for surface, device in pairs]
    assert len({*names, HUB_LOGIN}) == len(pairs) + 1


async def test_an_unknown_profile_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownProfileError, match="no device profile 'toaster'") as caught:
        await pairing_over(Guestbook(), logins_in(tmp_path)).pair(LAPTOP, "toaster")
    assert "terminal" in caught.value.fix


@pytest.mark.parametrize("name", ["", "a/b", "a b", "#", "+", "ü", "x" * 65, "a\n", "a\0b"])
async def test_a_name_that_cannot_be_part_of_a_topic_is_refused(tmp_path: Path, name: str) -> None:
    pairing = pairing_over(Guestbook(), logins_in(tmp_path))
    for address in (DeviceAddress(surface=name, device="laptop"), DeviceAddress(surface="terminal", device=name)):
        with pytest.raises(BadDeviceNameError):
            await pairing.pair(address, "terminal")


@pytest.mark.slow
async def test_there_is_a_limit_that_pairing_again_does_not_meet(tmp_path: Path) -> None:
    pairing = pairing_over(Guestbook(), logins_in(tmp_path))
    for number in range(DEVICES_MAX):
        await pairing.pair(DeviceAddress(surface="terminal", device=f"d{number}"), "terminal")
    with pytest.raises(TooManyDevicesError):
        await pairing.pair(LAPTOP, "terminal")
    await pairing.pair(DeviceAddress(surface="terminal", device="d0"), "terminal")
    await pairing.revoke(DeviceAddress(surface="terminal", device="d1"))
    await pairing.pair(LAPTOP, "terminal")


@pytest.mark.slow
async def test_pairing_at_once_loses_nobody(tmp_path: Path) -> None:
    broker = Guestbook()
    pairing = pairing_over(broker, logins_in(tmp_path))
    addresses = [DeviceAddress(surface="terminal", device=f"d{number}") for number in range(20)]
    await asyncio.gather(*(pairing.pair(address, "terminal") for address in addresses))
    assert {user.name for user in broker.users} == {HUB_LOGIN, *map(login_name, addresses)}
    assert {user.user for user in broker.users} == {PERSON}


async def test_what_the_hub_refuses_is_said_and_gives_no_login(tmp_path: Path) -> None:
    hub_api, broker = ScriptedHubApi({RegisterDevice: lambda _: FULL}), Guestbook()
    with pytest.raises(PairingFailedError, match="no space left") as caught:
        await pairing_over(broker, logins_in(tmp_path), hub_api).pair(LAPTOP, "terminal")
    assert caught.value.fix == "Free some space."
    assert broker.users == ()


async def test_a_device_is_shut_out_even_if_the_hub_cannot_write_it_down(tmp_path: Path) -> None:
    hub_api, broker = ScriptedHubApi({RevokeDevice: lambda _: FULL}), Guestbook()
    pairing = pairing_over(broker, logins_in(tmp_path), hub_api)
    await pairing.pair(LAPTOP, "terminal")
    await pairing.pair(OTHER, "terminal")
    await pairing.revoke(LAPTOP)  # noted where there is room: tests/io/home/test_revocations.py
    assert {user.name for user in broker.users} == {HUB_LOGIN, login_name(OTHER)}


def test_kept_users_are_as_they_were(tmp_path: Path) -> None:
    logins = logins_in(tmp_path)
    logins.add(LAPTOP)
    logins.add(OTHER)
    logins.drop(OTHER)
    kept = msgspec.json.decode((tmp_path / "secrets" / "broker-users.json").read_bytes(), type=tuple[BrokerUser, ...])
    assert kept == logins_in(tmp_path).all()[1:] == logins.all()[1:]
