"""Which broker is used: the configured one, else mosquitto as a child, else amqtt in this process.

``choose`` decides and knows nothing but its arguments; ``look_around`` asks the machine; ``start`` acts.
"""

import importlib.util
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hub.contract.base import Value
from hub.io.broker.acl import BrokerUser
from hub.io.broker.address import BrokerAddress, parse_url
from hub.io.broker.running import BrokerStartError, ExternalBroker, RunningBroker

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


class Mosquitto(Value):
    """Run this program as a supervised child."""

    program: Path


class Embedded(Value):
    """Run amqtt in this process, on loopback only."""


class NoBroker(Value):
    """There is none to be had; ``why`` says what to do."""

    why: str


Choice = External | Mosquitto | Embedded | NoBroker


class Surroundings(Value):
    """What the machine offers: a mosquitto new enough, if any, and whether amqtt can be imported."""

    mosquitto: Path | None
    amqtt: bool


def choose(external: BrokerAddress | None, around: Surroundings) -> Choice:
    """Decide: the configured broker, then mosquitto, then amqtt, then none."""
    if external is not None:
        return External(address=external)
    if around.mosquitto is not None:
        return Mosquitto(program=around.mosquitto)
    if around.amqtt:
        return Embedded()
    return NoBroker(why="There is no MQTT broker: install mosquitto (version 2 or newer), or set mqtt.url to one.")


def look_around() -> Surroundings:
    """Look for mosquitto on PATH and where packages put it, and for amqtt; a mosquitto older than 2 does not count."""
    found = shutil.which(PROGRAM) or shutil.which(PROGRAM, path=":".join(EXTRA_FOLDERS))
    program = Path(found) if found and mosquitto_major(Path(found)) >= MAJOR_MIN else None
    return Surroundings(mosquitto=program, amqtt=importlib.util.find_spec("amqtt") is not None)


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
        case Mosquitto(program=program):
            from hub.io.broker.mosquitto import MosquittoChild  # noqa: PLC0415  imported where it is used

            return await MosquittoChild.start(program, home / "broker", users, port)
        case Embedded():
            from hub.io.broker.embedded import AmqttBroker  # noqa: PLC0415  amqtt costs 25 MB, only when used

            return await AmqttBroker.start(users, port)
        case NoBroker(why=why):
            raise BrokerStartError(why)


def external_address(url: str, ca_file: Path | None = None) -> BrokerAddress | None:
    """Read the setting ``mqtt.url``; empty means that Pulse brings its own broker."""
    return parse_url(url, ca_file) if url.strip() else None
