"""A real Firefox that a real hub notifies: signed in, subscribed by its own switch, and then with no page open."""

import contextlib
import html
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.web.firefox import Firefox, running_firefox
from tests.web.live_hub import LiveHub, live_hub
from tests.web.notification_daemon import NotificationDaemon, Shown, running_notification_daemon
from tests.web.push_service import PushService, running_push_service
from tests.web.signing_in import READY

FIND_SWITCH = """[...document.querySelectorAll("[role=switch][aria-labelledby]")].find(
  (one) => document.getElementById(one.getAttribute("aria-labelledby"))?.textContent.trim() === "Notifications")"""
DRAWN = "!document.querySelector('#view [aria-busy=true]')"
"""Until then what comes above the switch moves it, and a click may meet something else."""
READY_SWITCH = f"{DRAWN} && Object.assign({FIND_SWITCH}, {{ id: 'notify' }}).ariaDisabled !== 'true'"
SWITCHED_ON = f"{FIND_SWITCH}.ariaChecked === 'true'"
SUBSCRIBED = "navigator.serviceWorker.ready.then((one) => one.pushManager.getSubscription()).then(Boolean)"
FIRST_PUSH_S_MAX = 90
"""The process that sends is started with the first subscription; what was due before that is sent at the next round."""


@dataclass(frozen=True)
class Desk:
    """Everything of one person's machine."""

    hub: LiveHub
    firefox: Firefox
    desktop: NotificationDaemon
    service: PushService

    async def notified(self, card: dict[str, Any], *, after: int = 0) -> Shown:
        """Wait for the notification that shows a card's text (which Firefox escapes, since desktops know markup)."""
        text = card["prompt"]
        return await self.desktop.shown.first(lambda one: text in html.unescape(one.title + one.body), after=after)

    @property
    def count(self) -> int:
        """How many notifications were shown so far."""
        return len(self.desktop.shown.entries)


async def subscribe(firefox: Firefox, hub: LiveHub) -> None:
    """Sign in and switch notifications on, as a person does; then leave the page."""
    await firefox.open(await hub.pairing_link())
    await firefox.until(f"document.querySelector('{READY}')")
    await firefox.script("(location.hash = '#/settings/devices')")
    await firefox.until(READY_SWITCH)
    await firefox.click("#notify")
    await firefox.until(SWITCHED_ON)
    assert await firefox.script(SUBSCRIBED)
    await firefox.open("about:blank")


async def first_push(hub: LiveHub, desktop: NotificationDaemon) -> None:
    """Wait until the process that sends is there: the first card has come through, and is put away again."""
    card = await hub.ask("Is anybody there?")
    await desktop.shown.next(after=0, wait_s_max=FIRST_PUSH_S_MAX)
    await hub.call("POST", f"/api/v1/predictions/{card['id']}/reject", {})
    await desktop.shown.next(after=1)


@contextlib.asynccontextmanager
async def desk(*, has_buttons: bool = True) -> AsyncIterator[Desk]:
    """Put everything up for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="pulse-") as name:
        folder = Path(name)
        async with running_push_service() as service, running_notification_daemon(folder) as desktop:
            settings = f'[web]\npush_hosts = ["{service.origin}"]\n'
            with live_hub(folder / "hub", settings) as hub:
                profile = folder / "profile"
                async with running_firefox(
                    profile, push_service=service.origin, bus=desktop.address, has_buttons=has_buttons
                ) as firefox:
                    await subscribe(firefox, hub)
                    await first_push(hub, desktop)
                    yield Desk(hub=hub, firefox=firefox, desktop=desktop, service=service)
