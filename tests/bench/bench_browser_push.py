"""Web Push in a real Firefox with no page open: card emitted → shown, button pressed → decision committed.

The reference is the least that Web Push needs (tests/web/bare_site.py), to the same Firefox in the same run, in turns
with our own. Run with `python -m tests.bench.bench_browser_push`; about two minutes.
"""

import asyncio
import json
import sys
import time
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect

from tests.bench.figures import Figure, percentile
from tests.web.bare_site import BareSite, Sender, running_bare_site
from tests.web.pushed_firefox import Desk, desk

BENCH: Final = "browser_push"
CARDS: Final = 100
WARM: Final = 10
SHOWN_MS_MAX: Final = {"p50": 25.0, "p99": 150.0}
COMMITTED_MS_MAX: Final = {"p99": 50.0}
SHARES: Final = {"p50": 0.5, "p99": 0.99}
REFERENCE: Final = "a bare push, and a bare POST from its worker"


class Bare:
    """The reference: a page that is subscribed, and whose worker says what was clicked."""

    def __init__(self, site: BareSite) -> None:
        self._site = site
        self._sender = Sender()
        self._subscription: dict[str, Any] = {}

    async def subscribe(self, at: Desk) -> None:
        await at.firefox.open(self._site.address)
        self._subscription = await at.firefox.script(f"subscribe({json.dumps(self._sender.key)})")
        await at.firefox.open("about:blank")

    async def once(self, at: Desk, number: int) -> tuple[float, float]:
        """Return push → shown and click → heard, ms."""
        text, before = f"Bare {number}", at.count
        began = time.perf_counter()
        await self._sender.send(self._subscription, text)
        shown = await at.desktop.shown.first(lambda one: one.title == text, after=before)
        clicked = time.perf_counter()
        at.desktop.click(shown, "Yes")
        await self._site.clicked.get()
        return (shown.at - began) * 1e3, (time.perf_counter() - clicked) * 1e3


async def once(at: Desk, feed: ClientConnection, number: int) -> tuple[float, float]:
    """Return an agent's question → shown, and button pressed → decision committed, ms."""
    before, began = at.count, time.perf_counter()
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(at.hub.ask(f"Measured {number}?"))
        shown = await at.desktop.shown.first(lambda one: f"Measured {number}?" in one.body, after=before)
    clicked = time.perf_counter()
    at.desktop.click(shown, "Approve")
    await settled(feed, asking.result()["id"])
    return (shown.at - began) * 1e3, (time.perf_counter() - clicked) * 1e3


async def settled(feed: ClientConnection, card_id: str) -> None:
    """Wait until the hub says so; it says nothing before it is committed."""
    async for text in feed:
        said = json.loads(text)
        if said["type"] == "prediction.settled" and said["prediction"]["id"] == card_id:
            return


async def measure() -> list[Figure]:
    async with desk() as at, running_bare_site() as site:
        bare = Bare(site)
        await bare.subscribe(at)
        headers = {"Authorization": f"Bearer {at.hub.token}"}
        async with connect(
            at.hub.api.replace("http:", "ws:") + "/pulse", additional_headers=headers, proxy=None
        ) as feed:
            await feed.send(json.dumps({"type": "subscribe", "channels": ["crosspoll"]}))
            samples = [(await once(at, feed, number), await bare.once(at, number)) for number in range(WARM + CARDS)]
    ours, reference = zip(*samples[WARM:], strict=True)
    return figures(ours, reference)


def figures(ours: tuple[tuple[float, float], ...], reference: tuple[tuple[float, float], ...]) -> list[Figure]:
    found = []
    for place, (what, goals) in enumerate(
        (
            ("an agent asks → Firefox shows the notification", SHOWN_MS_MAX),
            ("its button is pressed → the decision is committed", COMMITTED_MS_MAX),
        )
    ):
        mine, bare = [one[place] for one in ours], [one[place] for one in reference]
        for name, share in SHARES.items():
            value, beside = percentile(mine, share), percentile(bare, share)
            found.append(
                Figure(
                    bench=BENCH,
                    what=f"{what}, {name}",
                    value=value,
                    unit="ms",
                    goal=goals.get(name),
                    reference=REFERENCE,
                    reference_value=beside,
                )
            )
    return found


def run() -> list[Figure]:
    """Measure."""
    return asyncio.run(measure())


if __name__ == "__main__":
    for one in run():
        sys.stdout.write(f"{one.what}: {one.value:.1f} {one.unit} (reference {one.reference_value:.1f})\n")
