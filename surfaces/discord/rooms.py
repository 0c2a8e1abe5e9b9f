"""The channels: which is which, whether they are there, and what the bot may do in them."""

import discord

from surfaces.discord.permissions import GRANT, TO_POST, lacking, what_lacks
from surfaces.discord.plan import Place
from surfaces.discord.settings import Config

INVITE = "Invite it: `pulse discord setup`."
MAKE_CHANNEL = "`pulse discord setup` makes it."


class Rooms:
    """Where messages go. `ids` lacks a place whose channel does not exist; its messages wait.

    `barred` is why no card is seen there, and what helps; `limits` is what else does not work. Empty for nothing.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self.guild_id = int(config.guild_id)
        self.ids: dict[Place, int] = {}
        self.may_remove = False
        self.barred = self.limits = ("", "")

    def look(self, guild: discord.Guild | None) -> bool:
        """Find the channels; return whether any of them changed."""
        before = dict(self.ids)
        self.ids, self.limits = {}, ("", "")
        if guild is None:
            self.barred = (f"The bot is in no Discord server {self._config.guild_id}", INVITE)
            return before != self.ids
        if guild.unavailable:
            self.barred = ("Discord says the server is not available right now", "")
            return before != self.ids
        named: tuple[tuple[Place, str], ...] = (
            ("bridge", self._config.bridge),
            ("status", self._config.status),
            ("log", self._config.log),
        )
        barred: list[tuple[str, str]] = []
        limits: list[tuple[str, str]] = []
        for place, name in named:
            channel = find_channel(guild.text_channels, name)
            is_bridge = place == "bridge"
            if channel is not None:
                self.ids[place] = channel.id
                for one in lacking(channel.permissions_for(guild.me), self._config):
                    found = barred if is_bridge and one in TO_POST else limits
                    found.append((what_lacks(one, channel.name), GRANT))
            elif name:
                (barred if is_bridge else limits).append((f"There is no channel #{name}", MAKE_CHANNEL))
        bridge = find_channel(guild.text_channels, self._config.bridge)
        self.may_remove = bridge is not None and bridge.permissions_for(guild.me).manage_messages
        self.barred, self.limits = _joined(barred), _joined(limits)
        return before != self.ids


def _joined(found: list[tuple[str, str]]) -> tuple[str, str]:
    return ". ".join(why for why, _ in found), " ".join(dict.fromkeys(fix for _, fix in found))


def find_channel(channels: list[discord.TextChannel], wanted: str) -> discord.TextChannel | None:
    """Return the channel of that id or name."""
    name = wanted.removeprefix("#")
    return next((one for one in channels if name and name in {str(one.id), one.name}), None)
