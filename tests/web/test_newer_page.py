"""After an update one reload shows the new page; an older page says so, and keeps what is being typed."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from hub.io.api.page import Page as Files
from tests.web.chromium import new_page
from tests.web.fake_hub import PAGE, SESSION_SCRIPT, SIGNED_IN, FakeHub
from tests.web.pages import READY, open_page, until_so

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
KEPT = """async () => navigator.serviceWorker.controller !== null
  && (await caches.keys()).some((name) => name.startsWith("pulse-page-"))"""
NEW = "body[data-edition=second]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The page's files, to be changed; a browser counts as signed in there."""
    copied = Path(shutil.copytree(PAGE, tmp_path / "page"))
    with (copied / "js" / "shared" / SESSION_SCRIPT).open("ab") as script:
        script.write(SIGNED_IN)
    return copied


@pytest.fixture
def fake(folder: Path) -> Iterator[FakeHub]:
    with FakeHub(Files(folder)) as made:
        made.add()
        yield made


def update(fake: FakeHub, folder: Path, *, back: bool = False) -> None:
    """Start the hub anew with another page, or with the one that there was before."""
    fake.stop()
    editions = ("<body>", '<body data-edition="second">')
    was, becomes = reversed(editions) if back else editions
    start = folder / "index.html"
    start.write_text(start.read_text().replace(was, becomes))
    fake.start()


def banner(page: Page) -> Locator:
    return page.locator(".banner.newer")


async def test_an_open_page_says_that_it_is_older_and_one_reload_is_enough(
    chromium: Browser, fake: FakeHub, folder: Path
) -> None:
    async with open_page(chromium, fake, may_lose=True, worker=True) as page:
        await until_so(page, KEPT)
        await expect(banner(page)).to_have_count(0)
        update(fake, folder)
        await expect(banner(page)).to_contain_text("Pulse has been updated.")
        await page.reload()
        await page.locator(NEW).wait_for(state="attached")
        await page.wait_for_selector("html[data-complete]", state="attached")
        await expect(banner(page)).to_have_count(0)
        update(fake, folder, back=True)
        await expect(banner(page)).to_be_visible()
        await page.reload()
        await page.wait_for_selector(READY, state="attached")
        await expect(page.locator(NEW)).to_have_count(0)


async def test_a_page_that_was_closed_meanwhile_is_one_reload_behind(
    chromium: Browser, fake: FakeHub, folder: Path
) -> None:
    async with new_page(chromium, worker=True) as (first, _complaints):
        await first.goto(fake.origin)
        await until_so(first, KEPT)
        other = await first.context.new_page()
        await first.close()
        update(fake, folder)
        await other.goto(fake.origin)
        await other.wait_for_selector(READY, state="attached")
        await expect(other.locator(NEW)).to_have_count(0)
        await banner(other).get_by_role("button", name="Reload").click()
        await other.locator(NEW).wait_for(state="attached")


async def test_what_is_typed_is_not_lost_unasked(chromium: Browser, fake: FakeHub, folder: Path) -> None:
    async with open_page(chromium, fake, may_lose=True, worker=True) as page:
        await until_so(page, KEPT)
        field = page.locator(".askbox input[type=text]")
        await field.fill("Look at the broken link")
        update(fake, folder)
        await banner(page).get_by_role("button", name="Reload", exact=True).click()
        await expect(banner(page)).to_contain_text("has not been sent")
        await expect(field).to_have_value("Look at the broken link")
        await banner(page).get_by_role("button", name="Reload anyway").click()
        await page.locator(NEW).wait_for(state="attached")
