from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.io.broker.child import BrokerChild
from tests.io.broker.starting import KINDS, Starter, started


@pytest.fixture
def program() -> Path:
    return Starter("mosquitto").program


@pytest.fixture(params=KINDS)
def starter(request: pytest.FixtureRequest) -> Starter:
    return Starter(request.param)


@pytest.fixture
async def child(starter: Starter, tmp_path: Path) -> AsyncIterator[BrokerChild]:
    async for running in started(starter, tmp_path / "broker"):
        yield running
