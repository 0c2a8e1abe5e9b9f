"""Real browsers, a real hub and a real push service. Chromium lives for the whole run; the rest for one test.

`chromium` shows pages; a test of what is the browser's own, not the page's, takes `whole_chromium`.

Tests that take these fixtures run on the session's loop: `pytestmark = pytest.mark.asyncio(loop_scope="session")`.
"""

import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.web.chromium import SHELL, WAIT_MS_MAX, WHOLE, Complaints, SharedChromium, new_page
from tests.web.live_hub import LiveHub, live_hub
from tests.web.notification_daemon import NotificationDaemon, running_notification_daemon
from tests.web.push_service import PushService, running_push_service

expect.set_options(timeout=WAIT_MS_MAX)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder with a short name: the path of a socket has at most 108 bytes."""
    with tempfile.TemporaryDirectory(prefix="pulse-") as folder:
        yield Path(folder)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_shell() -> AsyncIterator[SharedChromium]:
    """Chromium's shell, or the whole browser where that is all there is."""
    async with contextlib.AsyncExitStack() as running:
        yield SharedChromium(SHELL if shutil.which(SHELL) else WHOLE, running)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_whole() -> AsyncIterator[SharedChromium]:
    """The Chromium that people have."""
    async with contextlib.AsyncExitStack() as running:
        yield SharedChromium(WHOLE, running)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def chromium(shared_shell: SharedChromium) -> Browser:
    """The browser of most tests."""
    return await shared_shell.connected()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def whole_chromium(shared_whole: SharedChromium) -> Browser:
    """The browser of tests of what is around a page."""
    return await shared_whole.connected()


@pytest.fixture
def worker() -> bool:
    """Whether these pages have their service worker: a test that needs it says so, by `parametrize` or for a file."""
    return False


@pytest_asyncio.fixture(loop_scope="session")
async def desktop(chromium: Browser, *, worker: bool) -> AsyncIterator[Page]:
    """A page on a desktop; whatever it complains about fails the test."""
    async with new_page(chromium, "desktop", worker=worker) as (page, complaints):
        yield page
        assert_quiet(complaints)


@pytest_asyncio.fixture(loop_scope="session")
async def phone(chromium: Browser, *, worker: bool) -> AsyncIterator[Page]:
    """A page on a phone with touch; whatever it complains about fails the test."""
    async with new_page(chromium, "phone", worker=worker) as (page, complaints):
        yield page
        assert_quiet(complaints)


@pytest_asyncio.fixture(params=["desktop", "phone"], loop_scope="session")
async def page(request: pytest.FixtureRequest, chromium: Browser, *, worker: bool) -> AsyncIterator[Page]:
    """A page in both sizes, one after the other."""
    async with new_page(chromium, request.param, worker=worker) as (made, complaints):
        yield made
        assert_quiet(complaints)


@pytest_asyncio.fixture(loop_scope="session")
async def push_service() -> AsyncIterator[PushService]:
    """A push service on loopback."""
    async with running_push_service() as service:
        yield service


@pytest_asyncio.fixture(loop_scope="session")
async def notifications(short_folder: Path) -> AsyncIterator[NotificationDaemon]:
    """A desktop's notifications on a private bus."""
    async with running_notification_daemon(short_folder) as daemon:
        yield daemon


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[LiveHub]:
    """A real hub for one test."""
    with live_hub(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def shared_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHub]:
    """A real hub for all tests of a module."""
    with live_hub(tmp_path_factory.mktemp("hub")) as made:
        yield made


def assert_quiet(complaints: Complaints) -> None:
    assert complaints.texts == []
    assert complaints.elsewhere == []
