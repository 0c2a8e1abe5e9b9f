"""A fresh API for each test."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.io.api.browser import Browser, NewBrowser
from tests.io.api.running import Api, running


@pytest_asyncio.fixture
async def api() -> AsyncIterator[Api]:
    async with running() as made:
        yield made


@pytest_asyncio.fixture
async def new_browser(api: Api) -> AsyncIterator[NewBrowser]:
    """Make browsers that nobody has signed in yet; all are closed at the end."""
    made: list[Browser] = []

    def new() -> Browser:
        made.append(Browser(api))
        return made[-1]

    yield new
    for browser in made:
        await browser.http.aclose()
