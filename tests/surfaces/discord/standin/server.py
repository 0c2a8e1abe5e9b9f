"""A local Discord: REST and gateway on one loopback port, people who react and press, and all that can go wrong."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.surfaces.discord.standin.gateway import Gateway
from tests.surfaces.discord.standin.rest import Fault, Reply, Rest
from tests.surfaces.discord.standin.world import Json, World

TOKEN = "bm8tcmVhbC1ib3QtYXQtYWxs.Stand1.in-for-discord-in-the-tests-only"
WAIT_S_MAX = 60.0
"""Generous, for the slowest way back is slow by right: discord.py waits 5 s before it identifies anew after an invalid
session, and four failed readings are 0.5, 1, 2 and 4 s apart, up to half as much again by chance."""


class Standin:
    """The server. `until` waits for something to be so, on a signal at every change."""

    def __init__(self) -> None:
        self.world = World()
        self.gateway = Gateway(self.world, TOKEN)
        self.rest = Rest(self.world, self.gateway, TOKEN)
        self._changed = asyncio.Event()
        self.gateway.changed = self.rest.changed = self._changed.set
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def start(self, port: int = 0) -> None:
        app = web.Application()
        app.router.add_get("/gw", self.gateway.serve)
        app.router.add_get("/gw/", self.gateway.serve)
        app.router.add_route("*", "/api/v10/{rest:.*}", self.rest.serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.gateway.url = f"ws://127.0.0.1:{self.port}/gw"

    async def stop(self) -> None:
        await self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()

    async def until(self, is_so: Callable[[], Any], what: str = "") -> None:
        """Wait until something is so; say what is there if it never is."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S_MAX):
                while not is_so():
                    self._changed.clear()
                    with contextlib.suppress(TimeoutError):  # what is waited for may also happen elsewhere
                        async with asyncio.timeout(0.05):
                            await self._changed.wait()
                return
        raise AssertionError(f"it never came about: {what}\n{self.picture()}")

    def fail(self, fits: str, times: int, status: int, code: int = 0, **more: Any) -> None:  # noqa: ANN401  JSON
        """Let the next requests that fit fail."""
        reply: Reply = (status, {"message": "fault", "code": code, **more})
        self.rest.faults.append(Fault(fits, times, reply))

    def lose_answers(self, fits: str, times: int) -> None:
        """Do what the next requests ask for, and never answer them."""
        self.rest.faults.append(Fault(fits, times, None, after=True))

    def bridge(self) -> list[Json]:
        """Return the messages in #bridge, oldest first."""
        return self.of_channel(self.world.bridge)

    def of_channel(self, channel_id: str) -> list[Json]:
        """Return the messages in a channel or thread, oldest first."""
        there = [one for one in self.world.messages.values() if one["channel_id"] == channel_id]
        return sorted(there, key=lambda one: int(one["id"]))

    def cards(self, card_id: str = "") -> list[Json]:
        """Return the messages that show a card, oldest first."""
        return [one for one in self.bridge() if footer(one).startswith(f"pulse why {card_id}")]

    def open_cards(self) -> list[Json]:
        """Return the messages with a card that can be answered."""
        return [one for one in self.cards() if "details" in buttons(one)]

    async def react(self, user: Json, message: Json, emoji: str, *, add: bool = True, burst: bool = False) -> None:
        """React as a person does, from elsewhere: whatever the bot has to do goes on between two votes."""
        await self.rest.react(user["id"], message["id"], emoji, add=add, burst=burst)
        await asyncio.sleep(0)

    async def press(self, user: Json, message: Json, action: str) -> str:
        """Press a button; return the interaction's id."""
        data = {"component_type": 2, "custom_id": buttons(message)[action], "id": 2}
        return await self._interact(user, 3, data, message)

    async def pick(self, user: Json, message: Json, place: int, *values: str) -> str:
        """Pick lines of the menu at a place, from 0."""
        menus = [one for row in message["components"] for one in row.get("components", []) if one["type"] == 3]
        data = {"component_type": 3, "custom_id": menus[place]["custom_id"], "id": 2, "values": list(values)}
        return await self._interact(user, 3, data, message)

    async def fill_in(self, user: Json, message: Json, custom_id: str, **fields: str) -> str:
        """Send a form with several fields."""
        rows = [
            {"type": 1, "id": 1, "components": [{"type": 4, "id": 2, "custom_id": name, "value": text}]}
            for name, text in fields.items()
        ]
        return await self._interact(user, 5, {"custom_id": custom_id, "components": rows}, message)

    async def submit(self, user: Json, message: Json, custom_id: str, text: str) -> str:
        """Send a form."""
        inner = {"type": 4, "id": 2, "custom_id": "text", "value": text}
        data = {"custom_id": custom_id, "components": [{"type": 1, "id": 1, "components": [inner]}]}
        return await self._interact(user, 5, data, message)

    async def command(self, user: Json, name: str, **options: str) -> str:
        """Use `/pulse name`."""
        made = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        inner: Json = {"name": name, "type": 1, "options": made}
        command_id = next((one["id"] for one in self.world.commands), "1")
        data = {"id": command_id, "name": "pulse", "type": 1, "options": [inner], "guild_id": self.world.guild_id}
        return await self._interact(user, 2, data, None)

    async def _interact(self, user: Json, kind: int, data: Json, message: Json | None) -> str:
        interaction_id = self.world.snowflake()
        if message is not None:
            self.rest.pressed[interaction_id] = message["id"]
        payload = {
            "id": interaction_id,
            "application_id": self.world.bot["id"],
            "type": kind,
            "token": f"token{interaction_id}",
            "version": 1,
            "guild_id": self.world.guild_id,
            "channel_id": self.world.bridge,
            "channel": self.world.channels.get(self.world.bridge),
            "member": {**self.world.member(user["id"]), "permissions": str(self.world.permissions)},
            "data": data,
            "locale": "en-US",
            "guild_locale": "en-US",
            "app_permissions": str(self.world.permissions),
            "entitlements": [],
            "authorizing_integration_owners": {},
            "context": 0,
            "attachment_size_limit": 10_485_760,
        }
        if message is not None:
            payload["message"] = self.world.wire(message)
        await self.gateway.dispatch("INTERACTION_CREATE", payload)
        return interaction_id

    async def answered(self, interaction_id: str) -> Json:
        """Wait for the answer to an interaction."""
        await self.until(lambda: interaction_id in self.rest.callbacks, "an answer to an interaction")
        return self.rest.callbacks[interaction_id]

    def picture(self) -> str:
        """Return what is in the channel, for a failing test's message."""
        rows = [
            f"{one['id']} {one['embeds'][0].get('title') if one['embeds'] else ''} | {footer(one)}"
            for one in self.bridge()
        ]
        return "\n".join([*rows, f"gateway: {self.gateway.log}", f"complaints: {self.rest.complaints}"])


