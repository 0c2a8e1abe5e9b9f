import importlib.util
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from hub.io.broker.choose import look_around
from tests.conformance.bus.world import AmqttWorld, FakeWorld, MosquittoWorld, World


def make_mosquitto() -> World:
    program = look_around().mosquitto
    if program is None:
        pytest.skip("needs the mosquitto program, version 2 or newer")
    return MosquittoWorld(program)


def make_amqtt() -> World:
    if importlib.util.find_spec("amqtt") is None:
        pytest.skip("needs amqtt")
    return AmqttWorld()


FULL = [FakeWorld, pytest.param(make_mosquitto, marks=pytest.mark.needs_mosquitto)]


@pytest.fixture(params=[*FULL, make_amqtt], ids=["fake", "mosquitto", "amqtt"])
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """Every broker that Pulse can use."""
    make: Callable[[], World] = request.param
    opened = make()
    await opened.begin(tmp_path)
    yield opened
    await opened.end()


@pytest.fixture(params=FULL, ids=["fake", "mosquitto"])
async def lasting_world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """The ones that keep sessions and send again; amqtt does not, and nothing may rest on it (design section 3)."""
    make: Callable[[], World] = request.param
    opened = make()
    await opened.begin(tmp_path)
    yield opened
    await opened.end()
