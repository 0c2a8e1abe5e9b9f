"""Settings, Coding agents: who is connected and can be disconnected, who was found, and who else Pulse knows."""

import pytest
from playwright.async_api import Browser, expect

from tests.web.fake_cards import ago
from tests.web.test_mission_permissions import asking
from tests.web.views_pages import opened

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]

PLACE = "#/settings/agents"


async def test_a_connected_agent_says_since_when_and_what_it_asked_today(chromium: Browser) -> None:
    async with opened(chromium, "#/settings") as (page, hub):
        for minutes in (1, 2):
            asking(hub, agent="claude-code").update(targetAgent="claude-code", createdAt=ago(minutes=minutes))
        await page.evaluate("hash => (location.hash = hash)", PLACE)
        await page.reload()
        row = page.locator(".here-row", has_text="Claude Code")
        await expect(row).to_contain_text("Connected since 2 March 2026 · 2 requests today · waiting for you")


async def test_disconnecting_shows_what_is_taken_back_and_sees_it_done(chromium: Browser) -> None:
    async with opened(chromium, PLACE, size="phone") as (page, hub):
        await page.get_by_role("button", name="Disconnect: Claude Code").click()
        dialog = page.get_by_role("dialog", name="Disconnect Claude Code")
        await expect(dialog.locator(".command-line code")).to_have_text("pulse connect claude-code --remove")
        await expect(dialog.locator(".removed").first).to_have_text('-   "hooks": {')
        hub.coding_agents[0].update(state="not-connected")
        await expect(dialog.get_by_role("status")).to_contain_text("Claude Code is no longer connected.")
        assert [one for one in hub.requests if one[0] != "GET" and "coding" in one[1]] == []
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("button", name="Connect: Claude Code")).to_be_visible()


async def test_those_who_come_to_the_agents_see_what_was_installed_meanwhile(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        hub.coding_agents[0].update(title="Just Installed", state="not-connected")
        await page.evaluate("hash => (location.hash = hash)", PLACE)
        await expect(page.get_by_role("button", name="Connect: Just Installed")).to_be_visible(timeout=5_000)


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
async def test_agents_that_were_not_found_are_folded_with_the_command_that_works_all_the_same(
    chromium: Browser, language: str
) -> None:
    async with opened(chromium, PLACE, size="phone", language=language) as (page, _hub):
        folded = page.locator(".agents-missing")
        await expect(folded.locator(".command-line").first).to_be_hidden()
        await folded.locator("summary").click()
        row = folded.locator(".here-row", has_text="Cursor")
        await expect(row.locator(".command-line code")).to_have_text("pulse connect cursor")
        await expect(row.locator(".facts code")).to_have_text("cursor")
        await expect(row.get_by_role("link")).to_have_attribute("href", "https://cursor.com/download")
        assert await page.evaluate("document.documentElement.scrollWidth <= screen.width")


async def test_where_no_agent_was_found_the_commands_are_in_sight(chromium: Browser) -> None:
    async with opened(chromium, "#/") as (page, hub):
        hub.coding_agents = []
        await page.evaluate("hash => (location.hash = hash)", PLACE)
        missing = page.locator(".agents-missing")
        await expect(missing.locator("summary")).to_have_text("2 agents that Pulse knows")
        await expect(missing.locator(".command-line").first).to_be_visible()
        await expect(missing).not_to_contain_text("was not found")
        codex = missing.locator(".here-row", has_text="Codex")
        assert await codex.locator("code").all_inner_texts() == ["npm install -g @openai/codex", "pulse connect codex"]
