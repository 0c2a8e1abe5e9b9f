"""Web Push end to end in a real Chromium with no page open: answered, and tried again after a run that failed."""

import asyncio
import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, async_playwright, expect

from tests.web.chromium import SWITCHES
from tests.web.gcm_service import GcmService, running_gcm
from tests.web.live_hub import LiveHub, live_hub
from tests.web.notification_daemon import NotificationDaemon, Shown, running_notification_daemon
from tests.web.pushed_firefox import first_push
from tests.web.signing_in import open_view, sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_dbus,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
]
WAIT_S_MAX = 40
LOOK_S = 0.1
SETTINGS = """
[web]
push_hosts = ["{gcm}"]
[agents.clumsy]
kind = "command"
argv = ["sh", "-c", "echo The disk is full; exit 3"]
[channels.workshop]
specialty = "Things that break"
agent = "clumsy"
affinities = ["break"]
"""


@dataclass(frozen=True)
class Desk:
    """Everything of one person's machine."""

    hub: LiveHub
    page: Page
    desktop: NotificationDaemon
    gcm: GcmService

    async def until(self, card: dict[str, Any], *statuses: str, attempts: int = 0) -> dict[str, Any]:
        """Wait until the hub has the card so."""
        async with asyncio.timeout(WAIT_S_MAX):
            while True:
                now = await self.hub.card(card["id"])
                if now["status"] in statuses and now["attempts"] >= attempts:
                    return now
                await asyncio.sleep(LOOK_S)

    async def shown(self, text: str, *, after: int = 0) -> Shown:
        """Wait for a notification that says this."""
        return await self.desktop.shown.first(lambda one: text in one.title + one.body, after=after)


@contextlib.asynccontextmanager
async def chromium_at(folder: Path, gcm: GcmService, desktop: NotificationDaemon, hub: LiveHub) -> AsyncIterator[Page]:
    """Run a Chromium that uses this push service and this desktop, and that may notify for this hub."""

    async def to_loopback(route: Route) -> None:
        """Chromium names its maker's push service in the address; what we run stands in for it."""
        body: Any = route.request.post_data_json
        body["address"]["endpoint"] = gcm.http_origin + urlsplit(body["address"]["endpoint"]).path
        await route.continue_(post_data=json.dumps(body))

    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=shutil.which("chromium"),
            headless=True,
            args=[*SWITCHES, *gcm.switches()],
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": desktop.address},
            locale="en-GB",
        )
        try:
            await context.grant_permissions(["notifications"], origin=hub.api)
            await context.route("**/devices/browser/*/address", to_loopback)
            yield context.pages[0]
        finally:
            await context.close()


async def subscribe(page: Page, hub: LiveHub) -> None:
    """Sign in and switch notifications on, as a person does; then leave the page."""
    await sign_in(page, hub)
    await open_view(page, "devices")
    switch = page.get_by_role("switch", name="Notifications")
    await expect(switch).to_have_attribute("aria-disabled", "false")
    await switch.click()
    await expect(switch).to_have_attribute("aria-checked", "true")
    await page.goto("about:blank")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def at() -> AsyncIterator[Desk]:
    with tempfile.TemporaryDirectory(prefix="pulse-") as name:
        folder = Path(name)
        async with running_gcm(folder) as gcm, running_notification_daemon(folder) as desktop:
            with live_hub(folder / "hub", SETTINGS.format(gcm=gcm.http_origin)) as hub:
                async with chromium_at(folder, gcm, desktop, hub) as page:
                    await subscribe(page, hub)
                    await first_push(hub, desktop)
                    yield Desk(hub=hub, page=page, desktop=desktop, gcm=gcm)


async def test_a_card_is_shown_and_answered_without_a_page(at: Desk) -> None:
    card = await at.hub.ask("Send the newsletter?")
    shown = await at.shown("Send the newsletter?")
    assert [label for label in shown.actions if label in {"Approve", "Dismiss"}] == ["Approve", "Dismiss"]
    at.desktop.click(shown, "Dismiss")
    done = await at.until(card, "rejected")
    assert (done["settled"]["surface"], done["settled"]["humanInput"]) == ("browser", "tap")
    assert at.page.url == "about:blank"
    assert all(length <= 4_096 for length in at.gcm.sent.entries)


def asking(question: str, *labels: str) -> dict[str, Any]:
    """What an agent asks."""
    asked = {"id": "q1", "text": question, "choices": [{"label": one} for one in labels]}
    return {"agent": "claude-code", "tool": "AskUserQuestion", "act": "question", "questions": [asked]}


async def test_a_question_is_answered_by_the_choice_on_its_button(at: Desk) -> None:
    answer = await at.hub.call("POST", "/api/v1/permissions", asking("Which colour?", "Red", "Blue"))
    shown = await at.shown("Which colour?")
    assert [label for label in shown.actions if label in {"Red", "Blue", "Approve", "Dismiss"}] == ["Red", "Blue"]
    at.desktop.click(shown, "Blue")
    done = await at.until(answer["prediction"], "confirmed")
    assert (done["settled"]["surface"], done["settled"]["permission"]["answers"]) == ("browser", {"q1": ["Blue"]})
    assert at.page.url == "about:blank"


async def test_a_question_with_more_choices_leads_to_the_page(at: Desk) -> None:
    answer = await at.hub.call("POST", "/api/v1/permissions", asking("Which fruit?", "Apple", "Pear", "Plum"))
    shown = await at.shown("Which fruit?")
    assert [label for label in shown.actions if label in {"Answer", "Approve", "Dismiss"}] == ["Answer", "Dismiss"]
    at.desktop.click(shown, "Dismiss")
    await at.until(answer["prediction"], "rejected")


async def test_what_failed_is_tried_again_from_its_notification(at: Desk) -> None:
    card = await at.hub.suggest("Break the build in the workshop")
    assert card["targetChannel"] == "workshop"
    at.desktop.click(await at.shown(card["prompt"]), "Approve")
    await at.until(card, "failed", attempts=1)
    failed = await at.shown("Failed: repository")
    assert card["prompt"] in failed.body
    at.desktop.click(failed, "Try again")
    again = await at.until(card, "failed", attempts=2)
    assert (again["settled"]["surface"], again["settled"]["verb"]) == ("browser", "retry")
