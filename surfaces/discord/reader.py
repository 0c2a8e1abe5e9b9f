"""Reading back from Discord what happened while nobody listened: our messages, the votes on them, and who voted."""

import discord

from hub.contract.base import Value
from surfaces.discord.ballot import Entry
from surfaces.discord.ballots import Ballots
from surfaces.discord.bot import Bot, emoji_text, person_of
from surfaces.discord.found import Seen
from surfaces.discord.people import Person
from surfaces.discord.rooms import Rooms
from surfaces.discord.wire import seen

HISTORY_MAX = 1_000
"""Messages of one channel that are looked through for our own, newest first."""
READ_MAX = 5_000
"""People of one reaction that are read."""


class History(Value):
    """Our own messages, newest first; `complete` when the channel has no older ones."""

    messages: tuple[Seen, ...]
    complete: bool
    oldest_id: str


async def history(bot: Bot, channel_id: int) -> History:
    """Read our own messages in a channel.

    Raises:
        discord.DiscordException, OSError: Discord did not answer as it should.
    """
    own = bot.user.id if bot.user else 0
    found: list[Seen] = []
    count, oldest = 0, ""
    async for message in bot.get_partial_messageable(channel_id).history(limit=HISTORY_MAX):
        count, oldest = count + 1, str(message.id)
        if message.author.id == own and message.embeds:
            found.append(seen(message))
    return History(messages=tuple(found), complete=count < HISTORY_MAX, oldest_id=oldest)


async def reactions(bot: Bot, ballots: Ballots, channel_id: int, message_id: str) -> tuple[Entry, ...]:
    """Read everybody's votes on one message, super reactions among them; bots have no vote."""
    message = await bot.get_partial_messageable(channel_id).fetch_message(int(message_id))
    found: list[Entry] = []
    for reaction in message.reactions:
        sign = ballots.sign_of(emoji_text(reaction.emoji))
        if sign is None:
            continue
        if reaction.normal_count > reaction.me:  # else it is ours alone
            people = reaction.users(limit=READ_MAX, type=discord.ReactionType.normal)
            found += [Entry(voter=str(user.id), sign=sign) async for user in people if not user.bot]
        if reaction.burst_count:
            people = reaction.users(limit=READ_MAX, type=discord.ReactionType.burst)
            found += [Entry(voter=str(user.id), sign=sign, via="super") async for user in people if not user.bot]
    return tuple(found)


async def member(bot: Bot, rooms: Rooms, user_id: str) -> Person:
    """Return a member with their roles, or somebody who is not here (any more)."""
    guild = bot.get_guild(rooms.guild_id)
    if guild is None:
        return Person(id=user_id, name="", here=False)
    try:
        return person_of(await guild.fetch_member(int(user_id)))
    except discord.NotFound:
        return Person(id=user_id, name="", here=False)
