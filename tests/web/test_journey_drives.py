"""What presses, on a real hub: the page shows what it says, and a weight changed there holds in it."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.web.live_hub import LiveHub
from tests.web.signing_in import open_view, sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
]
WEIGHT_MAX = 3


async def weight(hub: LiveHub, name: str) -> float:
    """Return how much a drive counts, as the hub has it."""
    drives: list[dict[str, Any]] = (await hub.call("GET", "/api/v1/drives"))["drives"]
    return next(float(one["weight"]) for one in drives if one["name"] == name)


async def test_a_weight_changed_on_the_page_holds_and_is_taken_back(desktop: Page, shared_hub: LiveHub) -> None:
    before = await weight(shared_hub, "curiosity")
    await sign_in(desktop, shared_hub)
    await open_view(desktop, "drives")
    slider = desktop.get_by_role("slider", name="Weight: Curiosity")
    await expect(slider).to_have_value(str(before))
    await slider.focus()
    await desktop.keyboard.press("End")
    undo = desktop.get_by_role("button", name="Undo")
    await expect(undo).to_be_visible()
    assert await weight(shared_hub, "curiosity") == WEIGHT_MAX
    await undo.click()
    await expect(desktop.get_by_text(f"Back to {before}.")).to_be_visible()
    assert await weight(shared_hub, "curiosity") == before


async def test_the_page_says_why_the_hub_does_not_wake(desktop: Page, shared_hub: LiveHub) -> None:
    await sign_in(desktop, shared_hub)
    await open_view(desktop, "drives")
    said = desktop.get_by_role("region", name="Will Pulse wake?")
    says: str = (await shared_hub.call("GET", "/api/v1/drives"))["verdict"]["says"]
    await expect(said).to_contain_text(says.partition(";")[0])  # a time after that is written by the page's clock
