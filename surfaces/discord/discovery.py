"""What Discord itself can tell of a bot that was just made: in which server it is, and whose it is."""

import asyncio
import re
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from hub.contract.base import Value
from hub.contract.errors import UserError
from surfaces.discord.bot import Bot, Inbox
from surfaces.discord.faults import setup_fault
from surfaces.discord.permissions import invite
from surfaces.discord.settings import Config, VoterRule

POLL_S = 3.0
WAIT_S_MAX = 600.0
SERVERS_MAX = 200
NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
Say = Callable[[str], None]
Sleep = Callable[[float], Awaitable[None]]


class NoServerError(UserError):
    """It is unclear which server the bot should post in. Add it to one, or name it with `--guild`."""

    code = "no-discord-server"


class Found(Value):
    """A server and the person who made the bot: all that the settings need."""

    guild_id: str
    owner: str
    voters: tuple[VoterRule, ...]


async def discover(token: str, wanted: str, say: Say, *, sleep: Sleep = asyncio.sleep) -> Found:
    """Find the server (`wanted` is its name or id, or empty) and the owner; waits until the bot was let in somewhere.

    Raises:
        SetupError: Discord does not accept the token, or does not answer.
        NoServerError: there is none, or more than one.
    """
    bot = Bot(Inbox())
    try:
        await bot.login(token)
        owner = await _owner(bot)
        guild = await _server(bot, wanted, say, sleep)
    except (discord.LoginFailure, discord.DiscordServerError, aiohttp.ClientError, OSError) as error:
        raise setup_fault(error) from error
    finally:
        await bot.close()
    say(f"The server is {guild.name}. Who answers there is {owner.name}, who made the bot.")
    return Found(guild_id=str(guild.id), owner=owner.name, voters=(owner,))


async def _owner(bot: Bot) -> VoterRule:
    """Return who made the bot; of a team its owner."""
    made = await bot.application_info()
    person = made.team.owner if made.team is not None and made.team.owner is not None else made.owner
    name = NOT_IN_A_NAME.sub("-", person.name).strip("-") or "me"
    return VoterRule(name=name, id=str(person.id))


async def _server(bot: Bot, wanted: str, say: Say, sleep: Sleep) -> discord.Guild:
    for attempt in range(int(WAIT_S_MAX / POLL_S)):
        there = [one async for one in bot.fetch_guilds(limit=SERVERS_MAX)]
        fitting = [one for one in there if wanted in {"", one.name, str(one.id)}]
        if len(fitting) == 1:
            return fitting[0]
        if len(fitting) > 1:
            names = ", ".join(f"{one.name} ({one.id})" for one in fitting)
            raise NoServerError(f"The bot is in several servers: {names}.", fix="Name one: --guild ID.")
        if attempt == 0 and bot.application_id is not None:
            say("Open this link and add the bot to your server; the set-up then continues by itself:")
            say(invite(bot.application_id, Config(), channels_missing=True))
        await sleep(POLL_S)
    raise NoServerError("The bot was not added to a server.", fix="Open the link above, then run this again.")
