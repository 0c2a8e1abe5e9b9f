"""The connection to Discord: discord.py's client with the smallest intents, its events handed over and nothing else.

`dispatch` is where discord.py hands out what the gateway says. It makes a task for every event; thousands of reactions
a second are cheaper, and stay in their order, when they are only put into the inbox there and one worker takes them.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from surfaces.discord.people import Person

EVENTS_MAX = 50_000
READY_TIMEOUT_S = 0.5
RATE_LIMIT_S_MAX = 60.0
"""Longer waits come back as an error, and the channel catches up later."""
TAKEN = frozenset(
    {
        "raw_reaction_add",
        "raw_reaction_remove",
        "raw_reaction_clear",
        "raw_reaction_clear_emoji",
        "raw_message_delete",
        "raw_bulk_message_delete",
        "guild_channel_create",
        "guild_channel_delete",
        "guild_channel_update",
        "guild_role_update",
        "guild_join",
        "guild_available",
        "guild_unavailable",
        "guild_remove",
        "ready",
        "resumed",
        "disconnect",
        "interaction",
    }
)


Heeds = Callable[[discord.Message], bool]
"""Says whether a message is looked at; of a busy server most are not."""


class Inbox:
    """What came from the gateway and was not looked at yet. Bounded: what finds no room is read back later."""

    def __init__(self) -> None:
        self._events: deque[tuple[str, object]] = deque()
        self._there = asyncio.Event()
        self.overflowed = False

    def put(self, name: str, event: object) -> None:
        """Keep one event."""
        if len(self._events) >= EVENTS_MAX:
            self.overflowed = True
            return
        self._events.append((name, event))
        self._there.set()

    @property
    def is_empty(self) -> bool:
        """Whether everything that found room was taken out."""
        return not self._events

    async def take(self, most: int) -> list[tuple[str, object]]:
        """Wait for events and return up to `most`, in their order."""
        await self._there.wait()
        taken = [self._events.popleft() for _ in range(min(most, len(self._events)))]
        if not self._events:
            self._there.clear()
        return taken


class Bot(discord.Client):
    """The client. It keeps no messages and no members: what matters is on the desk."""

    def __init__(self, inbox: Inbox, heeds: Heeds = lambda _message: False) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, guild_reactions=True),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=READY_TIMEOUT_S,
            max_ratelimit_timeout=RATE_LIMIT_S_MAX,
        )
        self._inbox = inbox
        self._heeds = heeds
        self.tree = app_commands.CommandTree(self)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  discord.py's own signature
        """Hand over what the surface looks at; the rest goes its usual way."""
        if event in TAKEN:
            self._inbox.put(event, args[0] if args else None)
        elif event == "message":
            if self._heeds(args[0]):
                self._inbox.put(event, args[0])
        else:
            super().dispatch(event, *args, **kwargs)


def emoji_text(emoji: discord.PartialEmoji | discord.Emoji | str) -> str:
    """Return an emoji as the settings write it: itself, or `name:id` for a custom one."""
    if isinstance(emoji, str):
        return emoji
    return f"{emoji.name}:{emoji.id}" if emoji.id else emoji.name or ""


def person_of(member: discord.Member | discord.User) -> Person:
    """Return who somebody is; a user who is no member has no roles here."""
    roles = tuple(str(role.id) for role in member.roles) if isinstance(member, discord.Member) else ()
    return Person(id=str(member.id), name=member.name, roles=roles)


Report = Callable[[str], None]
"""Says something to whoever runs the surface, in one line."""
