"""Every store that there is, each fresh for its test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from hub.domain.storage import Change, Committed
from hub.io.store.sqlite import open_store
from hub.ports import Store
from tests.fakes.store import MemoryStore


@pytest_asyncio.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened: Store = MemoryStore() if request.param == "memory" else await open_store(tmp_path / "pulse.db")
    yield opened
    await opened.close()


class Sure:
    """Writes what must succeed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(self, *changes: Change) -> None:
        assert await self._store.commit([changes]) == (Committed(),)


@pytest.fixture
def write(store: Store) -> Sure:
    return Sure(store)