def footer(message: Json) -> str:
    embeds = message["embeds"]
    return str(((embeds[0].get("footer") or {}).get("text") or "") if embeds else "")


def title(message: Json) -> str:
    return str(message["embeds"][0].get("title", ""))


def field(message: Json, name: str) -> str:
    """Return the value of the first field whose name contains `name`."""
    found = (one["value"] for one in message["embeds"][0].get("fields", []) if name in one["name"])
    return str(next(found, ""))


def buttons(message: Json) -> dict[str, str]:
    """Return the ids of a message's buttons by what they do."""
    inner = [one for row in message["components"] for one in row.get("components", [])]
    return {one["custom_id"].split(":")[1]: one["custom_id"] for one in inner}


@contextlib.contextmanager
def pointed_at(port: int) -> Iterator[None]:
    """Point discord.py at the stand-in for as long as the block lasts."""
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{port}/gw")
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let discord.py log nothing for as long as the block lasts; other logging is none of our business."""
    log = logging.getLogger("discord")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


@contextlib.asynccontextmanager
async def standing_in() -> AsyncIterator[Standin]:
    """Run a stand-in, with discord.py pointed at it."""
    standin = Standin()
    await standin.start()
    try:
        with pointed_at(standin.port), quiet():
            yield standin
    finally:
        await standin.stop()
