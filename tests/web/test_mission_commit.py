"""A card that commits: each file with what becomes of it, its changes folded, its pictures, and a message to change."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.web.fake_cards import RUNS, problem
from tests.web.fake_hub import FakeHub
from tests.web.pages import front, open_page, until

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
DIFF = "diff --git a/news.md b/news.md\n--- a/news.md\n+++ b/news.md\n@@ -1,2 +1,2 @@\n Hello\n-old\n+new\n"
COMMIT: dict[str, Any] = {
    "message": "Update news.md and remove hero.png",
    "files": [
        {"path": "hero.png", "became": "deleted", "was": "", "added": None, "removed": None, "size": None,
         "sizeBefore": 631_000},
        {"path": "news.md", "became": "changed", "was": "", "added": 1, "removed": 1, "size": 10, "sizeBefore": 10},
    ],
    "diff": DIFF,
    "diffCut": False,
}  # fmt: skip


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with FakeHub() as made:
        made.changes = {
            "diff": DIFF,
            "diffCut": False,
            "isCurrent": True,
            "pictures": [{"path": "hero.png", "isBefore": True, "media": "image/png", "data": PIXEL}],
        }
        base64.b64decode(PIXEL, validate=True)
        runs = {**RUNS, "summary": "git commit … in site: deletes hero.png (631 kB)", "commit": COMMIT}
        made.add(prompt="Commit 2 files of site (1 deleted)", runs=runs, editable=True, editText=COMMIT["message"])
        yield made


@pytest.mark.parametrize("size", ["phone", "desktop"])
async def test_a_card_shows_what_would_be_committed(chromium: Browser, fake: FakeHub, size: str) -> None:
    async with open_page(chromium, fake, size) as page:
        card = front(page)
        await expect(card.locator(".files li")).to_have_count(2)
        await expect(card.locator(".files li").first).to_contain_text("deletedhero.png631 kBbinary")
        await expect(card.locator(".shots img")).to_have_count(1)
        news = card.locator(".files details")
        await expect(news.locator("pre")).to_be_hidden()
        await news.locator("summary").click()
        await expect(news.locator("pre .added")).to_have_text("+ new\n")
        await expect(card).to_contain_text("Message: Update news.md and remove hero.png")


async def test_pictures_that_could_not_be_read_are_said(chromium: Browser, fake: FakeHub) -> None:
    fake.refuse_reading = (503, problem(503, "busy", "Pulse is busy."))
    async with open_page(chromium, fake) as page:
        await expect(front(page)).to_contain_text("This is only part of it. Pulse is busy.")
        await expect(front(page).locator(".files li")).to_have_count(2)


async def test_its_message_can_be_changed(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake) as page:
        await page.keyboard.press("e")
        details = page.get_by_role("dialog")
        field = details.get_by_label("Commit with this message instead")
        await expect(field).to_have_value(COMMIT["message"])
        await expect(details.locator(".files li")).to_have_count(2)
        await field.fill("Take the hero out")
        await details.get_by_role("button", name="Commit with this message").click()
        await until(fake, lambda: bool(fake.asked("POST", "/edit")))
        assert fake.asked("POST", "/edit")[0]["prompt"] == "Take the hero out"


async def test_a_german_page_says_it_in_german(chromium: Browser, fake: FakeHub) -> None:
    async with open_page(chromium, fake, locale="de-DE") as page:
        await expect(front(page).locator(".files li").first).to_contain_text("gelöschthero.png631 kBbinär")
