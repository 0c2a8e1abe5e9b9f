"""A stage: the stand-in for Discord, a small hub, and the surface between them, all in one loop."""

import asyncio
import contextlib
import warnings
from collections.abc import AsyncIterator

import pytest

with warnings.catch_warnings():  # discord.py imports audioop for voice; on Python 3.13 it brings its own
    warnings.filterwarnings("ignore", "'audioop' is deprecated", DeprecationWarning)
    import discord  # noqa: F401  imported here for its warning alone

from hub.kit.trouble import ServiceTrouble
from surfaces.discord.app import stay_connected
from surfaces.discord.settings import Config, Policy, RoleRule, VoterRule
from surfaces.discord.surface import Surface
from tests.surfaces.discord.small_hub import USER, SmallHub
from tests.surfaces.discord.standin.server import TOKEN, WAIT_S_MAX, Standin, standing_in
from tests.surfaces.discord.standin.world import Json

ROLE = "900000000000000001"


class Stage:
    """Everybody on it. `ann` owns, `bob` and `cid` vote, `dee` votes by her role, `eve` is a stranger."""

    def __init__(self, discord: Standin, hub: SmallHub) -> None:
        self.discord = discord
        self.hub = hub
        world = discord.world
        self.ann, self.bob, self.cid = (world.user(name) for name in ("ann", "bob", "cid"))
        self.dee, self.eve = world.user("dee", roles=(ROLE,)), world.user("eve")
        self.policy = Policy(kind="quorum", needed=2.0, grace_s=0.0)
        self.more: Json = {}
        self.said: list[str] = []
        self.troubles: list[str] = []
        """What health was told, in turn; empty where it was over."""
        self.fixes: list[str] = []
        self.surface: Surface | None = None
        self._running: asyncio.Task[None] | None = None

    def config(self) -> Config:
        people = (("ann", self.ann), ("bob", self.bob), ("cid", self.cid))
        return Config(
            guild_id=self.discord.world.guild_id,
            owner="ann",
            voters=tuple(VoterRule(name=name, id=user["id"]) for name, user in people),
            roles=(RoleRule(id=ROLE, weight=1.0),),
            policy=self.policy,
            **{"edit_interval_s": 0.05, **self.more},
        )

    async def start(self) -> None:
        """Start the surface, and wait until it is connected and has caught up."""
        self.surface = Surface(self.config(), USER, self.hub, self.hub, self.said.append)
        self.surface.trouble = ServiceTrouble("", self._hear_trouble, self._hear_trouble)
        self.hub.take = self.surface.take
        self.hub.changed = self.discord.rest.changed
        self._running = asyncio.create_task(stay_connected(self.surface, TOKEN))
        self.hub.come_up()
        await self.caught_up()

    def _hear_trouble(self, why: str, fix: str = "") -> None:
        self.troubles.append(why)
        self.fixes.append(fix)

    async def caught_up(self) -> None:
        await self.discord.until(lambda: self.surface is not None and self.surface.ballots.listening, "listening")

    async def stop(self) -> None:
        """End it without a word, as a kill would."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        if self.surface is not None:
            await self.surface.close()
            if self.surface.broken.done():
                self.surface.broken.result()
        self._running = self.surface = None
        self.hub.take = lambda _item: None

    async def restart(self) -> None:
        await self.stop()
        self.hub.forget_what_was_seen()
        await self.start()

    async def shown(self, card_id: str) -> Json:
        """Wait until a card is in the channel with all its reactions, and return its message."""
        await self.discord.until(lambda: self._is_shown(card_id), f"{card_id} in the channel")
        return self.discord.cards(card_id)[-1]

    def _is_shown(self, card_id: str) -> bool:
        there = self.discord.cards(card_id)
        own = self.discord.world.bot["id"]
        return bool(there) and own in self.discord.world.who_reacted(there[-1]["id"], "👀")

    async def ended(self) -> BaseException | None:
        """Wait until the surface gives up, and return why."""
        assert self._running is not None
        await asyncio.wait({self._running}, timeout=WAIT_S_MAX)
        return self._running.exception()


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with standing_in() as discord:
        made = Stage(discord, SmallHub())
        try:
            yield made
        finally:
            with contextlib.suppress(asyncio.CancelledError):
                await made.stop()
        assert discord.rest.complaints == []
