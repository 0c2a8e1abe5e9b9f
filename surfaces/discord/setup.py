"""`pulse discord setup`: from a token to a channel with a card in it, saying at each step what is missing and why."""

from collections.abc import Callable

import aiohttp
import discord

from hub.kit.hub_api import HubAddress
from surfaces.discord.bot import Bot, Inbox
from surfaces.discord.buttons import SAY
from surfaces.discord.commands import Commands
from surfaces.discord.errors import DiscordTokenError
from surfaces.discord.faults import setup_fault
from surfaces.discord.hub_client import HubClient
from surfaces.discord.limits import Button, Embed, Field, Footer
from surfaces.discord.permissions import invite, missing
from surfaces.discord.rooms import find_channel
from surfaces.discord.settings import Config
from surfaces.discord.wire import embeds, view

UNFINISHED = 2
TEST_NONCE = "pulse-setup-test-card"
Say = Callable[[str], None]


async def setup(token: str, config: Config, say: Say) -> int:
    """Check everything, make what is missing, post a test card; return 0 when nothing is left to do.

    Raises:
        SetupError: Discord does not accept the token, or does not answer.
    """
    bot = Bot(Inbox())
    try:
        await bot.login(token)
        return await _prepare(bot, config, say)
    except (discord.LoginFailure, discord.DiscordServerError, aiohttp.ClientError, OSError) as error:
        raise setup_fault(error) from error
    finally:
        await bot.close()


async def _prepare(bot: Bot, config: Config, say: Say) -> int:
    if bot.user is None or bot.application_id is None:
        raise DiscordTokenError
    say(f"The token is good: the bot is {bot.user.name}.")
    try:
        guild = await bot.fetch_guild(int(config.guild_id))
    except (discord.NotFound, discord.Forbidden):
        say(f"The bot is not in the server {config.guild_id}. Open this link to let it in, then run this again:")
        say(invite(bot.application_id, config, channels_missing=True))
        return UNFINISHED
    channels, unmade = await _channels(guild, config, say)
    say("The link to invite the bot with exactly what it needs:")
    say(invite(bot.application_id, config, channels_missing=bool(unmade)))
    lacking = await _lacking(bot, guild, channels, config)
    for line in (*unmade, *lacking):
        say(line)
    await _commands(bot, config, say)
    bridge = find_channel(channels, config.bridge)
    if bridge is None or unmade:
        return UNFINISHED
    posted = await _test_card(bridge, config, say)
    return 0 if posted and not lacking else UNFINISHED


async def _channels(guild: discord.Guild, config: Config, say: Say) -> tuple[list[discord.TextChannel], list[str]]:
    """Find the channels, or make them; return them and what could not be made."""
    there = [one for one in await guild.fetch_channels() if isinstance(one, discord.TextChannel)]
    found, unmade = [], []
    for name in dict.fromkeys(filter(None, (config.bridge, config.status, config.log))):
        channel = find_channel(there, name)
        if channel is not None:
            say(f"#{channel.name} exists.")
            found.append(channel)
            continue
        try:
            made = await guild.create_text_channel(name.removeprefix("#"), topic="Suggestions by Pulse")
        except discord.Forbidden:
            unmade.append(f"#{name} does not exist, and the bot may not create it: add it, or grant Manage Channels.")
        else:
            say(f"#{made.name} was created.")
            found.append(made)
    return found, unmade


async def _lacking(bot: Bot, guild: discord.Guild, channels: list[discord.TextChannel], config: Config) -> list[str]:
    own = await guild.fetch_member(bot.user.id if bot.user else 0)
    return [line for one in channels for line in missing(one.permissions_for(own), config, one.name)]


async def _commands(bot: Bot, config: Config, say: Say) -> None:
    commands = Commands(config, HubClient(HubAddress(api="", token=""), ""))
    commands.register(bot)
    try:
        told = await commands.sync(bot)
    except discord.Forbidden:
        say("The commands could not be added: invite the bot again with the link above; it asks for them.")
    else:
        say("The /pulse commands are added." if told else "The /pulse commands exist.")


async def _test_card(channel: discord.TextChannel, config: Config, say: Say) -> bool:
    card = Embed(
        title="🔮 This is how a suggestion looks",
        description="This one runs nothing. Answer real ones with the reactions or buttons below them.",
        color=0x5865F2,
        fields=(Field(name="Confidence", value="▰▰▰▰▰▰▰▱▱▱ 7 of 10 approved", inline=True),),
        footer=Footer(text="Pulse set-up"),
    )
    dead = view((Button(label=SAY.title("approve"), custom_id="pulse:test", style="success", disabled=True),))
    try:
        sent = await channel.send(
            embeds=embeds((card,)),
            view=dead,  # type: ignore[arg-type]  # None is its default
            nonce=TEST_NONCE,
            silent=True,
        )
        for emoji in config.emoji.all():
            await sent.add_reaction(emoji)
    except discord.Forbidden as error:
        say(f"The test card could not be posted: {error.text or 'not allowed'}.")
        return False
    except discord.HTTPException as error:
        say(f"Discord did not accept the test card: {error.text or error.status}. Is every emoji one of this server's?")
        return False
    say(f"A test card is in #{channel.name}.")
    return True
