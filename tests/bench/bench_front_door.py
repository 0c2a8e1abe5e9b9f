"""An agent's dangerous call on its way to a person and back, by the program that its hooks start and a hub that runs.

A call until its card is painted in an open page, a yes there until the agent goes on, a thousand races of an answer
here and one in the agent's own dialog, an agent that is killed, and what the hub grows by with every agent connected.
The agent is played by what it does: it starts the hook's program, reads what that prints, ends it when its own dialog
was answered, and says so afterwards. Run with `python -m tests.bench.bench_front_door`; about three minutes.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

import psutil
from playwright.async_api import Browser, Page

from hub.cli import connecting
from hub.io.agents.hooks.connections import CONNECTIONS
from tests.bench.agent_at_the_door import SHELL, Agent, Door, opened_door
from tests.bench.figures import Figure, percentile
from tests.web.chromium import new_page, running_chromium
from tests.web.live_hub import live_hub
from tests.web.signing_in import sign_in

BENCH: Final = "front_door"
UNLIMITED: Final = (sys.executable, "-m", "tests.bench.hub_without_limits")
"""Agents may ask 60 times a minute; here one is measured that asks more often."""
WARM: Final = 5
CALLS: Final = 100
RACES: Final = 1_000
KILLS: Final = 30
APART_MS_MAX: Final = 30.0
"""How far the two answers of a race are apart at most; each comes first half of the time."""
PAINT_MS_MAX: Final = 150.0
GOES_ON_MS_MAX: Final = 150.0
WITHDRAWN_S_MAX: Final = 2.0
GROWS_MB_MAX: Final = 6.0
SETTLE_S: Final = 5.0
WHOLE: Final = """(id) => new Promise((done) => {
  const seen = `.card[data-depth="0"][data-id="${id}"] [data-verb="approve"]:not(:disabled)`;
  const look = () => requestAnimationFrame(document.querySelector(seen) ? painted : look);
  const painted = () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.timeOrigin + performance.now());
    port2.postMessage(null);
  };
  look();
})"""
"""The moment after a frame in which the card lay in front with all that is asked; a frame late at most; since 1970."""
PRESS: Final = """(id) => {
  const pressed = performance.timeOrigin + performance.now();
  document.querySelector(`[data-id="${id}"] [data-verb="approve"]`).click();
  return pressed;
}"""


def figure(what: str, value: float, unit: str, goal: float | None = None) -> Figure:
    return Figure(bench=BENCH, what=what, value=value, unit=unit, goal=goal)


async def calls(browser: Browser, door: Door) -> list[Figure]:
    """Let an agent want to delete something, see the card, say yes there, and wait until the agent may go on."""
    painted: list[float] = []
    went_on: list[float] = []
    bare: list[float] = []
    async with new_page(browser, worker=True, reduced_motion="no-preference") as (page, _):
        await sign_in(page, door.hub)
        await door.put_away_the_rest()
        for number in range(WARM + CALLS):
            pair = await one_call(page, Agent(door, f"rm -rf build{number}"))
            if number >= WARM:
                painted.append(pair[0])
                went_on.append(pair[1])
                bare.append(await two_bare_starts())
    return [
        *both("a dangerous call → its card is painted in an open page", painted, PAINT_MS_MAX, bare),
        *both("Approve is pressed there → the agent goes on", went_on, GOES_ON_MS_MAX),
    ]


def both(what: str, samples: list[float], goal_ms: float, reference: Sequence[float] = ()) -> list[Figure]:
    """Return the middle and the worst but one in a hundred, and those of the reference if there is one."""
    return [
        Figure(
            bench=BENCH,
            what=f"{what}, {name}",
            value=percentile(samples, share),
            unit="ms",
            goal=goal,
            reference="Python started twice with nothing to do, as the hooks are" if reference else "",
            reference_value=percentile(reference, share) if reference else None,
        )
        for name, share, goal in (("p50", 0.5, None), ("p99", 0.99, goal_ms))
    ]


async def two_bare_starts() -> float:
    """Return how long the two programs of a call would take if they did nothing, ms."""
    began = time.perf_counter()
    for _ in range(2):
        await (await asyncio.create_subprocess_exec(sys.executable, "-IS", "-c", "pass")).wait()
    return (time.perf_counter() - began) * 1e3


async def one_call(page: Page, agent: Agent) -> tuple[float, float]:
    """Return call → painted and yes → gone on, ms, both with the start and the end of the hook's program."""
    began_ms = time.time() * 1e3
    await agent.says_what_it_will_do()
    await agent.asks()
    painted_ms = await page.evaluate(WHOLE, await agent.card()) - began_ms
    pressed_ms = await page.evaluate(PRESS, await agent.card())
    said = await agent.told()
    went_on_ms = time.time() * 1e3 - pressed_ms
    assert said == "allow", said
    return painted_ms, went_on_ms


