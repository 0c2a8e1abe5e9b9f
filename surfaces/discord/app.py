"""The outermost part: pair with the hub, stay connected to both sides, and leave in order when told to."""

import asyncio
import gc
import sys
from functools import partial

from hub.contract import topics
from hub.contract.topics import DeviceAddress
from hub.kit.backoff import RetryPolicy
from hub.kit.hub_api import HubAddress, pair
from hub.kit.mqtt.device import DeviceLink
from hub.kit.process import until_told
from surfaces.discord.errors import DiscordTokenError
from surfaces.discord.faults import again_after_s, refuses_token
from surfaces.discord.hub_client import HubClient
from surfaces.discord.identify_budget import IdentifyBudget
from surfaces.discord.session import Session
from surfaces.discord.settings import Config
from surfaces.discord.surface import Surface

SURFACE = "discord"
PAUSES = RetryPolicy(base_s=1.0, cap_s=15.0, spread=0.5)
"""No wait after an outage is longer, unless `IdentifyBudget` demands it."""
STEADY_S = 60.0
"""A connection that lasted this long was a good one; the pauses start over."""
HOW_TO_GO_ON = "Make a new token in Discord's developer portal, set it, and start the surface again."


async def serve(hub: HubAddress, name: str, token: str, config: Config) -> None:
    """Serve until told to stop.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this device.
        DiscordTokenError: Discord does not take the token.
    """
    spare_the_loaded()
    pairing = partial(pair, hub, DeviceAddress(surface=SURFACE, device=name), SURFACE)
    login = pairing()
    also = (topics.state(login.user), topics.event(login.user, "execution.progress"))
    async with DeviceLink(login, also=also, pair_again=pairing) as link:
        surface = Surface(config, login.user, link, HubClient(hub, name), say)
        works = [_hear(surface, link), stay_connected(surface, token), _bug(surface)]
        try:
            tasks = [asyncio.create_task(work) for work in works]
            await until_told(tasks)
        finally:
            await surface.close()


def spare_the_loaded() -> None:
    """Keep the garbage collector from looking through all that was imported: each time, votes would wait for it."""
    gc.collect()
    gc.freeze()


async def stay_connected(surface: Surface, token: str) -> None:
    """Connect to Discord, and again whenever that ends, with growing pauses.

    Raises:
        DiscordTokenError: there is no use in trying again.
    """
    loop, tries = asyncio.get_running_loop(), 0
    budget = IdentifyBudget(loop.time)
    while True:
        began_s = loop.time()
        session = Session(surface, budget)
        ended = await session.run(token)
        if session.refused or refuses_token(ended):
            raise DiscordTokenError(fix=HOW_TO_GO_ON)
        tries = 0 if loop.time() - began_s > STEADY_S else tries + 1
        if ended is not None:
            surface.trouble.say("hearing", f"The connection to Discord ended ({type(ended).__name__}: {ended})")
        await asyncio.sleep(max(again_after_s(tries, PAUSES), budget.wait_s()))


def say(text: str) -> None:
    """Write one line for whoever runs the surface; never a token, never what a card says."""
    print(text.splitlines()[0] if text else "", file=sys.stderr, flush=True)  # noqa: T201  a program's own log


async def _hear(surface: Surface, link: DeviceLink) -> None:
    async for item in link.items():
        surface.take(item)


async def _bug(surface: Surface) -> None:
    await surface.broken
