"""A fresh API for each test."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.io.api.running import Api, running


@pytest_asyncio.fixture
async def api() -> AsyncIterator[Api]:
    async with running() as made:
        yield made
