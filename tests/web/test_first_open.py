"""A browser's first minute, from the first open to paired: its console stays clean, and the hub refuses nothing."""

import pytest
from playwright.async_api import Browser, Page, Response, expect

from tests.web.chromium import new_page
from tests.web.live_hub import LiveHub
from tests.web.signing_in import READY

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
]
COMPLETE = "html[data-complete]"


@pytest.fixture(scope="module")
def hub(shared_hub: LiveHub) -> LiveHub:
    return shared_hub


def listen(page: Page) -> list[str]:
    """Return a list that gets every line of the console, and every answer that is a refusal."""
    heard: list[str] = []

    def answered(response: Response) -> None:
        if response.status >= 400:
            heard.append(f"{response.status} {response.request.method} {response.url}")

    page.on("console", lambda message: heard.append(f"{message.type}: {message.text}"))
    page.on("response", answered)
    return heard


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_nothing_is_refused_from_the_first_open_until_it_is_paired(
    chromium: Browser, hub: LiveHub, size: str
) -> None:
    """The whole console counts here, also what the other tests let pass as harmless."""
    async with new_page(chromium, size, worker=True) as (page, _):
        heard = listen(page)
        await page.goto(hub.api)
        await expect(page.get_by_label("Code")).to_be_visible()
        await page.goto("about:blank")
        await page.goto(await hub.pairing_link())
        await page.wait_for_selector(READY, state="attached")
        await page.wait_for_selector(COMPLETE, state="attached")
        await page.reload()
        await page.wait_for_selector(COMPLETE, state="attached")
    assert heard == []
