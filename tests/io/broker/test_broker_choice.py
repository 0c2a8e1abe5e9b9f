import os
from pathlib import Path

import pytest

from hub.io.broker.choose import (
    External,
    Mosquitto,
    Nats,
    NoBroker,
    Surroundings,
    choose,
    external_address,
    look_around,
    mosquitto_major,
    start,
)
from hub.io.broker.running import BrokerStartError
from hub.kit.mqtt.address import BadBrokerUrlError, BrokerAddress, parse_url

PROGRAM = Path("/usr/sbin/mosquitto")
ADDRESS = BrokerAddress(host="broker.lan", port=1883)


NATS = Path("/venv/bin/nats-server")


def test_the_configured_broker_comes_first() -> None:
    assert choose(ADDRESS, Surroundings(nats=NATS, mosquitto=PROGRAM)) == External(address=ADDRESS)


def test_the_one_that_came_along_is_taken_whatever_else_is_installed() -> None:
    assert choose(None, Surroundings(nats=NATS, mosquitto=PROGRAM)) == Nats(program=NATS)


def test_where_none_came_along_mosquitto_takes_its_place() -> None:
    assert choose(None, Surroundings(nats=None, mosquitto=PROGRAM)) == Mosquitto(program=PROGRAM)


def test_without_any_the_person_is_told_what_to_install() -> None:
    choice = choose(None, Surroundings(nats=None, mosquitto=None))
    assert isinstance(choice, NoBroker)
    assert "install mosquitto" in choice.why


def test_the_installation_brings_one_along() -> None:
    assert look_around().nats is not None


async def test_starting_none_fails_with_that_advice(tmp_path: Path) -> None:
    with pytest.raises(BrokerStartError, match="install mosquitto"):
        await start(choose(None, Surroundings(nats=None, mosquitto=None)), tmp_path, [])


async def test_an_external_broker_is_left_alone(tmp_path: Path) -> None:
    broker = await start(External(address=ADDRESS), tmp_path, [])
    await broker.admit([])
    await broker.stop()
    assert broker.health().running
    assert broker.address == ADDRESS
    assert os.listdir(tmp_path) == []  # noqa: PTH208  reads better than a generator here


def test_a_program_that_is_no_mosquitto_does_not_count(tmp_path: Path) -> None:
    fake = tmp_path / "mosquitto"
    fake.write_text("#!/bin/sh\necho 'mosquitto version 1.6.9'\n")
    fake.chmod(0o700)
    assert mosquitto_major(fake) == 1
    assert mosquitto_major(tmp_path / "missing") == 0
    assert mosquitto_major(Path("/bin/true")) == 0


def test_a_full_address_is_read() -> None:
    address = parse_url("mqtts://me%40home:p%3Aw%2F@broker.lan", Path("/ca.pem"))
    assert (address.host, address.port, address.tls) == ("broker.lan", 8883, True)
    assert (address.username, address.password, address.ca_file) == ("me@home", "p:w/", Path("/ca.pem"))


def test_a_plain_address_has_the_usual_port_and_no_login() -> None:
    assert parse_url("mqtt://[::1]") == BrokerAddress(host="::1", port=1883)
    assert parse_url("mqtt://[::1]").shown == "mqtt://[::1]:1883"


def test_an_empty_setting_means_our_own_broker() -> None:
    assert external_address("  ") is None
    assert external_address("mqtt://h:1") == BrokerAddress(host="h", port=1)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "broker.lan",
        "http://secret@h",
        "mqtt://",
        "mqtt://:secret@",
        "mqtt://h:0x",
        "mqtt://h:70000",
        "mqtt://h/secret",
    ],
)
def test_a_wrong_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(BadBrokerUrlError) as caught:
        parse_url(url)
    assert "secret" not in str(caught.value)


def test_an_address_shows_itself_without_its_password() -> None:
    assert "hush" not in repr(parse_url("mqtt://me:hush@h"))
