"""`python -m tests.surfaces.discord.standin.flood_client MODE PORT GUILD VOTER COUNT`: takes that many reactions.

MODE `alone` is discord.py with nothing around it, `surface` the whole surface with a small hub. It says `ready`, and at
the end how many came a second, how long each took, its processor time, and how much memory the process has.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

import discord

from surfaces.discord.app import spare_the_loaded, stay_connected
from surfaces.discord.session import Session
from surfaces.discord.settings import Config, Policy, RoleRule, VoterRule
from surfaces.discord.surface import Surface
from tests.bench.figures import median, percentile
from tests.surfaces.discord.conftest import ROLE
from tests.surfaces.discord.small_hub import USER, SmallHub, a_card
from tests.surfaces.discord.standin.server import TOKEN, pointed_at


class Stopwatch:
    """Counts what comes, and how long it took."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.took_s: list[float] = []
        self.first_s = self.last_s = self.first_cpu_s = 0.0
        self.over = asyncio.Event()

    def seen(self, event: discord.RawReactionActionEvent) -> None:
        self.last_s = time.monotonic()
        if not self.took_s:
            self.first_s, self.first_cpu_s = self.last_s, time.process_time()
        self.took_s.append(self.last_s - (event.message_author_id or 0) / 1e9)
        if len(self.took_s) == self.count:
            self.over.set()

    def told(self) -> dict[str, float]:
        status = Path("/proc/self/status").read_text()
        rss_kb = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))
        return {
            "rate": self.count / max(self.last_s - self.first_s, 1e-9),
            "p50_ms": median(self.took_s) * 1e3,
            "p99_ms": percentile(self.took_s, 0.99) * 1e3,
            "cpu_us": (time.process_time() - self.first_cpu_s) / self.count * 1e6,
            "rss_mb": rss_kb / 1024,
        }


class Alone(discord.Client):
    """The library with nothing around it."""

    def __init__(self, watch: Stopwatch) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, guild_reactions=True),
            max_messages=None,
            guild_ready_timeout=0.1,
        )
        self._watch = watch

    async def on_ready(self) -> None:
        say("ready")

    async def on_raw_reaction_add(self, event: discord.RawReactionActionEvent) -> None:
        self._watch.seen(event)

    async def on_raw_reaction_remove(self, event: discord.RawReactionActionEvent) -> None:
        self._watch.seen(event)


async def alone(watch: Stopwatch) -> None:
    client = Alone(watch)
    running = asyncio.create_task(client.start(TOKEN))
    await watch.over.wait()
    await client.close()
    await asyncio.gather(running, return_exceptions=True)


async def surface(watch: Stopwatch, guild: str, voter: str) -> None:
    folded = Session._reacted  # noqa: SLF001  the clock stops where a reaction has been taken in

    def timed(self: Session, event: discord.RawReactionActionEvent, *, added: bool) -> None:
        folded(self, event, added=added)
        watch.seen(event)

    spare_the_loaded()
    Session._reacted = timed  # type: ignore[method-assign]  # noqa: SLF001  the time is taken inside the client
    config = Config(
        guild_id=guild,
        owner="u0",
        voters=(VoterRule(name="u0", id=voter),),
        roles=(RoleRule(id=ROLE),),
        policy=Policy(kind="quorum", needed=1_000.0),
    )
    hub = SmallHub()
    made = Surface(config, USER, hub, hub, lambda _text: None)
    hub.take = made.take
    running = asyncio.create_task(stay_connected(made, TOKEN))
    hub.come_up()
    card = hub.show(a_card("c1"))
    while f"card:{card.id}:0" not in made.card_messages.known or made.card_messages.dirty:  # noqa: ASYNC110  messages have no signals
        await asyncio.sleep(0.05)
    say("ready")
    await watch.over.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await made.close()


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def main() -> None:
    mode, port, guild, voter, count = sys.argv[1:]
    watch = Stopwatch(int(count))
    with pointed_at(int(port)):
        await (alone(watch) if mode == "alone" else surface(watch, guild, voter))
    say(json.dumps(watch.told()))


if __name__ == "__main__":
    asyncio.run(main())
