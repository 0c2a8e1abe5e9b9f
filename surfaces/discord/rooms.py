"""The channels: which is which, whether they are there, and what the bot may do in them."""

import discord

from surfaces.discord.permissions import missing
from surfaces.discord.plan import Place
from surfaces.discord.settings import Config


class Rooms:
    """Where messages go. `ids` lacks a place whose channel is not there; its messages wait."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self.guild_id = int(config.guild_id)
        self.ids: dict[Place, int] = {}
        self.may_remove = False
        self.problems: tuple[str, ...] = ()

    def look(self, guild: discord.Guild | None) -> bool:
        """Find the channels; return whether any of them changed."""
        before = dict(self.ids)
        self.ids = {}
        if guild is None:
            self.problems = (f"The bot is in no server {self._config.guild_id}; invite it: `pulse discord setup`.",)
            return before != self.ids
        if guild.unavailable:
            self.problems = ("Discord says that the server is not available just now; the surface waits for it.",)
            return before != self.ids
        named: tuple[tuple[Place, str], ...] = (
            ("bridge", self._config.bridge),
            ("status", self._config.status),
            ("log", self._config.log),
        )
        problems: list[str] = []
        for place, name in named:
            channel = find_channel(guild.text_channels, name)
            if channel is not None:
                self.ids[place] = channel.id
                problems += missing(channel.permissions_for(guild.me), self._config, channel.name)
            elif name:
                problems.append(f"There is no channel #{name}; `pulse discord setup` makes it.")
        bridge = find_channel(guild.text_channels, self._config.bridge)
        self.may_remove = bridge is not None and bridge.permissions_for(guild.me).manage_messages
        self.problems = tuple(problems)
        return before != self.ids


def find_channel(channels: list[discord.TextChannel], wanted: str) -> discord.TextChannel | None:
    """Return the channel of that id or name."""
    name = wanted.removeprefix("#")
    return next((one for one in channels if name and name in {str(one.id), one.name}), None)