async def races(door: Door, count: int = RACES) -> list[Figure]:
    """Answer here and in the agent's dialog at nearly the same time, yes or no each; count what must not be."""
    random, ended = Random(1), Counter[str]()  # noqa: S311  not for secrets, and the same at every run
    for number in range(count):
        here, there = random.choice(("confirm", "reject")), random.choice(("allowed", "refused"))
        apart_s = random.uniform(-APART_MS_MAX, APART_MS_MAX) / 1e3
        ended += await one_race(Agent(door, f"rm -rf race{number}"), here, there, apart_s)
    what = f"{count:,} races of an answer here and one in the agent's own dialog"
    return [
        figure(f"{what}: won here", ended["here"], "races"),
        figure(f"{what}: won there", ended["there"], "races"),
        figure(f"{what}: without one winner", count - ended["here"] - ended["there"], "races", 0),
        figure(f"{what}: told to run after a no", ended["ran after a no"], "races", 0),
        figure(f"{what}: a side that was not told who won", ended["untold"], "races", 0),
    ]


async def one_race(agent: Agent, here: str, there: str, apart_s: float) -> Counter[str]:
    """Return who won and what went wrong."""
    await agent.asks()
    card_id = await agent.card()
    reply, _ = await asyncio.gather(
        agent.door.answer(card_id, here, max(apart_s, 0)), agent.answered_there(there, max(-apart_s, 0))
    )
    said, card = await agent.told(), await agent.settled()
    by_here = card["status"] == {"confirm": "confirmed", "reject": "rejected"}[here]
    by_there = card["status"] == "cancelled"
    right = {"confirm": "allow", "reject": "deny"}[here]
    return Counter(
        {
            "here": by_here and reply.is_success,
            "there": by_there and reply.status_code == 409,
            "ran after a no": said == "allow" and card["status"] != "confirmed",
            "untold": said not in ({right, ""} if by_here else {""}) or (by_there and not card["outcome"]),
        }
    )


async def kills(door: Door, count: int = KILLS) -> list[Figure]:
    """Kill the agent alone; the program that it started looks by itself whether it is still needed."""
    took = []
    for number in range(count):
        agent = Agent(door, f"rm -rf kill{number}")
        await agent.asks(under=SHELL)
        await agent.card()
        agent.kill()
        began = time.perf_counter()
        card = await agent.settled()
        took.append(time.perf_counter() - began)
        assert card["status"] == "cancelled", card
        await agent.told()
    return [figure(f"an agent is killed → its card is withdrawn, worst of {count}", max(took), "s", WITHDRAWN_S_MAX)]


async def memory(door: Door) -> list[Figure]:
    """Connect every agent there is, and let each say something harmless and ask; the hub before it is the reference."""
    process = psutil.Process(door.process)
    await asyncio.sleep(SETTLE_S)
    before = process.memory_info().rss
    for which in CONNECTIONS.values():
        connecting.keep_program(door.hub.home, which)
        agent = Agent(door, agent=which.agent, ask=which.sample_ask)
        await agent.says(which.sample_harmless)
        await agent.asks()
        await door.answer(await agent.card(), "reject", 0)
        await agent.printed()
    await asyncio.sleep(SETTLE_S)
    grown = (process.memory_info().rss - before) / 2**20
    names = ", ".join(one.title for one in CONNECTIONS.values())
    return [
        figure("the hub alone", before / 2**20, "MB"),
        figure(f"what it grows by when each of these has asked: {names}", grown, "MB", GROWS_MB_MAX),
    ]


async def measure() -> list[Figure]:
    with (
        tempfile.TemporaryDirectory(prefix="pulse-") as folder,
        live_hub(Path(folder) / "hub", starts=UNLIMITED) as hub,
    ):
        async with opened_door(hub) as door:
            figures = await memory(door)
            async with running_chromium() as browser:
                figures += await calls(browser, door)
            return [*figures, *await races(door), *await kills(door)]


def run() -> list[Figure]:
    """Measure."""
    return asyncio.run(measure())


if __name__ == "__main__":
    for one in run():
        sys.stdout.write(f"{one.what}: {one.value:.3f} {one.unit}\n")
