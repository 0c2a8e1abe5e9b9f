from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from hub.io.broker.choose import find_mosquitto, find_nats
from tests.conformance.bus.world import FakeWorld, MosquittoWorld, NatsWorld, World


def make_mosquitto() -> World:
    program = find_mosquitto()
    if program is None:
        pytest.skip("needs the mosquitto program, version 2 or newer")
    return MosquittoWorld(program)


def make_nats() -> World:
    program = find_nats()
    if program is None:
        pytest.skip("no nats-server comes along on this kind of machine")
    return NatsWorld(program)


@pytest.fixture(
    params=[FakeWorld, make_nats, pytest.param(make_mosquitto, marks=pytest.mark.needs_mosquitto)],
    ids=["fake", "nats-server", "mosquitto"],
)
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """Every broker that Pulse can run."""
    make: Callable[[], World] = request.param
    opened = make()
    await opened.begin(tmp_path)
    yield opened
    await opened.end()
