from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.io.broker.choose import look_around
from hub.io.broker.mosquitto import MosquittoChild
from tests.conformance.bus.world import NAMES, full_user


@pytest.fixture
def program() -> Path:
    found = look_around().mosquitto
    if found is None:
        pytest.skip("needs the mosquitto program, version 2 or newer")
    return found


@pytest.fixture
async def child(program: Path, tmp_path: Path) -> AsyncIterator[MosquittoChild]:
    running = await MosquittoChild.start(program, tmp_path / "broker", [full_user(name) for name in NAMES])
    yield running
    await running.stop()
